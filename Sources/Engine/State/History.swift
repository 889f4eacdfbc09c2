package import CampaignModel
package import Time

/// A run in the state's history.
package struct RunRecord: Hashable, Sendable {
    package let id: RunID
    package let worker: Worker
    package let status: RunStatus
    /// Nil while it runs, and permanently if its process died.
    package let ended: Instant?
    /// The outcomes of all its requests.
    package let tally: OutcomeTally
    /// Why it stopped; never contains a registration.
    package let cause: String?
    /// The state's serial from its start; nil for runs of earlier formats.
    package let serial: StateSerial?

    package init(
        id: RunID,
        worker: Worker,
        status: RunStatus,
        ended: Instant?,
        tally: OutcomeTally,
        cause: String?,
        serial: StateSerial? = nil
    ) {
        self.id = id
        self.serial = serial
        self.worker = worker
        self.status = status
        self.ended = ended
        self.tally = tally
        self.cause = cause
    }
}

/// A run's changes to the outcomes of one occurrence.
package struct RunOccurrence: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let tally: OutcomeTally
    /// Number of requests that were retried under the policy.
    package let repeated: Int
    /// Number of requests that were suppressed because of the frequency cap.
    package let capped: Int
    /// The first problems of each kind.
    package let problems: [RunProblem]

    package init(
        occurrence: OccurrenceID,
        tally: OutcomeTally,
        repeated: Int = 0,
        capped: Int = 0,
        problems: [RunProblem] = []
    ) {
        self.occurrence = occurrence
        self.tally = tally
        self.repeated = repeated
        self.capped = capped
        self.problems = problems
    }
}

/// A request of a run that was rejected, unanswered or retried.
package struct RunProblem: Hashable, Sendable {
    /// The raw values are stored: they never change.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case rejected
        case unknown
        case repeated
    }

    package let kind: Kind
    /// The short form of its fingerprint; nil for a topic or condition.
    package let registration: String?
    package let reason: String

    package init(kind: Kind, registration: String?, reason: String) {
        self.kind = kind
        self.registration = registration
        self.reason = reason
    }
}

/// A run's changes to an audience's membership in a topic.
package struct RunMembership: Hashable, Sendable {
    package let scope: MembershipScope
    package let joined: Int
    package let left: Int
    package let refused: Int
    /// The part of `left` whose own messages caused it.
    package let leftUpstream: Int

    package init(
        scope: MembershipScope,
        joined: Int,
        left: Int,
        refused: Int,
        leftUpstream: Int = 0
    ) {
        self.scope = scope
        self.joined = joined
        self.left = left
        self.refused = refused
        self.leftUpstream = leftUpstream
    }
}
