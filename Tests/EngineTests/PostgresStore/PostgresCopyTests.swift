import Foundation
import PostgresClient
import Testing

@testable import PostgresStore

/// Copies rows into a table of the server.
struct PostgresCopyTests {
    private let scene: PostgresScene
    private let table: String
    private let patience = PostgresLimit.patience(.seconds(30))

    init() throws {
        scene = try PostgresScene()
        table = "\(scene.place.schema).copied"
        try scene.execute("CREATE SCHEMA \(scene.place.schema)")
        try scene.execute(
            """
            CREATE TABLE copied (number bigint PRIMARY KEY, value bytea,
                CONSTRAINT other CHECK (length(value) <> 7))
            """
        )
    }

    private func copy(after statements: [String] = []) throws(PostgresError) -> PostgresCopy {
        try PostgresCopy(
            to: scene.place.address,
            after: ["BEGIN"] + statements,
            into: "\(table) (number, value)",
            within: patience
        )
    }

    private func row(_ number: Int64, _ text: String) -> [PostgresValue] {
        [.integer(number), .bytes(Data(text.utf8))]
    }

    private func count() throws -> Int64 { try scene.number("SELECT count(*) FROM copied") }

    @Test func `stores values of any size`() throws {
        let copy = try copy()
        let rows: [[PostgresValue]] = [
            [.integer(1), .null], [.integer(2), .bytes(Data())],
            [.integer(3), .bytes(Data([0, 0xFF]))],
        ]
        try copy.append(rows, within: patience)
        try copy.append([], within: patience)
        // Longer than one piece.
        let long = Data(repeating: 0xAB, count: 2_500_000)
        try copy.append([[.integer(-4), .bytes(long)]], within: patience)
        #expect(try count() == 0)
        try copy.finish(with: ["COMMIT"], within: patience)
        let whole = """
            SELECT count(*) FROM copied
            WHERE number = 1 AND value IS NULL OR number = 2 AND value = ''
                OR number = 3 AND value = '\\x00ff'
                OR number = -4 AND value = decode(repeat('ab', 2500000), 'hex')
            """
        #expect(try scene.number(whole) == 4)
    }

    @Test func `copies again in the same transaction`() throws {
        let copy = try copy()
        try copy.append([row(1, "a")], within: patience)
        try copy.finish(with: ["INSERT INTO \(table) VALUES (2, 'b')"], within: patience)
        try copy.begin(within: patience)
        try copy.append([row(3, "c")], within: patience)
        #expect(try count() == 0)
        try copy.finish(with: ["COMMIT"], within: patience)
        #expect(try count() == 3)
    }

    @Test func `stores nothing without its end`() throws {
        var unfinished: PostgresCopy? = try copy()
        try unfinished?.append([row(1, "a")], within: patience)
        unfinished = nil
        #expect(try count() == 0)
    }

    @Test(arguments: [
        (
            Int64(2), "secrets",
            PostgresError.refused(
                message: "new row for relation \"copied\" violates check constraint \"other\"",
                state: "23514"
            )
        ),
        (
            1, "secret",
            .refused(
                message: "duplicate key value violates unique constraint \"copied_pkey\"",
                state: "23505"
            )
        ),
    ])
    func `a refused row is not in the error`(
        number: Int64,
        text: String,
        error: PostgresError
    ) throws {
        let copy = try copy()
        try copy.append([row(1, "a"), row(number, text)], within: patience)
        // The server discards it.
        let long = String(repeating: "x", count: 4_000_000)
        try copy.append([row(3, long)], within: patience)
        #expect(throws: error) { try copy.finish(with: ["COMMIT"], within: patience) }
        #expect(try count() == 0)
    }

    @Test func `a copy that the server refuses does not begin`() throws {
        let missing = PostgresError.refused(message: "division by zero", state: "22012")
        #expect(throws: missing) { try copy(after: ["SELECT 1 / 0"]) }
        let other = try PostgresPipeline(to: scene.place.address, within: patience)
        _ = try other.send(
            ["BEGIN", "LOCK TABLE \(table)"].map { PostgresStatement($0) },
            within: patience
        )
        let locked = PostgresError.refused(
            message: "canceling statement due to lock timeout",
            state: "55P03"
        )
        #expect(throws: locked) { try copy(after: ["SET LOCAL lock_timeout = '20ms'"]) }
    }

    @Test func `a connection that was cut stores nothing`() throws {
        let copy = try copy()
        try copy.append([row(1, "a")], within: patience)
        let stopped = """
            SELECT pg_terminate_backend(pid, 30000)::int FROM pg_stat_activity
            WHERE query LIKE 'COPY \(table) %'
            """
        #expect(try scene.number(stopped) == 1)
        let error = #expect(throws: PostgresError.self) {
            try copy.append([row(2, "b")], within: patience)
            try copy.finish(with: ["COMMIT"], within: patience)
        }
        #expect(error?.isOfConnection == true)
        #expect(try count() == 0)
    }

    @Test func `a copy ends if its caller stops it`() throws {
        try scene.execute(
            [
                """
                CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$
                """,
                """
                CREATE TRIGGER delayed BEFORE INSERT ON copied
                FOR EACH ROW EXECUTE FUNCTION delay()
                """,
            ].map { PostgresStatement($0) }
        )
        let copy = try copy()
        let stopped = PostgresPatience(until: .now + .seconds(30), isStopped: { true })
        // Longer than what the sockets hold while the server does not read.
        let long = String(repeating: "x", count: 8_000_000)
        #expect(throws: PostgresError.stopped) {
            try copy.append([row(1, "a"), row(2, long)], within: stopped)
        }
        #expect(try count() == 0)
    }
}
