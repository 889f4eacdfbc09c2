package import Time

/// One sending of a campaign: it happens once.
package struct OccurrenceID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let campaign: CampaignID
    package let slot: Slot
    /// Raised by the author to send again on purpose; the first is 1.
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

/// Which of a schedule's sendings is meant.
///
/// An immediate or `at` send has only one. A rule's slot is a local date and time of its zone,
/// such as `2026-11-21T07:30`: clock changes and new time zone data move its moment, not the slot.
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

    /// Of messages sent to test registrations beside all schedules, as often as somebody wants; the
    /// state has no occurrence of it.
    package static let test = Slot(text: "test")

    /// The local date and time of a rule's slot; nil for `once`.
    package var local: CivilDateTime? { CivilDateTime(parsing: text) }
}

/// What is known of one request to FCM.
///
/// The raw values are stored: they never change.
package enum Outcome: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing is recorded: not yet released, or released and still open.
    case intended = 0
    /// FCM took it; that says nothing about delivery.
    case accepted = 1
    case rejected = 2
    /// Released, and nobody can say whether FCM took it.
    case unknown = 3
    case expired = 4
    case suppressed = 5
    case cancelled = 6
    /// Released, but known not to have been sent: it is intended again.
    case returned = 7
}
