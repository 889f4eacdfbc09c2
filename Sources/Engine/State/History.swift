package import CampaignModel
package import Time

/// A run as the state's history knows it.
package struct RunRecord: Hashable, Sendable {
    package let id: RunID
    package let worker: Worker
    package let status: RunStatus
    /// Nil while it runs, and for good where its process died.
    package let ended: Instant?
    /// What became of the requests of all its sendings.
    package let tally: OutcomeTally
    /// Why it stopped; never names a registration.
    package let cause: String?
    /// The state's serial from its beginning on; nil of runs of earlier formats.
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

/// What one run added to the outcomes of one occurrence.
package struct RunSending: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let tally: OutcomeTally
    /// How many requests were repeated under policy.
    package let repeated: Int
    /// Requests worth a look, by their kind; the first of them.
    package let problems: [RunProblem]

    package init(
        occurrence: OccurrenceID,
        tally: OutcomeTally,
        repeated: Int = 0,
        problems: [RunProblem] = []
    ) {
        self.occurrence = occurrence
        self.tally = tally
        self.repeated = repeated
        self.problems = problems
    }
}

/// A request of a run that was refused, not answered, or repeated.
package struct RunProblem: Hashable, Sendable {
    /// The raw values are stored: they never change.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case rejected
        case unknown
        case repeated
    }

    package let kind: Kind
    /// The short form of its fingerprint; nil of a topic or condition.
    package let registration: String?
    package let reason: String

    package init(kind: Kind, registration: String?, reason: String) {
        self.kind = kind
        self.registration = registration
        self.reason = reason
    }
}

/// What one run changed of an audience's membership in a topic.
package struct RunMembership: Hashable, Sendable {
    package let scope: MembershipScope
    package let joined: Int
    package let left: Int
    package let refused: Int

    package init(scope: MembershipScope, joined: Int, left: Int, refused: Int) {
        self.scope = scope
        self.joined = joined
        self.left = left
        self.refused = refused
    }
}
