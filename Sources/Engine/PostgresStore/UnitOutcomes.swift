import CampaignModel
import FoundationEssentials
import State
import StoreTables

/// The outcomes of a unit in the memory of its writer.
///
/// They are right as long as the unit's number of commits is the same in the database.
struct UnitOutcomes {
    private(set) var unit: StoredUnit
    private var bytes: [UInt8]

    init(of unit: StoredUnit, bytes: [UInt8]) {
        self.unit = unit
        self.bytes = bytes
    }

    /// A record in the form of the tables.
    struct Change {
        var tally = OutcomeTally()
        var capped = 0
        /// The details to store and, if nil, to remove; not those that are in the block.
        var details: [Int: String?] = [:]
        var block: (bytes: Data, range: Range<Int>)?
        /// The common beginning of the message IDs, and their block; nil without any.
        var ids: (prefix: String, entries: Data)?
    }

    /// Replaces outcomes; all indexes are in the unit.
    mutating func record(_ outcomes: [RequestOutcome]) -> Change? {
        var change = Change()
        var changed: [Int: StoredOutcome] = [:]
        for new in outcomes {
            guard let before = StoredOutcome(byte: bytes[new.index])?.outcome else { return nil }
            let stored = StoredOutcome(new)
            change.tally[before] -= 1
            change.tally[new.outcome] += 1
            bytes[new.index] = stored.byte
            changed[new.index] = stored
            if stored.detail == nil, let detail = new.detail, new.outcome != .intended {
                change.details[new.index] = .some(detail)
            } else if before != .intended {
                change.details[new.index] = .some(nil)
            }
        }
        change.capped = outcomes.count {
            $0.outcome == .suppressed && $0.detail == OutcomeDetail.cap
        }
        change.block = OutcomeBlock.pack(changed)
        if unit.ids != nil { change.ids = Self.pack(outcomes) }
        unit = unit.committedAgain
        return change
    }

    static func pack(_ outcomes: [RequestOutcome]) -> (String, Data)? {
        let entries: [MessageIDBlock.Entry] = outcomes.compactMap { outcome in
            outcome.messageID.map { (request: outcome.index, id: $0) }
        }
        guard !entries.isEmpty else { return nil }
        let block = MessageIDs(entries)
        return (block.prefix, block.entries)
    }
}

/// A row of message IDs: their common prefix, and their block.
struct MessageIDs {
    let prefix: String
    let entries: Data

    init(_ ids: [MessageIDBlock.Entry]) {
        let name = (ids.first?.id ?? "").utf8
        let end = name.lastIndex(of: UInt8(ascii: "/")).map(name.index(after:))
        prefix = String(decoding: name[..<(end ?? name.startIndex)], as: UTF8.self)
        entries = Data(MessageIDBlock.pack(ids, prefix: prefix))
    }
}
