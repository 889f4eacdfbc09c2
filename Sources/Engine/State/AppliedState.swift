package import CampaignModel
package import JSON
package import Time

/// What the last applies left behind, lists of registrations aside: small enough to hold.
package struct AppliedState: Sendable {
    package let identity: StateIdentity
    package let definitions: [CampaignID: CampaignDefinition]
    package let occurrences: [OccurrenceID: OccurrenceRecord]
    package let memberships: [MembershipSummary]
    /// When somebody joined each topic last, for whatever audience.
    package let lastJoins: [Topic: Instant]
    package let pauses: [Pause]
    /// What the writer was asked to resolve, the oldest first.
    package let resolutions: [RequestedResolution]
    /// How many registrations FCM called dead.
    package let deadCount: Int
    package let guards: AppliedGuards

    package init(
        identity: StateIdentity,
        definitions: [CampaignID: CampaignDefinition],
        occurrences: [OccurrenceID: OccurrenceRecord],
        memberships: [MembershipSummary],
        lastJoins: [Topic: Instant] = [:],
        pauses: [Pause],
        resolutions: [RequestedResolution],
        deadCount: Int,
        guards: AppliedGuards = .none
    ) {
        self.identity = identity
        self.definitions = definitions
        self.occurrences = occurrences
        self.memberships = memberships
        self.lastJoins = lastJoins
        self.pauses = pauses
        self.resolutions = resolutions
        self.deadCount = deadCount
        self.guards = guards
    }
}

/// A campaign as it was last applied.
package struct CampaignDefinition: Hashable, Sendable {
    package let campaign: CampaignID
    /// Everything that decides what the campaign does, in the form of the JSON plan.
    package let content: JSONValue
    /// A rule makes only slots later than this; nil without a rule.
    package let slotsAfter: Instant?

    package init(campaign: CampaignID, content: JSONValue, slotsAfter: Instant? = nil) {
        self.campaign = campaign
        self.content = content
        self.slotsAfter = slotsAfter
    }
}

/// One sending of a campaign as the state knows it.
package struct OccurrenceRecord: Hashable, Sendable {
    package let id: OccurrenceID
    package let status: OccurrenceStatus
    /// The moment from which it may be sent.
    package let due: Instant
    /// What is sent, fixed when the sending began; nil before.
    package let message: JSONValue?
    /// The work of it, once the sending began.
    package let unit: UnitRecord?
    /// What makes a repeat replace on the device instead of stacking, where something is shown.
    package let deduplicationKey: String?
    /// Why its sending goes no further, where it was stopped for it.
    package let hold: Hold?

    package init(
        id: OccurrenceID,
        status: OccurrenceStatus,
        due: Instant,
        message: JSONValue?,
        unit: UnitRecord?,
        deduplicationKey: String? = nil,
        hold: Hold? = nil
    ) {
        self.id = id
        self.status = status
        self.due = due
        self.message = message
        self.unit = unit
        self.deduplicationKey = deduplicationKey
        self.hold = hold
    }
}

/// The raw values are stored: they never change.
package enum OccurrenceStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// Its moment lies ahead.
    case scheduled = 0
    /// Its sending began and has not ended.
    case dispatching = 1
    /// Every request of it has an outcome that is final.
    case finished = 2
    /// Taken away before its moment, or in the middle of its sending.
    case cancelled = 3
    /// Its moment passed and nothing was sent.
    case expired = 4
}
