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
            "page_number", "runners", "fleet_workers", "fleet_slices", "fleet_writer",
            "fleet_occurrences", "work_units", "fleet_doubled", "attempt_log", "exposures",
            "exposure_chunks", "subject_outcomes", "result_plans", "result_looks",
            "android_deliveries", "inbox", "inbox_meta", "upstream_members", "upstream_answers",
        ]
        let whole = try readableTables()
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

    @Test func `a role for results reads arms and outcomes, and writes nothing`() async throws {
        try await grant(.results)
        let readable = PostgresGrants.readable + [PostgresGrants.identities]
        #expect(try readableTables() == Set(readable + PostgresGrants.experiments))
        for right in ["INSERT", "UPDATE", "DELETE"] {
            #expect(try tables(where: "has_table_privilege('\(role)', oid, '\(right)')") == [])
        }
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
        #expect(try usableSequences() > 0)
        try grantAgain(hasFrequencyCaps: false)
        #expect(try tables(where: "has_table_privilege('\(role)', oid, 'INSERT')") == [])
        #expect(try readableTables() == Set(PostgresGrants.readable))
        #expect(try usableSequences() == 0)
    }

    @Test func `only a role for plans with frequency caps reads hashes of identities`()
        async throws
    {
        try await grant(.plan)
        try grantAgain(hasFrequencyCaps: true)
        #expect(
            try readableTables() == Set(PostgresGrants.readable).union([PostgresGrants.identities])
        )
        try grantAgain(hasFrequencyCaps: false)
        #expect(try readableTables() == Set(PostgresGrants.readable))
    }

    private func grantAgain(hasFrequencyCaps: Bool) throws {
        let grants = PostgresGrants(
            .plan,
            to: role,
            hasFrequencyCaps: hasFrequencyCaps,
            schema: scene.place.schema
        )
        try scene.execute(grants.statements.map { PostgresStatement($0) })
    }

    /// A role that plans can read users and machines only where a plan may show them.
    @Test func `a role that plans reads who paused and resolved, but not who ran`() async throws {
        try await grant(.plan)
        let names = try scene.number(columns("TRUE"))
        let readable = try scene.number(columns("c.relname IN ('pauses', 'resolutions')"))
        let granted = "has_column_privilege('\(role)', c.oid, a.attnum, 'SELECT')"
        #expect(readable == 4)
        #expect(names > readable)
        #expect(try scene.number(columns(granted)) == readable)
    }

    /// The query that counts the columns `user`, `host` and `holder` for which a condition holds.
    private func columns(_ condition: String) -> String {
        """
        SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = '\(scene.place.schema)'::regnamespace AND c.relkind IN ('r', 'p')
            AND a.attname IN ('user', 'host', 'holder') AND \(condition)
        """
    }

    private func readableTables() throws -> Set<String> {
        try tables(where: "has_table_privilege('\(role)', oid, 'SELECT')")
    }

    /// The number of sequences on which the role has any right.
    private func usableSequences() throws -> Int64 {
        try scene.number(
            """
            SELECT count(*) FROM pg_class
            WHERE relnamespace = '\(scene.place.schema)'::regnamespace
                AND CASE WHEN relkind = 'S'
                    THEN has_sequence_privilege('\(role)', oid, 'USAGE, SELECT, UPDATE') END
            """
        )
    }

    @Test func `quotes the name of a role`() {
        let lines = PostgresGrants(.apply, to: "a\"b").sql.split(separator: "\n")
        #expect(lines.first == "BEGIN;" && lines.last == "COMMIT;")
        #expect(lines.contains("GRANT USAGE ON SCHEMA herald TO \"a\"\"b\";"))
    }
}
