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
/// A change is recorded before its request, so that an interrupted change is known. It is
/// idempotent and is repeated.
package enum MembershipStatus: UInt8, Hashable, Sendable, CaseIterable {
    case joining = 0
    case joined = 1
    case leaving = 2
    /// FCM rejected the join: the registration is dead or invalid.
    case refused = 3
    /// External: it was in the topic before Herald's first join, and is never removed.
    case external = 4
    /// It was unsubscribed by the app or user.
    case optedOut = 5

    /// Whether it is, or may be, in the topic because of Herald.
    package var isManaged: Bool {
        switch self {
        case .joining, .joined, .leaving: true
        case .refused, .external, .optedOut: false
        }
    }
}

/// Number of an audience's members in a topic, by status.
package struct MembershipSummary: Hashable, Sendable {
    package let audience: AudienceID
    package let topic: Topic
    /// Contains no status with a count of zero.
    package let counts: [MembershipStatus: Int]

    package init(audience: AudienceID, topic: Topic, counts: [MembershipStatus: Int]) {
        self.audience = audience
        self.topic = topic
        self.counts = counts
    }

    /// The total of all statuses.
    package var count: Int { counts.values.reduce(0, +) }

    package var scope: MembershipScope { MembershipScope(audience: audience, topic: topic) }

    package subscript(status: MembershipStatus) -> Int { counts[status] ?? 0 }
}

/// A recorded member with its registration.
package struct RecordedMember: Hashable, Sendable {
    package let member: Member
    package let status: MembershipStatus

    package init(member: Member, status: MembershipStatus) {
        self.member = member
        self.status = status
    }
}

/// One audience's membership in one topic, under which joins, leaves and rejections are recorded.
package struct MembershipScope: Hashable, Sendable {
    package let audience: AudienceID
    package let topic: Topic

    package init(audience: AudienceID, topic: Topic) {
        self.audience = audience
        self.topic = topic
    }
}

/// A registration with its fingerprint.
package struct Member: Hashable, Sendable {
    package let fingerprint: Fingerprint
    package let registration: Registration

    package init(fingerprint: Fingerprint, registration: Registration) {
        self.fingerprint = fingerprint
        self.registration = registration
    }
}

/// The result of a join or leave of one registration.
package struct MembershipResult: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case done
        /// Permanently rejected, with FCM's error, such as `NOT_FOUND`.
        case refused(String)
    }

    package let fingerprint: Fingerprint
    package let verdict: Verdict

    package init(fingerprint: Fingerprint, verdict: Verdict) {
        self.fingerprint = fingerprint
        self.verdict = verdict
    }
}
