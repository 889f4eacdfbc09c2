import CampaignModel
package import CampaignState
import FCMWire
import GRDB
package import Scheduling

extension SQLiteStore {
    package func beginRun(_ worker: Worker) throws(StateStoreError) -> RunID {
        try write { db in
            try db.run(
                "UPDATE runs SET status = ? WHERE status = ?",
                [RunStatus.abandoned.rawValue, RunStatus.running.rawValue]
            )
            try db.run(
                """
                INSERT INTO runs (status, command, user, host, process, began)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    RunStatus.running.rawValue, worker.command, worker.user, worker.host,
                    worker.processID, worker.since.secondsSince1970,
                ]
            )
            let run = RunID(number: db.lastInsertedRowID)
            try db.run("UPDATE meta SET serial = serial + 1")
            return run
        }
    }

    package func finishRun(
        _ run: RunID,
        status: RunStatus,
        tally: OutcomeTally,
        at moment: Instant
    ) throws(StateStoreError) {
        try write { db in
            let values: [Int64] =
                [Int64(status.rawValue), moment.secondsSince1970] + tally.values.map(Int64.init)
                + [run.number]
            try db.run(
                """
                UPDATE runs SET status = ?, ended = ?, intended = ?, accepted = ?, rejected = ?,
                    unknown = ?, expired = ?, suppressed = ?, cancelled = ?, returned = ?
                WHERE id = ?
                """,
                StatementArguments(values)
            )
            guard db.changesCount == 1 else { throw failed("there is no run \(run.number)") }
        }
    }

    package func record(
        _ changes: [DefinitionChange],
        in run: RunID
    ) throws(StateStoreError) {
        try write { db in
            for change in changes { try record(change, in: run, db) }
        }
    }

    private func record(_ change: DefinitionChange, in run: RunID, _ db: Database) throws {
        switch change {
        case .define(let definition):
            try db.run(
                """
                INSERT INTO definitions (campaign, content, run) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET content = excluded.content, run = excluded.run
                """,
                [definition.campaign.rawValue, definition.content.compactText, run.number]
            )
        case .retire(let campaign):
            try db.run("DELETE FROM definitions WHERE campaign = ?", [campaign.rawValue])
        case .schedule(let id, let due): try place(id, as: .scheduled, due: due, in: run, db)
        case .expire(let id, let due): try place(id, as: .expired, due: due, in: run, db)
        }
    }

    /// What has a unit was sent or is being sent, and happens only once.
    private func place(
        _ id: OccurrenceID,
        as status: OccurrenceStatus,
        due: Instant,
        in run: RunID,
        _ db: Database
    ) throws {
        try db.run(
            """
            INSERT INTO occurrences (campaign, slot, revision, status, due, run)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET status = excluded.status, due = excluded.due,
                run = excluded.run
            WHERE unit IS NULL
            """,
            id.arguments + [status.rawValue, due.secondsSince1970, run.number]
        )
        guard db.changesCount == 1 else { throw failed("the sending of \(id) began already") }
    }
}
