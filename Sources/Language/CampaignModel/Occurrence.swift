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

    /// - Parameter text: The description of an occurrence; nil if it has another form.
    package init?(parsing text: String) {
        // The slot of a time zone contains slashes.
        guard let first = text.firstIndex(of: "/"), let last = text.lastIndex(of: "/"),
            first < last,
            let campaign = CampaignID(String(text[..<first])),
            let revision = Int(text[text.index(after: last)...])
        else { return nil }
        let slot = text[text.index(after: first)..<last]
        let isSlot = !slot.isEmpty && slot.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isSlot, (1..<1_000_000_000_000_000_000).contains(revision) else { return nil }
        self.init(campaign: campaign, slot: Slot(text: String(slot)), revision: revision)
        guard description == text else { return nil }
    }

    /// The occurrence that takes this one back.
    package var recall: OccurrenceID {
        OccurrenceID(campaign: campaign, slot: slot.recall, revision: revision)
    }

    /// The occurrence that this one takes back; nil if it is not a recall.
    package var recalled: OccurrenceID? {
        slot.recalled.map { OccurrenceID(campaign: campaign, slot: $0, revision: revision) }
    }

    package static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
        (left.campaign, left.slot.text, left.revision)
            < (right.campaign, right.slot.text, right.revision)
    }
}

/// An occurrence's position in its schedule.
///
/// An immediate or `at` send has only one. The slot of a rule is a local date and time in its zone,
/// such as `2026-11-21T07:30`. A campaign that follows the time zones of its recipients has each of
/// them once per zone, such as `2026-11-21T07:30[Asia/Kolkata]`. If rows contain their times, the slot
/// is their text, with the zone of a local time. Clock changes and new time zone data
/// move the due time, not the slot.
package struct Slot: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// The slot of a rule; `zone`: that of its recipients, if there is one slot per zone.
    package init(_ local: CivilDateTime, in zone: String? = nil) {
        text = "\(local.date)T\(local.time)" + Self.suffix(zone)
    }

    /// The only slot of the recipients in a zone.
    package static func once(in zone: String) -> Slot { Slot(text: "once" + suffix(zone)) }

    private static func suffix(_ zone: String?) -> String { zone.map { "[\($0)]" } ?? "" }

    package static let once = Slot(text: "once")

    /// The slot of messages to test registrations, outside of all schedules and any number of
    /// times.
    ///
    /// The state has no occurrence for it.
    package static let test = Slot(text: "test")

    /// What the slot of a recall begins with; the rest is the slot that is taken back.
    ///
    /// Stored: it never changes.
    package static let recallMark = "recall:"

    /// The slot of the recall of an occurrence in this slot.
    package var recall: Slot { Slot(text: Self.recallMark + text) }

    /// Whether an occurrence in this slot takes another one back.
    package var isRecall: Bool { text.hasPrefix(Self.recallMark) }

    /// The slot that is taken back; nil unless this is the slot of a recall.
    package var recalled: Slot? {
        isRecall ? Slot(text: String(text.dropFirst(Self.recallMark.count))) : nil
    }

    /// What the slot of replies to messages of devices begins with; the rest names the first message.
    ///
    /// Stored: it never changes.
    package static let replyMark = "reply:"

    /// The slot of replies whose first message has this place in an inbox.
    package static func reply(to number: Int64, in inbox: String) -> Slot {
        Slot(text: "\(replyMark)\(inbox.prefix(8))-\(number)")
    }

    /// Whether an occurrence in this slot answers messages of devices.
    package var isReply: Bool { text.hasPrefix(Self.replyMark) }

    /// The local date and time of a rule's slot; nil for `once`.
    package var local: CivilDateTime? { CivilDateTime(parsing: name) }

    /// The time zone of the recipients; nil if the slot is that of all recipients.
    package var zone: String? {
        guard text.last == "]", let start = text.firstIndex(of: "[") else { return nil }
        return String(text[text.index(after: start)...].dropLast())
    }

    /// The slot of all recipients at the same local time.
    package var withoutZone: Slot { Slot(text: String(name)) }

    /// What the slots of all recipients have in common: the local time, or `at_column`.
    package var family: Slot { isOfOwnTime ? Slot(text: "at_column") : withoutZone }

    /// Whether it is the time in the rows of its recipients.
    package var isOfOwnTime: Bool {
        !isOnly && !isOfRule && !isRecall && !isReply && self != .test
    }

    /// What distinguishes the slots of different recipients: their zone, or the whole slot if it is
    /// the time in their rows; nil if all recipients share the slot.
    package var part: String? { isOfOwnTime ? text : zone }

    /// Whether it is a local time as `init(_:in:)` writes it, without or with seconds.
    ///
    /// A time in a row has a space, or ends with an offset and is longer.
    private var isOfRule: Bool {
        let name = Array(name.utf8)
        return (name.count == 16 || name.count == 19) && name[10] == UInt8(ascii: "T")
    }

    /// Whether the schedule has no other slot for the same recipients.
    package var isOnly: Bool { name == "once" }

    /// The slot without the zone.
    private var name: Substring { text.prefix { $0 != "[" } }
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
