package import CampaignModel

/// The registrations that messages of devices subscribed, unsubscribed and opted out.
package struct UpstreamStanding: Hashable, Sendable {
    package private(set) var optedOut: Set<Fingerprint>
    /// The registrations that stay out of topics.
    package private(set) var excluded: [Topic: Set<Fingerprint>]
    /// The registrations that rules subscribe, by rule, then fingerprint.
    package private(set) var members: [UpstreamRuleID: [Fingerprint: Registration]]

    package static let none = UpstreamStanding()

    package init(
        optedOut: Set<Fingerprint> = [],
        excluded: [Topic: Set<Fingerprint>] = [:],
        members: [UpstreamRuleID: [Fingerprint: Registration]] = [:]
    ) {
        self.optedOut = optedOut
        self.excluded = excluded
        self.members = members
    }

    /// The registrations that stay out of a topic, sorted.
    package func excluded(from topic: Topic) -> [Fingerprint] {
        optedOut.union(excluded[topic] ?? []).sorted()
    }

    /// Returns the standing after changes; changes that it already has do not matter.
    package func applying(_ changes: [UpstreamChange]) -> UpstreamStanding {
        var standing = self
        for change in changes { standing.apply(change) }
        return standing
    }

    private mutating func apply(_ change: UpstreamChange) {
        switch change {
        case .optOut(let fingerprint, _): optedOut.insert(fingerprint)
        case .subscribe(let member, let topics, let rule):
            members[rule, default: [:]][member.fingerprint] = member.registration
            for topic in topics { excluded[topic]?.remove(member.fingerprint) }
        case .unsubscribe(let fingerprint, let topics, _):
            for topic in topics { excluded[topic, default: []].insert(fingerprint) }
        case .answer, .reply: break
        }
    }
}
