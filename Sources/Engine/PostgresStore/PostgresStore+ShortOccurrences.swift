package import State
package import StoreTables

// Many occurrences in one transaction.
extension PostgresStore {
    package func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID
    ) throws(StateStoreError) -> [StartedUnit] {
        try write { db in
            let units = try open(occurrences, in: run, on: db)
            for (occurrence, unit) in zip(occurrences, units) where !occurrence.outcomes.isEmpty {
                _ = try record(
                    occurrence.outcomes,
                    released: occurrence.released,
                    of: stored(unit.id, in: db),
                    in: db
                )
            }
            return units.map { StartedUnit($0, notes: nil) }
        }
    }

    package func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID
    ) throws(StateStoreError) {
        try write { db in try finish(occurrences, in: run, on: db) }
        removeFiles(of: occurrences.map(\.unit))
    }

    package func keepIDs(
        of outcomes: [RequestOutcome],
        in unit: StoredUnit,
        on db: any StateDatabase
    ) throws -> StateStoreError? {
        guard unit.ids != nil, let (prefix, entries) = UnitOutcomes.pack(outcomes) else {
            return nil
        }
        try db.run(
            "INSERT INTO message_ids (unit, prefix, entries) VALUES (?, ?, ?)",
            arguments: [unit.id.number, prefix, entries]
        )
        try db.run(
            "UPDATE units SET ids = ids + ? WHERE id = ?",
            arguments: [entries.count, unit.id.number]
        )
        return nil
    }
}
