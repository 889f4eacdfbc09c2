import Fleet
import Foundation
import PostgresClient
import State
import Testing

@testable import PostgresStore

/// The tables of a fleet in a schema of their own, with a clock and a timeline that tests set.
struct FleetScene {
    let scene: PostgresScene
    private let pipeline: PostgresPipeline
    let store: FleetStore
    let state: PostgresStore

    /// The tables that a failover changes, in an order in which they can be filled.
    private let tables: [String]

    private static let fleetTables = [
        "fleet_workers", "fleet_slices", "fleet_writer", "fleet_occurrences", "work_units",
        "fleet_doubled", "attempt_log", "outcome_details", "message_ids",
    ]

    /// `losesRecords`: whether `clear` and `lose` also concern the records of occurrences.
    init(losesRecords: Bool = false) async throws {
        tables = (losesRecords ? ["units", "outcome_log", "outcome_final"] : []) + Self.fleetTables
        scene = try PostgresScene()
        state = try await scene.open()
        store = FleetStore(at: scene.place)
        let patience = PostgresLimit.patience(.seconds(30))
        pipeline = try PostgresPipeline(to: scene.place.address, within: patience)
        try execute("SET search_path = \(scene.place.schema)")
        for statement in [
            "CREATE TABLE test_server (clock timestamptz, timeline bigint)",
            "INSERT INTO test_server VALUES ('epoch', 1)",
            """
            CREATE OR REPLACE FUNCTION fleet_clock() RETURNS timestamptz LANGUAGE sql VOLATILE
            AS $$ SELECT clock FROM \(scene.place.schema).test_server $$
            """,
            """
            CREATE OR REPLACE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE sql VOLATILE
            AS $$ SELECT timeline FROM \(scene.place.schema).test_server $$
            """,
        ] {
            try execute(statement)
        }
    }

    /// Executes a statement as another client would, on a connection that stays open.
    @discardableResult
    func execute(
        _ statement: String,
        _ parameters: [PostgresValue] = []
    ) throws -> PostgresResult {
        let patience = PostgresLimit.patience(.seconds(30))
        let statements = [PostgresStatement(statement, parameters)]
        return try #require(try pipeline.send(statements, within: patience).last)
    }

    func number(_ query: String) throws -> Int {
        try PostgresRow(execute(query), 0).number(at: 0)
    }

    func set(seconds: Int) throws { try set(milliseconds: seconds * 1_000) }

    func set(milliseconds: Int) throws {
        try execute(
            """
            UPDATE test_server
            SET clock = 'epoch'::timestamptz + \(milliseconds) * interval '1 millisecond'
            """
        )
    }

    func set(timeline: Int) throws {
        try execute("UPDATE test_server SET timeline = \(timeline)")
    }

    // MARK: Transactions

    func answer(
        _ transaction: FleetTransaction,
        notes: [UnitNotes] = [],
        on other: FleetStore? = nil
    ) async throws -> FleetAnswer {
        switch await (other ?? store).perform(transaction, notes: notes) {
        case .answered(let answer): return answer
        case .failed(let failure, let cause):
            Issue.record("\(transaction) failed: \(failure), \(cause)")
            throw UnexpectedReply()
        }
    }

    func failure(_ transaction: FleetTransaction) async throws -> FleetFailure {
        switch await store.perform(transaction) {
        case .answered(let answer):
            Issue.record("\(transaction) was answered: \(answer)")
            throw UnexpectedReply()
        case .failed(let failure, _): return failure
        }
    }

    struct UnexpectedReply: Error {}

    // MARK: Rows

    /// An occurrence to divide, which leaves out `omitted`.
    func add(
        _ occurrence: UncutOccurrence,
        omitting omitted: [Int] = [],
        turn: FleetTurn = FleetTurn(due: 0)
    ) throws {
        let number = occurrence.number.number
        try execute(
            """
            INSERT INTO units (id, kind, target, count, block, intended, ids)
            VALUES (\(number), 0, 'news', \(occurrence.count), 4000, \(occurrence.count), 0)
            ON CONFLICT DO NOTHING
            """
        )
        try execute(
            """
            INSERT INTO fleet_occurrences (unit, count, omitted, first_unit, due, priority, terms)
            VALUES ($1, $2, $3, $4, $5, $6, '{}')
            """,
            [
                .number(number), .number(occurrence.count),
                .bytes(OmittedBits.pack(omitted)), .number(occurrence.firstUnit),
                .integer(turn.due), .number(turn.priority),
            ]
        )
    }

    /// Removes every row of a fleet.
    func clear() throws {
        try truncate()
        try execute(
            "INSERT INTO fleet_writer (id, epoch, token, lease) VALUES (1, 0, 0, '-infinity')"
        )
    }

    /// Keeps what a standby has.
    func save() throws {
        for table in tables {
            try execute("DROP TABLE IF EXISTS saved_\(table)")
            try execute("CREATE TABLE saved_\(table) AS TABLE \(table)")
        }
    }

    /// Loses every commit after `save`.
    func lose() throws {
        try truncate()
        for table in tables {
            try execute(
                "INSERT INTO \(table) OVERRIDING SYSTEM VALUE SELECT * FROM saved_\(table)"
            )
        }
    }

    private func truncate() throws {
        // Empty tables refer to units, too.
        try execute("TRUNCATE \(tables.joined(separator: ", ")) CASCADE")
    }
}
