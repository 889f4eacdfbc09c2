package import CampaignModel
package import State

/// What FCM said of recorded members, where it is not what the state says.
package struct MembershipFindings: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// We joined him and he is gone: opted out.
        case leftByHimself
        /// He had left and is there again, not by us: foreign.
        case isBack
        /// He was there before us and is gone: nothing to keep.
        case foreignLeft
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

    /// By audience, then topic; the fingerprints sorted.
    package var all: [(scope: MembershipScope, found: [(Fingerprint, Finding)])] {
        scopes.map { scope, found in
            (scope, found.map { ($0, $1) }.sorted { $0.0 < $1.0 })
        }.sorted {
            ($0.0.audience.rawValue, $0.0.topic.name) < ($1.0.audience.rawValue, $1.0.topic.name)
        }
    }

    /// The members as they are once this is recorded.
    func applied(to members: [Membership], in scope: MembershipScope) -> [Membership] {
        guard let found = scopes[scope] else { return members }
        return members.compactMap { member in
            switch found[member.fingerprint] {
            case nil: member
            case .leftByHimself: Membership(fingerprint: member.fingerprint, status: .optedOut)
            case .isBack: Membership(fingerprint: member.fingerprint, status: .foreign)
            case .foreignLeft: nil
            }
        }
    }
}
