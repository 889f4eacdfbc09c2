package import CampaignModel
package import State

/// What is going on in an environment's state, at one moment.
package struct StateOverview: Sendable {
    package let identity: StateIdentity
    package let writer: CurrentWriter
    package let pauses: [Pause]
    package let resolutions: [RequestedResolution]
    /// By campaign, slot and revision; every one of the campaigns asked for.
    package let occurrences: [OccurrenceOverview]
    /// By audience, then topic.
    package let memberships: [MembershipSummary]
    package let deadCount: Int

    package init(
        identity: StateIdentity,
        writer: CurrentWriter,
        pauses: [Pause],
        resolutions: [RequestedResolution],
        occurrences: [OccurrenceOverview],
        memberships: [MembershipSummary],
        deadCount: Int
    ) {
        self.identity = identity
        self.writer = writer
        self.pauses = pauses
        self.resolutions = resolutions
        self.occurrences = occurrences
        self.memberships = memberships
        self.deadCount = deadCount
    }

    /// The pause that keeps a campaign from being sent, where there is one.
    package func pause(of campaign: CampaignID) -> Pause? {
        pauses.first { $0.scope == .everything || $0.scope == .campaign(campaign) }
    }
}

/// One sending as the state knows it.
package struct OccurrenceOverview: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Its moment lies ahead, or came and no apply has run since.
        case scheduled
        /// Its sending began and has not ended.
        case underWay
        /// It waits for a person to settle what is unknown of it.
        case stopped
        case held(Hold)
        case finished
        case cancelled
        case expired
    }

    package let id: OccurrenceID
    package let phase: Phase
    /// From when it may be sent, by the clock of its schedule's zone.
    package let due: ScheduledMoment
    /// What its work is, once the sending began.
    package let unit: UnitRecord?
    package let counts: RequestCounts
    /// How many requests were accepted after having been repeated under policy.
    package let repeated: Int

    package init(
        id: OccurrenceID,
        phase: Phase,
        due: ScheduledMoment,
        unit: UnitRecord?,
        counts: RequestCounts,
        repeated: Int
    ) {
        self.id = id
        self.phase = phase
        self.due = due
        self.unit = unit
        self.counts = counts
        self.repeated = repeated
    }
}

/// How many requests of a sending are where; the counts add up to its size.
package struct RequestCounts: Hashable, Sendable {
    package var notSent = 0
    /// Released, and somebody is waiting for the answer.
    package var inFlight = 0
    package var accepted = 0
    package var rejected = 0
    /// Also what was released by somebody who is gone.
    package var unknown = 0
    package var expired = 0
    package var suppressed = 0
    package var cancelled = 0

    package init() {}

    /// `isAwaited`: whether whoever released requests without an outcome is there to
    ///   record one.
    package init(_ unit: UnitRecord, isAwaited: Bool) {
        let tally = unit.tally
        notSent = tally[.intended] - unit.open + tally[.returned]
        inFlight = isAwaited ? unit.open : 0
        accepted = tally[.accepted]
        rejected = tally[.rejected]
        unknown = tally[.unknown] + (isAwaited ? 0 : unit.open)
        expired = tally[.expired]
        suppressed = tally[.suppressed]
        cancelled = tally[.cancelled]
    }
}
