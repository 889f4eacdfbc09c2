import FoundationEssentials
import PostgresClient
import State
import StoreTables

/// A process in the table of workers.
struct RegisteredWorker {
    let id: Data
    var incarnation: Int64
    var commits: Int64
}

extension PostgresStore {
    /// Registers this process before its first change.
    ///
    /// - Throws: Also `.lostCommits`, if a failover lost commits that this process made under its lock.
    func registered() throws -> RegisteredWorker {
        if let loss = failover.loss, !failover.isRestoring { throw loss }
        if let worker { return worker }
        let made = RegisteredWorker(id: Data(SystemRandom.bytes(16)), incarnation: 1, commits: 0)
        let result = try perform(
            PostgresStatement(
                """
                WITH made AS (
                    INSERT INTO worker (id, incarnation, commits, host, process, format, beat)
                    VALUES ($1, 1, 0, $2, $3, $4, clock_timestamp()) ON CONFLICT DO NOTHING)
                SELECT fleet_timeline()
                """,
                [
                    .bytes(made.id), .text(ProcessInfo.processInfo.hostName),
                    .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
                    .integer(Int64(PostgresSchema.format)),
                ]
            )
        )
        worker = made
        try checkCommits(on: PostgresRow(result, 0).decode(Int64.self, atIndex: 0))
        return made
    }

    /// Notes whether the server has fewer commits of this process than were answered.
    func noteCommits(of worker: RegisteredWorker) {
        let statement = PostgresStatement(
            "SELECT commits FROM worker WHERE id = $1",
            [.bytes(worker.id)]
        )
        guard let result = try? perform(statement), result.rowCount == 1,
            let commits = try? PostgresRow(result, 0).decode(Int64.self, atIndex: 0)
        else { return }
        if commits < worker.commits { failover.isSetBack = true }
    }
}
