package import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) async throws(StateStoreError) -> WorkUnitRecord {
        try await writeTogether { [self] db in
            try open(occurrence, released: nil, in: run, on: db)
        }
    }

    /// `released`: the mark of a first record without outcomes; nil if none is made.
    ///
    /// - Returns: The unit before the record.
    package func open(
        _ occurrence: OpenedOccurrence,
        released: Int?,
        in run: RunID,
        on db: any StateDatabase
    ) throws -> WorkUnitRecord {
        if case .registrations(let list) = occurrence.target {
            try takeList(list, of: occurrence.count, in: db)
        }
        let unit = try makeUnit(occurrence, released: released, in: db)
        try dispatch(occurrence, unit: unit.id, in: run, on: db)
        return unit
    }

    /// Returns the occurrence of a unit.
    package func occurrence(
        with unit: UnitID,
        in db: any StateDatabase
    ) throws -> OccurrenceRecord? {
        try db.row("\(Self.occurrenceQuery) WHERE unit = ?", arguments: [unit.number])
            .map(occurrence)
    }

    private func makeUnit(
        _ occurrence: OpenedOccurrence,
        released: Int?,
        in db: any StateDatabase
    ) throws -> WorkUnitRecord {
        let target = occurrence.target.columns
        let number = try db.insert(
            """
            INSERT INTO units (kind, target, count, intended, block, ids, commits, released)
            VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7)
            """,
            arguments: [
                target.kind, target.text, occurrence.count, StoredUnit.block,
                occurrence.keepsIDs ? 0 : nil, released == nil ? 0 : 1, released ?? 0,
            ]
        )
        var tally = OutcomeTally()
        tally[.intended] = occurrence.count
        return WorkUnitRecord(
            id: UnitID(number: number),
            target: occurrence.target,
            count: occurrence.count,
            released: 0,
            tally: tally,
            keepsIDs: occurrence.keepsIDs
        )
    }

    private func dispatch(
        _ occurrence: OpenedOccurrence,
        unit: UnitID,
        in run: RunID,
        on db: any StateDatabase
    ) throws {
        let message =
            occurrence.isSecret ? try sealer.concealed(occurrence.message) : occurrence.message
        let values: StatementValues = [
            OccurrenceStatus.dispatching.rawValue, occurrence.due.secondsSince1970,
            message, occurrence.deduplicationKey, occurrence.objective?.description,
            occurrence.rollout?.stored.compactText, occurrence.keptUntil?.secondsSince1970,
            unit.number, run.number,
        ]
        try db.run(
            """
            INSERT INTO occurrences (campaign, slot, revision, status, due, message,
                deduplication_key, objective, rollout, kept, unit, run)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (campaign, slot, revision) DO UPDATE SET status = excluded.status,
                due = excluded.due, message = excluded.message,
                deduplication_key = excluded.deduplication_key,
                objective = excluded.objective, rollout = excluded.rollout,
                kept = excluded.kept, unit = excluded.unit, run = excluded.run
            WHERE occurrences.unit IS NULL
            """,
            arguments: occurrence.id.arguments + values
        )
        guard try db.changes() == 1 else {
            throw failed("occurrence \(occurrence.id) has already started")
        }
    }

    package func record(
        _ reached: ReachedObjective,
        of occurrence: OccurrenceID
    ) async throws(StateStoreError) {
        try await writeTogether { [self] db in try record(reached, of: occurrence, in: db) }
    }

    func record(
        _ reached: ReachedObjective,
        of occurrence: OccurrenceID,
        in db: any StateDatabase
    ) throws {
        let values: StatementValues = [reached.objective.description, reached.seconds]
        try db.run(
            """
            UPDATE occurrences SET objective = ?, reached = ?
            WHERE campaign = ? AND slot = ? AND revision = ? AND reached IS NULL
            """,
            arguments: values + occurrence.arguments
        )
    }

    package func close(
        _ occurrence: OccurrenceID,
        as status: OccurrenceStatus
    ) async throws(StateStoreError) {
        try await writeTogether { [self] db in try close(occurrence, as: status, in: db) }
    }

    func close(
        _ occurrence: OccurrenceID,
        as status: OccurrenceStatus,
        in db: any StateDatabase
    ) throws {
        let arguments: StatementValues = [status.rawValue]
        try db.run(
            """
            UPDATE occurrences SET status = ?, hold = NULL
            WHERE campaign = ? AND slot = ? AND revision = ?
            """,
            arguments: arguments + occurrence.arguments
        )
        guard try db.changes() == 1 else { throw failed("there is no \(occurrence)") }
        try db.settleOutcomes(of: occurrence)
        try dropListNobodyNeeds(of: occurrence, in: db)
    }
}
