package import CampaignModel

/// A registration that an audience keeps subscribed to a topic.
package struct Membership: Hashable, Sendable {
    package let fingerprint: Fingerprint
    package let status: MembershipStatus

    package init(fingerprint: Fingerprint, status: MembershipStatus) {
        self.fingerprint = fingerprint
        self.status = status
    }
}

/// The raw values are stored: they never change.
///
/// A change is recorded before its request leaves, so that what a crash cut off is known and, being
/// idempotent, done again.
package enum MembershipStatus: UInt8, Hashable, Sendable, CaseIterable {
    case joining = 0
    case joined = 1
    case leaving = 2
    /// FCM refused to subscribe it: the registration is dead or no registration at all.
    case refused = 3
    /// It was in the topic before our first join: not ours, and never removed.
    case foreign = 4
    /// It left by itself.
    case optedOut = 5

    /// Whether it is in the topic, or may be, because we asked for it.
    package var isOurs: Bool {
        switch self {
        case .joining, .joined, .leaving: true
        case .refused, .foreign, .optedOut: false
        }
    }
}

/// How many members an audience has in a topic, by status.
package struct MembershipSummary: Hashable, Sendable {
    package let audience: AudienceID
    package let topic: Topic
    /// A status that nobody has is not in it.
    package let counts: [MembershipStatus: Int]

    package init(audience: AudienceID, topic: Topic, counts: [MembershipStatus: Int]) {
        self.audience = audience
        self.topic = topic
        self.counts = counts
    }

    /// All of them, whatever their status.
    package var count: Int { counts.values.reduce(0, +) }

    package var scope: MembershipScope { MembershipScope(audience: audience, topic: topic) }

    package subscript(status: MembershipStatus) -> Int { counts[status] ?? 0 }
}

/// A member as it is recorded, with its registration.
package struct RecordedMember: Hashable, Sendable {
    package let member: Member
    package let status: MembershipStatus

    package init(member: Member, status: MembershipStatus) {
        self.member = member
        self.status = status
    }
}

/// One audience's membership in one topic: what joins, leaves and refusals are recorded under.
package struct MembershipScope: Hashable, Sendable {
    package let audience: AudienceID
    package let topic: Topic

    package init(audience: AudienceID, topic: Topic) {
        self.audience = audience
        self.topic = topic
    }
}

/// A registration together with what stands for it.
package struct Member: Hashable, Sendable {
    package let fingerprint: Fingerprint
    package let registration: Registration

    package init(fingerprint: Fingerprint, registration: Registration) {
        self.fingerprint = fingerprint
        self.registration = registration
    }
}

/// What became of a join or leave of one registration.
package struct MembershipResult: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case done
        /// Refused for good, with FCM's word for it, such as `NOT_FOUND`.
        case refused(String)
    }

    package let fingerprint: Fingerprint
    package let verdict: Verdict

    package init(fingerprint: Fingerprint, verdict: Verdict) {
        self.fingerprint = fingerprint
        self.verdict = verdict
    }
}
