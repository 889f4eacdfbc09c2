package import CampaignModel
package import State
package import Time

/// The status of an environment's state at one point in time.
package struct StateOverview: Sendable {
    package let identity: StateIdentity
    package let writer: CurrentWriter
    package let pauses: [Pause]
    package let resolutions: [RequestedResolution]
    /// By campaign, slot and revision; all occurrences of the requested campaigns.
    package let occurrences: [OccurrenceOverview]
    /// The number of occurrences that ended with every outcome known, whether they were selected or
    /// not.
    package let settled: SettledOccurrences
    /// By audience, then topic.
    package let memberships: [MembershipSummary]
    package let deadCount: Int
    /// The processes that were last seen to send what is due, the latest first.
    package let runners: [Runner]
    /// The workers that send from the state together.
    package let fleet: FleetOverview

    package init(
        identity: StateIdentity,
        writer: CurrentWriter,
        pauses: [Pause],
        resolutions: [RequestedResolution],
        occurrences: [OccurrenceOverview],
        settled: SettledOccurrences,
        memberships: [MembershipSummary],
        deadCount: Int,
        runners: [Runner] = [],
        fleet: FleetOverview = .none
    ) {
        self.identity = identity
        self.writer = writer
        self.pauses = pauses
        self.resolutions = resolutions
        self.occurrences = occurrences
        self.settled = settled
        self.memberships = memberships
        self.deadCount = deadCount
        self.runners = runners
        self.fleet = fleet
    }

    /// The due time of the first request that waits at `now`; nil if none waits.
    ///
    /// Pauses, quiet hours and holds are not counted: requests wait for these on purpose.
    package func oldestDue(at now: Instant) -> Instant? {
        occurrences.filter { occurrence in
            let isWaiting =
                switch occurrence.phase {
                case .scheduled: true
                case .underWay: occurrence.counts.notSent > 0
                case .stopped, .held, .finished, .cancelled, .expired: false
                }
            return isWaiting && occurrence.due.instant <= now && occurrence.deferredUntil == nil
                && occurrence.entrusted?.isHeld != true
                && pause(of: occurrence.id.campaign) == nil
        }.map(\.due.instant).min()
    }

    /// Returns the pause that stops a campaign, if there is one.
    package func pause(of campaign: CampaignID) -> Pause? {
        pauses.first { $0.scope == .everything || $0.scope == .campaign(campaign) }
    }
}

/// One recorded occurrence.
package struct OccurrenceOverview: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// It is due later, or has become due since the last apply.
        case scheduled
        /// It has started and has not ended.
        case underWay
        /// It waits for a person to resolve its unknown outcomes.
        case stopped
        case held(Hold)
        case finished
        case cancelled
        case expired
    }

    package let id: OccurrenceID
    package let phase: Phase
    /// Its due time, in the time zone of its schedule.
    package let due: ScheduledMoment
    /// Its work unit, once the send has started.
    package let unit: WorkUnitRecord?
    package let counts: RequestCounts
    /// Number of requests that were accepted after a retry under the policy.
    package let repeated: Int
    /// The outcomes that only the notes of a killed process show, by request; `counts` has them.
    let noted: [Int: RequestOutcome]
    /// Until when quiet hours, or the pause of its rollout, defer the send or its rest; nil if they do not.
    package var deferredUntil: ScheduledMoment?
    /// Nil unless it is sent in stages and has begun.
    package var rollout: RolloutRecord?
    /// Who requested it; nil unless it is a recall.
    package var recall: RecallAuthor?
    /// What the fleet does with it; nil if the fleet does not send it.
    package let entrusted: EntrustedOccurrence?

    package init(
        id: OccurrenceID,
        phase: Phase,
        due: ScheduledMoment,
        unit: WorkUnitRecord?,
        counts: RequestCounts,
        repeated: Int,
        noted: [RequestOutcome] = [],
        deferredUntil: ScheduledMoment? = nil,
        entrusted: EntrustedOccurrence? = nil
    ) {
        self.deferredUntil = deferredUntil
        self.entrusted = entrusted
        self.id = id
        self.phase = phase
        self.due = due
        self.unit = unit
        self.counts = counts
        self.repeated = repeated
        self.noted = Dictionary(uniqueKeysWithValues: noted.map { ($0.index, $0) })
    }
}

extension OccurrenceOverview {
    /// Whether it waits for the next stage of its rollout.
    package var isBetweenStages: Bool {
        deferredUntil.map { $0.instant == rollout?.since } ?? false
    }

    /// Whether it ended with every outcome known.
    package var isSettled: Bool {
        switch phase {
        case .finished, .cancelled, .expired: counts.unknown == 0
        case .scheduled, .underWay, .stopped, .held: false
        }
    }
}

extension SettledOccurrences {
    /// Those among occurrences.
    package init(_ occurrences: [OccurrenceOverview]) {
        let settled = occurrences.filter(\.isSettled)
        self.init(
            finished: settled.count { $0.phase == .finished },
            cancelled: settled.count { $0.phase == .cancelled },
            expired: settled.count { $0.phase == .expired },
            compacted: settled.count { $0.unit?.compacted != nil },
            repeated: settled.reduce(0) { $0 + $1.repeated }
        )
    }
}

/// Number of requests of an occurrence in each state; the counts add up to its size.
package struct RequestCounts: Hashable, Sendable {
    package var notSent = 0
    /// Released, and a process is waiting for the answer.
    package var inFlight = 0
    package var accepted = 0
    package var rejected = 0
    /// Includes requests that a terminated process released.
    package var unknown = 0
    package var expired = 0
    package var suppressed = 0
    package var cancelled = 0

    package init() {}

    /// `isAwaited`: whether the process that released requests without an outcome is still running.
    package init(_ unit: WorkUnitRecord, isAwaited: Bool) {
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

    /// Counts requests whose outcomes a worker of the fleet has not returned as in flight.
    package init(_ entrusted: EntrustedOccurrence) {
        let tally = entrusted.tally
        notSent = max(0, tally[.intended] - entrusted.released) + tally[.returned]
        inFlight = min(tally[.intended], entrusted.released)
        accepted = tally[.accepted]
        rejected = tally[.rejected]
        unknown = tally[.unknown]
        expired = tally[.expired]
        suppressed = tally[.suppressed]
        cancelled = tally[.cancelled]
    }

    /// The requests that may have been sent.
    package var sent: Int { inFlight + accepted + rejected + unknown }

    /// Counts the outcome of a request that was counted as unknown until now.
    mutating func learn(_ outcome: Outcome) {
        unknown -= 1
        switch outcome {
        case .intended, .returned: notSent += 1
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .unknown: unknown += 1
        case .expired: expired += 1
        case .suppressed: suppressed += 1
        case .cancelled: cancelled += 1
        }
    }
}
