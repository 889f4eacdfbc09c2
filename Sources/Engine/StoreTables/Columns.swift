package import CampaignModel
package import FoundationEssentials
package import State

extension Fingerprint {
    /// 16 bytes in the order of fingerprints.
    package var blob: Data {
        var data = Data(capacity: 16)
        for half in [high, low] {
            withUnsafeBytes(of: half.bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    package init?(blob: Data) {
        guard blob.count == 16 else { return nil }
        self = blob.withUnsafeBytes { bytes in
            Fingerprint(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension OutcomeTally {
    /// The columns of a tally in `units` and `runs`, in the order of `Outcome.allCases`.
    package static let columns =
        "intended, accepted, rejected, unknown, expired, suppressed, cancelled, returned"

    /// The SQL that adds to the column of each outcome.
    package static let additions = columns.split(separator: ", ").map { ", \($0) = \($0) + ?" }

    /// The SQL that replaces the columns of a row by those of a rejected insertion.
    package static let replacements = columns.split(separator: ", ")
        .map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    package var values: [Int] { Outcome.allCases.map { self[$0] } }

    package init(_ row: any StoredRow, from column: Int) throws {
        self.init()
        for (offset, outcome) in Outcome.allCases.enumerated() {
            self[outcome] = try row.decode(Int.self, atIndex: column + offset)
        }
    }
}

extension UnitTarget {
    package static let listKind = 2

    /// The kind is stored: it never changes.
    package var columns: (kind: Int, text: String) {
        switch self {
        case .topic(let topic): (0, topic.name)
        case .condition(let text): (1, text)
        case .registrations(let list): (Self.listKind, list.text)
        case .group(let name): (3, name.text)
        }
    }

    package init?(kind: Int, text: String) {
        switch kind {
        case 0:
            guard let topic = Topic(text) else { return nil }
            self = .topic(topic)
        case 1: self = .condition(text)
        case Self.listKind: self = .registrations(ListID(text: text))
        case 3:
            guard let name = DeviceGroupName(text) else { return nil }
            self = .group(name)
        default: return nil
        }
    }
}

extension OccurrenceID {
    package var arguments: StatementValues { StatementValues(key) }
    package var key: [any StatementConvertible] { [campaign.rawValue, slot.text, revision] }
}
