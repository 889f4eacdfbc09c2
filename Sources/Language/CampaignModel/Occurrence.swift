package import Time

/// Identifies one planned send of a campaign, which happens once.
package struct OccurrenceID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let campaign: CampaignID
    package let slot: Slot
    /// The author raises it to send again on purpose; the first is 1.
    package let revision: Int

    package init(campaign: CampaignID, slot: Slot, revision: Int) {
        self.campaign = campaign
        self.slot = slot
        self.revision = revision
    }

    package var description: String { "\(campaign)/\(slot.text)/\(revision)" }

    package static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
        (left.campaign, left.slot.text, left.revision)
            < (right.campaign, right.slot.text, right.revision)
    }
}

/// An occurrence's position in its schedule.
///
/// An immediate or `at` send has only one. The slot of a rule is a local date and time in its zone,
/// such as `2026-11-21T07:30`. Clock changes and new time zone data move the due time, not the
/// slot.
package struct Slot: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// The slot of a rule.
    package init(_ local: CivilDateTime) {
        text = "\(local.date)T\(local.time)"
    }

    package static let once = Slot(text: "once")

    /// The slot of messages to test registrations, outside of all schedules and any number of
    /// times.
    ///
    /// The state has no occurrence for it.
    package static let test = Slot(text: "test")

    /// The local date and time of a rule's slot; nil for `once`.
    package var local: CivilDateTime? { CivilDateTime(parsing: text) }
}

/// The outcome of one request to FCM.
///
/// The raw values are stored: they must never change.
package enum Outcome: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing is recorded: not yet released, or released and still open.
    case intended = 0
    /// FCM took it, which does not imply delivery.
    case accepted = 1
    case rejected = 2
    /// Released, and FCM's decision cannot be determined.
    case unknown = 3
    case expired = 4
    case suppressed = 5
    case cancelled = 6
    /// Released, but known not to have been sent; it is intended again.
    case returned = 7
}
