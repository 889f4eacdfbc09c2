package import CampaignModel
package import JSON
package import Time

/// The result of earlier applies, without registration lists; small enough for memory.
package struct AppliedState: Sendable {
    package let identity: StateIdentity
    /// Nil if the content is not exactly what was read.
    package let version: StateVersion?
    package let definitions: [CampaignID: CampaignDefinition]
    /// Without recalls and replies, which no plan contains.
    package let occurrences: [OccurrenceID: OccurrenceRecord]
    package let memberships: [MembershipSummary]
    /// The time of the last join to each topic, for any audience.
    package let lastJoins: [Topic: Instant]
    package let pauses: [Pause]
    /// Requested resolutions, oldest first.
    package let resolutions: [RequestedResolution]
    /// Number of dead registrations.
    package let deadCount: Int
    package let guards: AppliedGuards
    /// The settings of the environment at the last apply, in the form of `AppliedEnvironment`; nil
    /// before it.
    package let environment: JSONValue?

    package init(
        identity: StateIdentity,
        version: StateVersion? = nil,
        definitions: [CampaignID: CampaignDefinition],
        occurrences: [OccurrenceID: OccurrenceRecord],
        memberships: [MembershipSummary],
        lastJoins: [Topic: Instant] = [:],
        pauses: [Pause],
        resolutions: [RequestedResolution],
        deadCount: Int,
        guards: AppliedGuards = .none,
        environment: JSONValue? = nil
    ) {
        self.identity = identity
        self.version = version
        self.definitions = definitions
        self.occurrences = occurrences
        self.memberships = memberships
        self.lastJoins = lastJoins
        self.pauses = pauses
        self.resolutions = resolutions
        self.deadCount = deadCount
        self.guards = guards
        self.environment = environment
    }
}

/// Identifies the content of a state while it is open: if one store returns the same version twice, nothing was
/// written in between.
package struct StateVersion: Hashable, Sendable {
    private let numbers: [Int]

    /// `numbers`: counters of the store, at least one of which changes with each write.
    package init(numbers: [Int]) {
        self.numbers = numbers
    }
}

/// A campaign in its last applied form.
package struct CampaignDefinition: Hashable, Sendable {
    package let campaign: CampaignID
    /// Everything that decides what the campaign does, in the form of the JSON plan.
    package let content: JSONValue
    /// A rule makes only slots later than this.
    ///
    /// For a single time, when an apply raised the revision after that time had passed; nil if none
    /// did. If recipients have their own times, when an apply raised the revision.
    package let slotsAfter: Instant?
    /// What a run without the files needs to send the campaign; nil if only a run with them can.
    package let sending: StoredSending?

    package init(
        campaign: CampaignID,
        content: JSONValue,
        slotsAfter: Instant? = nil,
        sending: StoredSending? = nil
    ) {
        self.campaign = campaign
        self.content = content
        self.slotsAfter = slotsAfter
        self.sending = sending
    }
}

/// What a run without the files needs to send a campaign.
package struct StoredSending: Hashable, Sendable {
    /// The campaign, in the form of `AppliedCampaign`.
    package let campaign: JSONValue
    /// The stored list that it is sent to; nil if it has none, or if nothing is scheduled.
    package let list: ListID?
    /// Whether the run that applied the definition named the reviewed plan.
    package let isReviewed: Bool

    /// Whether the campaign's messages are sent encrypted; the store encrypts the campaign, too.
    package var isSecret: Bool { campaign["encryption"] != nil }

    package init(campaign: JSONValue, list: ListID?, isReviewed: Bool) {
        self.campaign = campaign
        self.list = list
        self.isReviewed = isReviewed
    }
}

/// One recorded occurrence of a campaign.
package struct OccurrenceRecord: Hashable, Sendable {
    package let id: OccurrenceID
    package let status: OccurrenceStatus
    /// The time from which it may be sent.
    package let due: Instant
    /// The message, fixed at the start of the send; nil before.
    package let message: JSONValue?
    /// The work unit, once the send has started.
    package let unit: WorkUnitRecord?
    /// The key that makes a repeat replace the displayed message instead of stacking.
    package let deduplicationKey: String?
    /// Why the send is stopped, if it is held; a rollout that stopped is one.
    package let hold: Hold?
    /// The objective when the send started, or when it was reached; nil if it had none.
    package let objective: Objective?
    /// The seconds from the due time until FCM had accepted the share of the objective; nil if that
    /// is not recorded.
    package let reachedAfter: Int64?
    /// Nil unless the occurrence is sent in stages and has begun.
    package let rollout: RolloutRecord?
    /// Nil unless the occurrence is a recall.
    package let recall: RecallAuthor?

    package init(
        id: OccurrenceID,
        status: OccurrenceStatus,
        due: Instant,
        message: JSONValue?,
        unit: WorkUnitRecord?,
        deduplicationKey: String? = nil,
        hold: Hold? = nil,
        objective: Objective? = nil,
        reachedAfter: Int64? = nil,
        rollout: RolloutRecord? = nil,
        recall: RecallAuthor? = nil
    ) {
        self.id = id
        self.status = status
        self.due = due
        self.message = message
        self.unit = unit
        self.deduplicationKey = deduplicationKey
        self.hold = hold ?? (rollout?.isStopped == true ? .rollout : nil)
        self.objective = objective
        self.reachedAfter = reachedAfter
        self.rollout = rollout
        self.recall = recall
    }
}

/// The raw values are stored: they never change.
package enum OccurrenceStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// It is due later.
    case scheduled = 0
    /// It has started and has not ended.
    case dispatching = 1
    /// All its requests have a final outcome.
    case finished = 2
    /// Removed before its due time, or during its send.
    case cancelled = 3
    /// Its time passed and nothing was sent.
    case expired = 4
}
