package import CampaignModel

/// The statuses of registrations in one topic, for any audience.
///
/// 17 bytes per recorded registration, because a first join may be a whole list.
package struct MembershipStandings: Hashable, Sendable {
    /// Sorted.
    private let fingerprints: [Fingerprint]
    private let sets: [StatusSet]

    /// The statuses that one registration has for different audiences.
    package struct StatusSet: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package init(_ status: MembershipStatus) {
            rawValue = 1 << status.rawValue
        }

        fileprivate var statuses: Set<MembershipStatus> {
            Set(MembershipStatus.allCases.filter { contains(StatusSet($0)) })
        }
    }

    package static let none = MembershipStandings(of: [], sets: [])

    /// `sets`: one for each of the sorted fingerprints; empty ones are omitted.
    package init(of fingerprints: [Fingerprint], sets: [StatusSet]) {
        let recorded = sets.indices.filter { !sets[$0].isEmpty }
        self.fingerprints = recorded.map { fingerprints[$0] }
        self.sets = recorded.map { sets[$0] }
    }

    package init(_ statuses: [Fingerprint: Set<MembershipStatus>]) {
        let sorted = statuses.sorted { $0.key < $1.key }
        self.init(
            of: sorted.map(\.key),
            sets: sorted.map { entry in
                entry.value.reduce(into: StatusSet()) { $0.formUnion(StatusSet($1)) }
            }
        )
    }

    package var isEmpty: Bool { fingerprints.isEmpty }

    /// Nil for a registration without a record.
    package subscript(fingerprint: Fingerprint) -> Set<MembershipStatus>? {
        fingerprints.sortedIndex(of: fingerprint).map { sets[$0].statuses }
    }
}
