import Dispatch
import PostgresClient
package import State
import StoreTables

extension PostgresStore {
    /// Reads how many standbys are connected, and whether commits wait for them.
    ///
    /// Backups and logical replication use the same connections as standbys, but nothing fails over to
    /// them. A role without `pg_read_all_stats` sees the connections without their states.
    package func standbys() throws(StateStoreError) -> StandbyStatus {
        let row = try read { db in
            try db.row(
                """
                SELECT current_setting('synchronous_standby_names') <> '', count(pid),
                    count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
                    count(pid) FILTER (WHERE state IS NULL)
                FROM (
                    SELECT pid, state, sync_state FROM pg_stat_replication
                    WHERE state IS DISTINCT FROM 'backup' AND NOT EXISTS (
                        SELECT 1 FROM pg_replication_slots
                        WHERE active_pid = pid AND slot_type = 'logical')) AS standbys
                """
            )
        }
        return try mapErrors {
            guard let row else { throw UnexpectedValue() }
            let hidden = try row.decode(Int.self, atIndex: 3)
            return StandbyStatus(
                connected: try row.decode(Int.self, atIndex: 1),
                synchronous: hidden > 0 ? nil : try row.decode(Int.self, atIndex: 2),
                isRequired: try row.decode(Bool.self, atIndex: 0)
            )
        }
    }
}

// MARK: - Waiting

extension PostgresStore {
    /// How long a commit waits for a standby.
    private static let standbyPatience = Duration.seconds(2)
    /// How long no commit waits after one that the standbys had not stored in time.
    private static let hurry = Duration.seconds(60)
    private static let standbyInterval = Duration.milliseconds(5)

    /// Waits until all standbys have stored what was committed, so that no failover loses that this
    /// process has the lock, or that it opened an occurrence.
    ///
    /// It does not wait long: a standby that is gone must not stop a send. Then only this process can
    /// restore what a failover loses.
    func awaitStandbys() {
        let start = ContinuousClock.now
        guard lease != nil, start >= failover.hurriesUntil else { return }
        var place: Int64?
        while let server = try? server() {
            let needed = place ?? server.place
            if server.safe >= needed { return }
            place = needed
            guard ContinuousClock.now - start < Self.standbyPatience else {
                failover.hurriesUntil = .now + Self.hurry
                return
            }
            let interval = Self.standbyInterval / .milliseconds(1)
            _ = DispatchSemaphore(value: 0)
                .wait(timeout: .now() + .milliseconds(Int(interval)))
        }
    }

    /// What the server has, and what all its standbys have stored.
    private func server() throws -> (place: Int64, safe: Int64) {
        let statement = PostgresStatement(
            "SELECT place, safe FROM \(self.place.schema).fleet_server()"
        )
        let results = try connected()
            .send([statement], within: PostgresLimit.patience(PostgresLimit.connect))
        let row = PostgresRow(results[0], 0)
        return (
            try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1)
        )
    }
}
