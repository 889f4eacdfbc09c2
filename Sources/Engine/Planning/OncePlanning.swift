package import CampaignModel
import State
package import Time

/// Campaigns that are sent at the next apply, or once at a given time.
extension Planner {
    /// Plans the only occurrence, and scheduled occurrences that no longer match it.
    func once(_ history: CampaignHistory) throws(PlanningError) -> [CampaignStep] {
        let campaign = history.campaign
        let id = OccurrenceID(campaign: campaign.id, slot: .once, revision: campaign.revision)
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
        if let last = history.lastRevision(of: .once), last > id.revision {
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
        guard case .at(let moment) = campaign.schedule else {
            return try begin(history, id: id, due: now)
        }
        if moment.instant <= now {
            switch campaign.timeliness.verdict(on: moment.instant, at: now, otherwise: .fail) {
            case .send: return try begin(history, id: id, at: moment)
            case .skip: return .skip(id, moment)
            case .fail: return .expire(id, moment)
            }
        }
        guard let record, record.status == .scheduled else { return .schedule(id, moment) }
        if record.due != moment.instant {
            return .reschedule(id, from: record.due, to: moment)
        }
        return history.isChanged ? .redefine(moment) : .unchanged
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
