package import CampaignModel
import State
package import Time

/// Campaigns that are sent at the next apply, or once at a given time.
extension Planner {
    /// Plans the only occurrence, and scheduled occurrences that no longer match it.
    func once(_ history: CampaignHistory) throws(PlanningError) -> [CampaignStep] {
        guard let id = history.campaign.onlyOccurrence else {
            preconditionFailure("a campaign with several occurrences was planned as one")
        }
        let record = history.record(id)
        let others = history.scheduled.filter { $0.id != id }
        let steps = others.map { CampaignStep.unschedule($0.id, due: $0.due) }
        guard record?.status != .dispatching else { return steps }
        return steps + [try step(in: history, id: id, record: record)]
    }

    private func step(
        in history: CampaignHistory,
        id: OccurrenceID,
        record: OccurrenceRecord?
    ) throws(PlanningError) -> CampaignStep {
        let isChanged = history.isChanged
        if history.wasSentOtherwise, record?.happened != true {
            return isChanged ? .alreadySent : .unchanged
        }
        if let last = history.lastRevision(of: id.slot), last > id.revision {
            return isChanged ? .lowered(id.revision, sent: last) : .unchanged
        }
        switch record?.status {
        case .finished, .dispatching: return isChanged ? .alreadySent : .unchanged
        case .expired where !isChanged: return .unchanged
        case .cancelled where record?.unit != nil: return isChanged ? .alreadySent : .unchanged
        case .scheduled, .expired, .cancelled, nil:
            return try firstSending(in: history, id: id, record: record)
        }
    }

    /// Plans a campaign that has not been sent yet.
    private func firstSending(
        in history: CampaignHistory,
        id: OccurrenceID,
        record: OccurrenceRecord?
    ) throws(PlanningError) -> CampaignStep {
        let campaign = history.campaign
        if let expires = campaign.delivery.expires, expires.instant <= now {
            return .outlive(id, expires)
        }
        let times = try dueTimes(of: campaign)
        guard case .at(let moment) = campaign.schedule else {
            return try immediate(in: history, id: id, record: record, times: times)
        }
        let due = times.due(
            at: moment.instant,
            for: id,
            recorded: history.due(of: record),
            now: now
        )
        let shown = times.scheduled(due, insteadOf: moment)
        let base = times.base(of: moment.instant, for: id)
        if base <= now,
            times.isOver(due: due, after: base, expires: campaign.delivery.expires?.instant)
        {
            return .expire(id, shown)
        }
        if due > now { return schedule(id, at: shown, record: record, in: history) }
        switch campaign.timeliness.verdict(on: due, at: now, otherwise: .fail) {
        case .skip: return .skip(id, shown)
        case .fail: return .expire(id, shown)
        case .send:
            if let end = times.hold(of: id)?.end(at: now) {
                return schedule(id, at: times.scheduled(end), record: record, in: history)
            }
            return try begin(history, id: id, at: shown)
        }
    }

    /// Plans a campaign that is sent at the next apply, or after quiet hours.
    private func immediate(
        in history: CampaignHistory,
        id: OccurrenceID,
        record: OccurrenceRecord?,
        times: DueTimes
    ) throws(PlanningError) -> CampaignStep {
        let recorded = record.flatMap { $0.status == .scheduled ? $0.due : nil }
        guard let hold = times.hold(of: id) else {
            return try beginUnscheduled(history, id: id, due: recorded, times: times)
        }
        let due = hold.deferral.due(recorded ?? now, at: now)
        if let end = due > now ? due : hold.end(at: now) {
            return schedule(id, at: times.scheduled(end), record: record, in: history)
        }
        return try beginUnscheduled(history, id: id, due: recorded.map { _ in due }, times: times)
    }

    /// Starts a campaign without a schedule: a run from the state at its due time, which begins its
    /// lifetime, and another run now.
    ///
    /// `due`: nil if it is not in the state.
    private func beginUnscheduled(
        _ history: CampaignHistory,
        id: OccurrenceID,
        due: Instant?,
        times: DueTimes
    ) throws(PlanningError) -> CampaignStep {
        guard isFromState, let due, due <= now else {
            return try begin(history, id: id, due: now)
        }
        return try begin(history, id: id, at: times.scheduled(due))
    }

    /// Leaves an occurrence in the state until its due time.
    private func schedule(
        _ id: OccurrenceID,
        at moment: ScheduledMoment,
        record: OccurrenceRecord?,
        in history: CampaignHistory
    ) -> CampaignStep {
        guard let record, record.status == .scheduled else { return .schedule(id, moment) }
        if record.due != moment.instant {
            return .reschedule(id, from: record.due, to: moment)
        }
        return history.isChanged ? .redefine(id, moment) : .unchanged
    }
}

extension LatePolicy {
    func isLate(_ moment: Instant, at now: Instant) -> Bool {
        now.seconds(since: moment) > lateAfter
    }

    /// Decides what to do with an occurrence that was due at `moment`: `send` if it is not late.
    ///
    /// After `until` nothing is sent, regardless of `late`. An occurrence that is due exactly at
    /// `until` may still be sent until it is late.
    package func verdict(on moment: Instant, at now: Instant, otherwise: Late) -> Late {
        let policy = late ?? otherwise
        let isLate = isLate(moment, at: now)
        if let until, now > until, isLate || moment < until {
            return policy == .send ? .skip : policy
        }
        return isLate ? policy : .send
    }
}
