import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    /// Begins a run; the store reports it when it is durable.
    package func beginRun(_ worker: Worker, in db: any StateDatabase) throws -> RunID {
        try beginChain(db)
        try abandonRuns(db)
        try db.run("UPDATE meta SET serial = serial + 1")
        let run = RunID(number: try insert(worker, into: db))
        try append(.begin, of: ChainedRowKey(in: .beginnings, of: run.number), in: db)
        return run
    }

    /// Marks runs as abandoned: the caller holds the lock, so their processes have ended.
    private func abandonRuns(_ db: any StateDatabase) throws {
        let running = RunStatus.running.rawValue
        let left = try db.numbers("SELECT id FROM runs WHERE status = \(running)")
        for run in left {
            try db.run(
                "UPDATE runs SET status = ? WHERE id = ?",
                arguments: [RunStatus.abandoned.rawValue, run]
            )
            try append(.end, of: ChainedRowKey(in: .endings, of: run), in: db)
        }
    }

    private func insert(_ worker: Worker, into db: any StateDatabase) throws -> Int64 {
        let who: StatementValues = [
            RunStatus.running.rawValue, worker.command, worker.user, worker.host,
            worker.processID, worker.since.secondsSince1970,
        ]
        let origin: StatementValues = [
            worker.origin.commit, worker.origin.isDirty, worker.origin.ciRun, worker.origin.ciActor,
        ]
        let bypasses = JSONValue.array(worker.bypasses.map(JSONValue.string)).compactText
        let approvals = JSONValue.array(worker.approvals.map(\.stored)).compactText
        return try db.insert(
            """
            INSERT INTO runs (status, command, "user", host, process, began, commit_id, dirty,
                ci_run, ci_actor, digest, bypasses, approvals, serial)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT serial FROM meta))
            """,
            arguments: who + origin + [worker.digest, bypasses, approvals]
        )
    }

    /// Records the end of a run, and drops what no later run needs.
    package func recordEnd(of run: RunID, as end: RunEnd) throws(StateStoreError) {
        try write { db in
            let head: StatementValues = [
                end.status.rawValue, end.moment.secondsSince1970, end.cause,
            ]
            try db.run(
                """
                UPDATE runs SET status = ?, ended = ?, cause = ?, intended = ?, accepted = ?,
                    rejected = ?, unknown = ?, expired = ?, suppressed = ?, cancelled = ?,
                    returned = ?
                WHERE id = ?
                """,
                arguments: head + StatementValues(end.tally.values) + [run.number]
            )
            guard try db.changes() == 1 else { throw failed("there is no run \(run.number)") }
            for measurement in end.traffic { try record(measurement, in: db) }
            try dropAbandonedLists(db)
            try dropKeptLists(at: end.moment, in: db)
            try dropOldContacts(at: end.moment, in: db)
            try append(.end, of: ChainedRowKey(in: .endings, of: run.number), in: db)
        }
    }

    private func record(_ measurement: TrafficMeasurement, in db: any StateDatabase) throws {
        try db.run(
            """
            INSERT INTO traffic (kind, round_trip, rate, at) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind) DO UPDATE
            SET round_trip = excluded.round_trip, rate = excluded.rate, at = excluded.at
            """,
            arguments: [
                measurement.kind.rawValue, Int64(measurement.roundTrip / .microseconds(1)),
                measurement.rate, measurement.moment.secondsSince1970,
            ]
        )
    }

    package func traffic() throws(StateStoreError) -> [TrafficMeasurement] {
        try read { db in
            var measurements: [TrafficMeasurement] = []
            let rows = try db.rows("SELECT kind, round_trip, rate, at FROM traffic ORDER BY kind")
            while let row = try rows.next() {
                let kind = TrafficMeasurement.Kind(rawValue: try row.decode(UInt8.self, atIndex: 0))
                guard let kind else { continue }
                measurements.append(
                    TrafficMeasurement(
                        of: kind,
                        roundTrip: .microseconds(try row.decode(Int64.self, atIndex: 1)),
                        rate: try row.decode(Double.self, atIndex: 2),
                        at: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 3))
                    )
                )
            }
            return measurements
        }
    }

    package func record(
        _ changes: [DefinitionChange],
        in run: RunID
    ) throws(StateStoreError) {
        try write { db in
            for change in changes { try record(change, in: run, on: db) }
            if changes.contains(where: \.mayReplaceLists) {
                try dropUnusedLists(db)
            } else {
                for campaign in Set(changes.compactMap(\.ended)) {
                    try dropUnusedList(of: campaign, in: db)
                }
            }
        }
    }

    private func record(_ change: DefinitionChange, in run: RunID, on db: any StateDatabase) throws
    {
        switch change {
        case .define(let definition):
            try define(definition, in: run, on: db)
        case .retire(let campaign):
            try db.run("DELETE FROM definitions WHERE campaign = ?", arguments: [campaign.rawValue])
        case .schedule(let id, let due):
            try place(Placement(of: id, status: .scheduled, due: due), in: run, on: db)
        case .expire(let id, let due):
            try place(Placement(of: id, status: .expired, due: due), in: run, on: db)
        case .deferRest(let id, let due): try deferRest(of: id, until: due, on: db)
        case .cancel(let id): try cancel(id, in: run, on: db)
        case .rename(let old, let new): try rename(old, to: new, in: run, on: db)
        case .advance(let campaign, let moment):
            try db.run(
                "UPDATE definitions SET slots_after = ?, run = ? WHERE campaign = ?",
                arguments: [moment.secondsSince1970, run.number, campaign.rawValue]
            )
            guard try db.changes() == 1 else { throw failed("there is no campaign \(campaign)") }
        case .pin(let projectID): try pin(projectID: projectID, in: db)
        case .approvals(let policy): try keep(policy, in: db)
        case .aim(let scope, let aim): try self.aim(scope, at: aim, in: run, on: db)
        }
    }

    private func define(
        _ definition: CampaignDefinition,
        in run: RunID,
        on db: any StateDatabase
    ) throws {
        let sending = definition.sending
        let campaign = try sending.map { sending in
            let text = sending.campaign.compactText
            return sending.isSecret ? try sealer.concealed(text) : text
        }
        if let list = sending?.list { try takeList(list, of: nil, in: db) }
        try db.run(
            """
            INSERT INTO definitions (campaign, content, slots_after, sending, list, reviewed, run)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (campaign) DO UPDATE SET content = excluded.content,
                slots_after = excluded.slots_after, sending = excluded.sending,
                list = excluded.list, reviewed = excluded.reviewed, run = excluded.run
            """,
            arguments: [
                definition.campaign.rawValue, definition.content.compactText,
                definition.slotsAfter?.secondsSince1970, campaign,
                sending?.list?.text, sending?.isReviewed ?? false, run.number,
            ]
        )
    }

    private func deferRest(of id: OccurrenceID, until due: Instant, on db: any StateDatabase) throws
    {
        let values: StatementValues = [due.secondsSince1970]
        try db.run(
            """
            UPDATE occurrences SET due = ?
            WHERE campaign = ? AND slot = ? AND revision = ? AND status = ?
            """,
            arguments: values + id.arguments + [OccurrenceStatus.dispatching.rawValue]
        )
        guard try db.changes() == 1 else { throw failed("\(id) is not in progress") }
    }

    private func cancel(_ id: OccurrenceID, in run: RunID, on db: any StateDatabase) throws {
        let values: StatementValues = [OccurrenceStatus.cancelled.rawValue, run.number]
        try db.run(
            """
            UPDATE occurrences SET status = ?, run = ?
            WHERE campaign = ? AND slot = ? AND revision = ? AND unit IS NULL
            """,
            arguments: values + id.arguments
        )
        guard try db.changes() == 1 else { throw failed("\(id) is not scheduled") }
    }

    /// Moves the history of the old name to the new one.
    private func rename(
        _ old: CampaignID,
        to new: CampaignID,
        in run: RunID,
        on db: any StateDatabase
    ) throws {
        for table in [
            "definitions", "occurrences", "resolutions", "run_sendings", "result_plans",
            "result_looks",
        ] {
            let taken = try db.row(
                "SELECT 1 FROM \(table) WHERE campaign = ?",
                arguments: [new.rawValue]
            )
            guard taken == nil else { throw failed("campaign \(new) already exists") }
            try db.run(
                "UPDATE \(table) SET campaign = ? WHERE campaign = ?",
                arguments: [new.rawValue, old.rawValue]
            )
        }
        // The new name may already be paused.
        try db.run(
            """
            DELETE FROM pauses WHERE campaign = ?1
                AND EXISTS (SELECT 1 FROM pauses AS renamed WHERE renamed.campaign = ?2)
            """,
            arguments: [new.rawValue, old.rawValue]
        )
        try db.run(
            "UPDATE pauses SET campaign = ? WHERE campaign = ?",
            arguments: [new.rawValue, old.rawValue]
        )
        let names: JSONObject = ["campaign": .string(old.rawValue), "to": .string(new.rawValue)]
        try append(ChainEntry(.rename, of: run.number, row: names), in: db)
    }

    /// Places an occurrence, unless it has a unit: then it was sent or is being sent, and happens
    /// only once.
    private func place(_ placement: Placement, in run: RunID, on db: any StateDatabase) throws {
        try db.run(
            """
            INSERT INTO occurrences (campaign, slot, revision, status, due, run)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (campaign, slot, revision) DO UPDATE SET status = excluded.status,
                due = excluded.due, run = excluded.run
            WHERE occurrences.unit IS NULL
            """,
            arguments: placement.occurrence.arguments + [
                placement.status.rawValue, placement.due.secondsSince1970, run.number,
            ]
        )
        guard try db.changes() == 1 else {
            throw failed("occurrence \(placement.occurrence) has already started")
        }
    }
}

extension DefinitionChange {
    /// Whether lists may be unused after the change that the definition of its campaign no longer
    /// names.
    fileprivate var mayReplaceLists: Bool {
        switch self {
        case .define, .retire, .rename: true
        case .schedule, .expire, .deferRest, .cancel, .advance, .pin, .approvals, .aim: false
        }
    }

    /// The campaign whose list may be unused after the change, because an occurrence ended.
    fileprivate var ended: CampaignID? {
        switch self {
        case .expire(let id, _), .cancel(let id): id.campaign
        case .define, .retire, .rename, .schedule, .deferRest, .advance, .pin, .approvals, .aim: nil
        }
    }
}

/// An occurrence that did not start, with its new status.
private struct Placement {
    let occurrence: OccurrenceID
    let status: OccurrenceStatus
    let due: Instant

    init(of occurrence: OccurrenceID, status: OccurrenceStatus, due: Instant) {
        self.occurrence = occurrence
        self.status = status
        self.due = due
    }
}
