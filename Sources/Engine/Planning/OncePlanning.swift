import CampaignModel
import State
import Time

/// Campaigns that are sent at the next apply, or at one moment.
extension Planner {
    /// What becomes of the only occurrence, and of scheduled ones that are not it any more.
    func once(_ history: CampaignHistory) throws(PlanningError) -> [CampaignStep] {
        let campaign = history.campaign
        let id = OccurrenceID(campaign: campaign.id, slot: .once, revision: campaign.revision)
        let record = history.record(id)
        let others = history.scheduled.filter { $0.id != id }
        let steps = others.map { CampaignStep.unschedule($0.id, due: $0.due) }
        guard record?.status != .dispatching else { return steps }
        return steps + [try step(history, id, record)]
    }

    private func step(
        _ history: CampaignHistory,
        _ id: OccurrenceID,
        _ record: OccurrenceRecord?
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
            return try firstSending(history, id, record)
        }
    }

    /// What becomes of a campaign of which nothing was sent yet.
    private func firstSending(
        _ history: CampaignHistory,
        _ id: OccurrenceID,
        _ record: OccurrenceRecord?
    ) throws(PlanningError) -> CampaignStep {
        let campaign = history.campaign
        if let expires = campaign.delivery.expires, expires.instant <= now {
            return .outlive(id, expires)
        }
        guard case .at(let moment) = campaign.schedule else {
            return try begin(history, id, due: now)
        }
        if moment.instant <= now {
            switch campaign.timeliness.verdict(on: moment.instant, at: now, otherwise: .fail) {
            case .send: return try begin(history, id, at: moment)
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

extension Timeliness {
    func isLate(_ moment: Instant, at now: Instant) -> Bool {
        now.seconds(since: moment) > lateAfter
    }

    /// What becomes of something that was due at a moment; `send` where it is not late.
    ///
    /// Behind `until` nothing is sent, whatever `late` says; what is due at `until` itself still
    /// has until it is late.
    func verdict(on moment: Instant, at now: Instant, otherwise: Late) -> Late {
        let policy = late ?? otherwise
        let isLate = isLate(moment, at: now)
        if let until, now > until, isLate || moment < until {
            return policy == .send ? .skip : policy
        }
        return isLate ? policy : .send
    }
}
