import PostgresClient
import StoreTables
import Testing

@testable import PostgresStore

/// One after the other, because each case has several connections.
@Suite(.serialized)
struct PostgresGrantsTests {
    private let scene: PostgresScene
    private let role: String

    init() throws {
        scene = try PostgresScene()
        role = "role_of_\(scene.place.schema)"
    }

    private func grant(_ purpose: PostgresGrants.Purpose) async throws {
        _ = try await scene.open()
        try scene.execute("CREATE ROLE \(role)")
        let grants = PostgresGrants(purpose, to: role, schema: scene.place.schema)
        try scene.execute(grants.statements.map { PostgresStatement($0) })
    }

    /// The tables for which a condition on `oid` holds.
    private func tables(where condition: String) throws -> Set<String> {
        let result = try scene.execute(
            """
            SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class
            WHERE relnamespace = '\(scene.place.schema)'::regnamespace AND relkind IN ('r', 'p')
                AND \(condition)
            """
        )
        guard case .text(let names) = result.value(row: 0, column: 0) else {
            throw UnexpectedValue()
        }
        return Set(names.split(separator: " ").map(String.init))
    }

    /// A new table has to be in one of the lists.
    @Test func `a role that plans reads only what a plan needs, and writes nothing`() async throws {
        try await grant(.plan)
        let hidden: Set = [
            "list_chunks", "registration_pages", "people_chunks", "message_ids", "device_groups",
            "device_group_members", "run_sendings", "run_memberships", "plans", "writer", "service",
            "page_number", "runners",
        ]
        let whole = try tables(where: "has_table_privilege('\(role)', oid, 'SELECT')")
        let some = try tables(where: "has_any_column_privilege('\(role)', oid, 'SELECT')")
        #expect(whole == Set(PostgresGrants.readable))
        #expect(some == whole.union(PostgresGrants.readableColumns.map(\.table)))
        #expect(some.isDisjoint(with: hidden))
        #expect(try tables(where: "true") == some.union(hidden))
        let writing = """
            (has_any_column_privilege('\(role)', oid, 'INSERT, UPDATE, REFERENCES')
                OR has_table_privilege('\(role)', oid, 'DELETE, TRUNCATE, TRIGGER'))
            """
        #expect(try tables(where: writing) == [])
    }

    @Test func `a role that applies changes rows but no tables`() async throws {
        try await grant(.apply)
        let all = try tables(where: "true")
        for right in ["SELECT", "INSERT", "UPDATE", "DELETE"] {
            #expect(
                try tables(where: "has_table_privilege('\(role)', oid, '\(right)')") == all,
                "\(right)"
            )
        }
        #expect(try tables(where: "has_table_privilege('\(role)', oid, 'TRUNCATE')") == [])
        let schema = scene.place.schema
        let creating = "SELECT has_schema_privilege('\(role)', '\(schema)', 'CREATE')::int"
        #expect(try scene.number(creating) == 0)
    }

    @Test func `a later grant replaces the earlier rights`() async throws {
        try await grant(.apply)
        let grants = PostgresGrants(.plan, to: role, schema: scene.place.schema)
        try scene.execute(grants.statements.map { PostgresStatement($0) })
        #expect(try tables(where: "has_table_privilege('\(role)', oid, 'INSERT')") == [])
    }

    @Test func `quotes the name of a role`() {
        let lines = PostgresGrants(.apply, to: "a\"b").sql.split(separator: "\n")
        #expect(lines.first == "BEGIN;" && lines.last == "COMMIT;")
        #expect(lines.contains("GRANT USAGE ON SCHEMA herald TO \"a\"\"b\";"))
    }
}
