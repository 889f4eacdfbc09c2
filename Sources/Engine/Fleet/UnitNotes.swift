/// The details and message IDs that a driver keeps of a unit, until its machine forgets it.
///
/// A transaction stores those of the requests whose outcomes it records, if it changes the unit. A
/// restoration stores them again, because a failover may have lost them; readers take each ID once.
package struct UnitNotes: Hashable, Sendable {
    package let unit: WorkUnitID
    /// The number of the unit's first request in the occurrence.
    package let first: Int
    /// The details of outcomes, by the request, counted from the first one of the unit.
    package let details: [Int: String]
    /// The IDs of accepted messages, by the request; empty if the campaign keeps none.
    package let messageIDs: [Int: String]

    package init(
        of unit: WorkUnit,
        details: [Int: String] = [:],
        messageIDs: [Int: String] = [:]
    ) {
        self.init(unit.id, first: unit.first, details: details, messageIDs: messageIDs)
    }

    package var isEmpty: Bool { details.isEmpty && messageIDs.isEmpty }

    package init(
        _ unit: WorkUnitID,
        first: Int,
        details: [Int: String],
        messageIDs: [Int: String]
    ) {
        self.unit = unit
        self.first = first
        self.details = details
        self.messageIDs = messageIDs
    }
}
