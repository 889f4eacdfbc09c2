import CampaignModel
package import State

/// The members of a scope by status, and the number of stored records.
package struct SegmentCounts {
    package let records: Int
    package let members: [MembershipStatus: Int]

    package var memberCount: Int { members.values.reduce(0, +) }
}

extension SegmentTables {
    /// Records in memory at the same time while members are counted or read.
    package static let stretch = 131_072

    /// Counts the members of a scope, part by part.
    package func counts(of scope: Int64) throws -> SegmentCounts {
        var (records, counts) = (0, [Int](repeating: 0, count: MembershipStatus.allCases.count))
        for part in try parts(of: scope, dividedBy: Self.stretch) {
            let segments = try self.records(of: scope, in: part)
            records += segments.reduce(0) { $0 + $1.count }
            for record in SegmentMerge.merged(segments) {
                if let status = record.memberStatus { counts[Int(status.rawValue)] += 1 }
            }
        }
        let members = MembershipStatus.allCases.map { ($0, counts[Int($0.rawValue)]) }
        return SegmentCounts(
            records: records,
            members: Dictionary(uniqueKeysWithValues: members.filter { $0.1 > 0 })
        )
    }

    /// The parts of a scope with at most about `size` records each.
    package func parts(of scope: Int64, dividedBy size: Int) throws -> [FingerprintPart] {
        let count = try segments(of: scope).reduce(0) { $0 + $1.count }
        return FingerprintPart.parts(of: count, dividedBy: size)
    }
}
