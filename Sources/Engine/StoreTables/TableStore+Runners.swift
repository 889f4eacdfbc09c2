package import State
import Time

extension TableStore {
    /// Each job of a cron schedule is another process.
    private static var keptRunners: Int { 8 }

    package func note(
        _ runner: Runner
    ) throws(StateStoreError) -> (before: StateVersion, after: StateVersion) {
        try write { db in
            let before = try db.version()
            try db.run(
                """
                INSERT INTO runners (host, process, command, since, seen, lists, standby)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (host, process, command) DO UPDATE
                SET since = excluded.since, seen = excluded.seen, lists = excluded.lists,
                    standby = excluded.standby
                """,
                arguments: [
                    runner.host, runner.processID, runner.command, runner.since.secondsSince1970,
                    runner.lastSeen.secondsSince1970, runner.readsLists, runner.isStandby,
                ]
            )
            try db.run(
                """
                DELETE FROM runners WHERE (host, process, command) NOT IN
                    (SELECT host, process, command FROM runners \(Self.latestFirst) LIMIT ?)
                """,
                arguments: [Self.keptRunners]
            )
            return (before, try db.version())
        }
    }

    package func runners() throws(StateStoreError) -> [Runner] {
        try read { db in
            var runners: [Runner] = []
            let rows = try db.rows(
                """
                SELECT command, host, process, since, seen, lists, standby
                FROM runners \(Self.latestFirst)
                """
            )
            while let row = try rows.next() {
                runners.append(
                    Runner(
                        command: try row.decode(String.self, atIndex: 0),
                        host: try row.decode(String.self, atIndex: 1),
                        processID: try row.decode(Int32.self, atIndex: 2),
                        since: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 3)),
                        lastSeen: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 4)),
                        readsLists: try row.decode(Bool.self, atIndex: 5),
                        isStandby: try row.decode(Bool.self, atIndex: 6)
                    )
                )
            }
            return runners
        }
    }

    private static var latestFirst: String { "ORDER BY seen DESC, host, process, command" }
}
