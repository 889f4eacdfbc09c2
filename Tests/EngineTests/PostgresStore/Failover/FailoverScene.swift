import CampaignModel
import Foundation
import PostgresClient
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// The state of one schema, with failovers that lose every commit after a point in time.
struct FailoverScene {
    let scene: PostgresScene
    private let pipeline: PostgresPipeline

    init() async throws {
        scene = try PostgresScene()
        _ = try await scene.open()
        pipeline = try PostgresPipeline(
            to: scene.place.address,
            within: PostgresLimit.patience(.seconds(30))
        )
        for statement in [
            "SET search_path = \(scene.place.schema)", "SET session_replication_role = replica",
            "CREATE TABLE test_timeline (number bigint)",
            "INSERT INTO test_timeline VALUES (1)",
            """
            CREATE OR REPLACE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE sql VOLATILE
            AS $$ SELECT number FROM test_timeline $$
            """,
        ] {
            try execute(statement)
        }
    }

    func open() async throws -> PostgresStore { try await scene.open() }

    @discardableResult
    func execute(_ statement: String) throws -> PostgresResult {
        let patience = PostgresLimit.patience(.seconds(30))
        return try #require(
            try pipeline.send([PostgresStatement(statement)], within: patience).last
        )
    }

    func number(_ query: String) throws -> Int {
        try PostgresRow(execute(query), 0).decode(Int.self, atIndex: 0)
    }

    /// Keeps what the standby has that is promoted next.
    func replicate() throws {
        for table in try tables() {
            try execute("DROP TABLE IF EXISTS standby_\(table)")
            try execute("CREATE TABLE standby_\(table) AS TABLE \(table)")
        }
    }

    /// Loses every commit after `replicate`; the promoted server has another timeline.
    func failOver() throws {
        let tables = try tables()
        try execute("TRUNCATE \(tables.joined(separator: ", "))")
        for table in tables {
            try execute(
                "INSERT INTO \(table) OVERRIDING SYSTEM VALUE SELECT * FROM standby_\(table)"
            )
        }
        // The next unit gets the number of one that is lost.
        try execute(
            """
            SELECT setval(pg_get_serial_sequence('units', 'id'),
                (SELECT coalesce(max(id), 0) + 1 FROM units), false)
            """
        )
        try promote()
    }

    /// Makes another server the primary, which has every commit.
    func promote() throws { try execute("UPDATE test_timeline SET number = number + 1") }

    private func tables() throws -> [String] {
        let result = try execute(
            """
            SELECT relname::text COLLATE "C" FROM pg_class
            WHERE relnamespace = '\(scene.place.schema)'::regnamespace AND relkind IN ('r', 'p')
                AND NOT relispartition AND relname NOT LIKE 'standby%' AND relname NOT LIKE 'test%'
            """
        )
        return try (0..<result.rowCount)
            .map { try PostgresRow(result, $0).decode(String.self, atIndex: 0) }
    }

    // MARK: The lock

    /// Ends the lease of the lock some seconds ago.
    func endLease(secondsAgo seconds: Int) throws {
        try execute(
            "UPDATE writer SET expires = clock_timestamp() - \(seconds) * interval '1 s'"
        )
    }

    var isReleased: Bool {
        get throws { try number("SELECT count(*) FROM writer WHERE expires = '-infinity'") == 1 }
    }

    func lostCommits(isRestored: Bool) -> StateStoreError {
        .server(path: scene.place.name, .lostCommits(isRestored: isRestored))
    }

    // MARK: Sends

    /// Takes the lock and begins to send: the first requests of a unit are released.
    func begin(
        _ store: PostgresStore,
        campaign: String = "sale",
        count: Int = 100,
        released: Int
    ) async throws -> UnitID {
        let unit = try await StoreFixtures.openedUnit(store, campaign: campaign, count: count).id
        try await store.record([], released: released, of: unit)
        return unit
    }

    static func outcomes(_ requests: Range<Int>, _ outcome: Outcome) -> [RequestOutcome] {
        requests.map { RequestOutcome(index: $0, outcome: outcome) }
    }
}

extension PostgresStore {
    /// Takes the lock in one attempt.
    func take(for worker: Worker = StoreFixtures.worker) async throws(StateStoreError) {
        try await lock(for: worker, waiting: .zero)
    }
}
