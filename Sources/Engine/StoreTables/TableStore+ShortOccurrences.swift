package import State

// Many occurrences in one transaction.
extension TableStore {
    /// Opens occurrences; the first record of those with outcomes is missing.
    ///
    /// - Returns: The units before their first records, in the same order.
    package func open(
        _ occurrences: [StartingOccurrence],
        in run: RunID,
        on db: any StateDatabase
    ) throws -> [WorkUnitRecord] {
        try occurrences.map { starting in
            let isPlain = starting.outcomes.isEmpty
            return try open(
                starting.occurrence,
                released: isPlain ? starting.released : nil,
                in: run,
                on: db
            )
        }
    }

    /// Makes the last records of occurrences, whose units keep no message IDs, and closes them.
    ///
    /// `noting`: called with each unit before its record.
    package func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID,
        on db: any StateDatabase,
        noting: (StoredUnit) -> Void = { _ in }
    ) throws {
        for occurrence in occurrences {
            let unit = try stored(occurrence.unit, in: db)
            noting(unit)
            _ = try record(occurrence.outcomes, released: nil, of: unit, in: db)
            try record(occurrence.sending, in: run, on: db)
            if let reached = occurrence.reached {
                try record(reached, of: occurrence.sending.occurrence, in: db)
            }
            try close(occurrence.sending.occurrence, as: .finished, in: db)
        }
    }
}
