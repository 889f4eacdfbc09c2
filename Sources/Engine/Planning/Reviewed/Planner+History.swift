import CampaignModel
import FCMWire
import JSON
import RegistrationLists
import State
import Time

extension Planner {
    /// Returns the campaign with its recorded state.
    ///
    /// A list that grew after the last send is not a change of the campaign, because the campaign
    /// sends nothing more.
    func history(
        of campaign: Campaign,
        applied: AppliedState,
        records: [OccurrenceRecord]
    ) -> CampaignHistory {
        let history = CampaignHistory(
            of: campaign,
            applied: applied,
            records: records,
            list: list(of: campaign).flatMap { try? surveys[$0]?.get() }
        )
        guard history.recorded != nil, history.isChanged else { return history }
        switch campaign.schedule {
        case .repeating(let schedule): return keepingRule(schedule, in: history)
        case .immediate, .at: return keepingOnce(history)
        }
    }

    private func list(of campaign: Campaign) -> RegistrationList? {
        guard case .registrations(let list) = campaign.target else { return nil }
        return list
    }

    private func keepingOnce(_ history: CampaignHistory) -> CampaignHistory {
        let revision = history.campaign.revision
        guard let last = history.lastRevision(of: .once), last >= revision else { return history }
        let id = OccurrenceID(campaign: history.campaign.id, slot: .once, revision: revision)
        switch history.record(id)?.status {
        case .dispatching: return history.keepingRecorded(Campaign.contentUntilSent)
        case .expired:
            // With another due time, it would still be sent, to the current list.
            let kept = history.keepingRecorded(Campaign.contentUntilFinished)
            return kept.isChanged ? history : kept
        case .scheduled, .finished, .cancelled, nil:
            return history.keepingRecorded(Campaign.contentUntilFinished)
        }
    }

    /// Keeps the recorded members of a rule.
    ///
    /// A rule ends when the state is past its last slot, not when the clock is.
    private func keepingRule(
        _ schedule: RepeatingSchedule,
        in history: CampaignHistory
    ) -> CampaignHistory {
        guard let recorded = history.recorded, let last = recorded.slotsAfter,
            recorded.content["schedule"] == history.content.content["schedule"],
            !history.records.contains(where: \.isOpen),
            let rules = try? zones.rules(named: schedule.zone)
        else { return history }
        let next = RuleSlots(schedule, in: rules).next(after: last) { _ in true }
        return next == nil ? history.keepingRecorded(Campaign.contentUntilFinished) : history
    }
}
