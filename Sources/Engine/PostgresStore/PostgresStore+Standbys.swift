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
