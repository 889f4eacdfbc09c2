package import CampaignModel
package import State

/// Differences between FCM's answers and the recorded members.
package struct MembershipFindings: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// Herald joined this registration, and it is no longer in the topic: opted out.
        case leftByHimself
        /// The registration had left and is in the topic again, but not through Herald: external.
        case isBack
        /// The registration was in the topic before Herald's first join and has left: nothing to
        /// record.
        case externalLeft
    }

    private var scopes: [MembershipScope: [Fingerprint: Finding]] = [:]

    package init() {}

    package var isEmpty: Bool { scopes.isEmpty }

    package func changes(_ scope: MembershipScope) -> Bool { scopes[scope] != nil }

    package mutating func add(
        _ finding: Finding,
        of fingerprint: Fingerprint,
        in scope: MembershipScope
    ) {
        scopes[scope, default: [:]][fingerprint] = finding
    }

    /// Sorted by audience, then topic, with sorted fingerprints.
    package var all: [(scope: MembershipScope, found: [(Fingerprint, Finding)])] {
        scopes.map { scope, found in
            (scope, found.map { ($0, $1) }.sorted { $0.0 < $1.0 })
        }.sorted {
            ($0.0.audience.rawValue, $0.0.topic.name) < ($1.0.audience.rawValue, $1.0.topic.name)
        }
    }

    /// Returns the members as they are after this is recorded.
    func applied(to members: [Membership], in scope: MembershipScope) -> [Membership] {
        guard let found = scopes[scope] else { return members }
        return members.compactMap { member in
            switch found[member.fingerprint] {
            case nil: member
            case .leftByHimself: Membership(fingerprint: member.fingerprint, status: .optedOut)
            case .isBack: Membership(fingerprint: member.fingerprint, status: .external)
            case .externalLeft: nil
            }
        }
    }
}
