package import State
package import StoreTables

// Occurrences, many of them in one transaction.
extension PostgresStore {
    package func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) throws(StateStoreError) -> WorkUnitRecord {
        let unit = try write { db in try open(occurrence, released: nil, in: run, on: db) }
        sent.open(occurrence, as: unit.id, mark: 0)
        awaitStandbys()
        return unit
    }

    package func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID
    ) throws(StateStoreError) -> [StartedUnit] {
        let units = try write { db in
            let units = try open(occurrences, in: run, on: db)
            for (occurrence, unit) in zip(occurrences, units) where !occurrence.outcomes.isEmpty {
                _ = try record(
                    occurrence.outcomes,
                    released: occurrence.released,
                    of: stored(unit.id, in: db),
                    in: db
                )
            }
            return units
        }
        for (starting, unit) in zip(occurrences, units) {
            sent.open(starting.occurrence, as: unit.id, mark: 0)
            sent.record(starting.outcomes, released: starting.released, of: unit.id)
        }
        awaitStandbys()
        return units.map { StartedUnit($0, notes: nil) }
    }

    package func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID
    ) throws(StateStoreError) {
        try write { db in try finish(occurrences, in: run, on: db) }
        for occurrence in occurrences {
            sent.record(occurrence.outcomes, released: nil, of: occurrence.unit)
        }
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
