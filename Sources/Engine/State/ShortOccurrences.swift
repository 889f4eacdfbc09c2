/// An occurrence that is opened together with its first record.
package struct StartingOccurrence: Hashable, Sendable {
    package let occurrence: OpenedOccurrence
    /// The outcomes of requests that are skipped.
    package let outcomes: [RequestOutcome]
    /// The high-water mark; at least 1.
    package let released: Int

    package init(
        _ occurrence: OpenedOccurrence,
        outcomes: [RequestOutcome] = [],
        released: Int
    ) {
        self.occurrence = occurrence
        self.outcomes = outcomes
        self.released = released
    }
}

/// The work unit of an occurrence that was opened together with its first record.
package struct StartedUnit: Sendable {
    /// The unit before the record.
    package let unit: WorkUnitRecord
    /// Nil if this machine cannot keep notes.
    package let notes: (any FlightNotes)?

    package init(_ unit: WorkUnitRecord, notes: (any FlightNotes)?) {
        self.unit = unit
        self.notes = notes
    }
}

/// An occurrence that finishes together with its last record.
package struct FinishingOccurrence: Hashable, Sendable {
    package let unit: UnitID
    /// The outcomes that are not recorded yet.
    package let outcomes: [RequestOutcome]
    /// What the run did, for its history.
    package let sending: RunOccurrence
    /// Nil if the share of its objective is not accepted, or if it has none.
    package let reached: ReachedObjective?

    package init(
        unit: UnitID,
        outcomes: [RequestOutcome],
        sending: RunOccurrence,
        reached: ReachedObjective? = nil
    ) {
        self.unit = unit
        self.outcomes = outcomes
        self.sending = sending
        self.reached = reached
    }
}
