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
        _ applied: AppliedState,
        _ records: [OccurrenceRecord]
    ) -> CampaignHistory {
        var history = CampaignHistory(
            campaign,
            applied,
            records,
            list: list(of: campaign).flatMap { try? surveys[$0]?.get() }
        )
        guard history.recorded != nil, history.isChanged else { return history }
        switch campaign.schedule {
        case .repeating(let schedule): keepOfRule(schedule, &history)
        case .immediate, .at: keepOfOnce(&history)
        }
        return history
    }

    private func list(of campaign: Campaign) -> RegistrationList? {
        guard case .registrations(let list) = campaign.target else { return nil }
        return list
    }

    private func keepOfOnce(_ history: inout CampaignHistory) {
        let revision = history.campaign.revision
        guard let last = history.lastRevision(of: .once), last >= revision else { return }
        let id = OccurrenceID(campaign: history.campaign.id, slot: .once, revision: revision)
        switch history.record(id)?.status {
        case .dispatching: history.keepRecorded(Campaign.contentUntilSent)
        case .expired:
            // With another due time, it would still be sent, to the current list.
            var kept = history
            kept.keepRecorded(Campaign.contentUntilFinished)
            if !kept.isChanged { history = kept }
        case .scheduled, .finished, .cancelled, nil:
            history.keepRecorded(Campaign.contentUntilFinished)
        }
    }

    /// Keeps the recorded members of a rule.
    ///
    /// A rule ends when the state is past its last slot, not when the clock is.
    private func keepOfRule(_ schedule: RepeatingSchedule, _ history: inout CampaignHistory) {
        guard let recorded = history.recorded, let last = recorded.slotsAfter,
            recorded.content["schedule"] == history.content.content["schedule"],
            !history.records.contains(where: \.isOpen),
            let rules = try? zones.rules(named: schedule.zone)
        else { return }
        let next = RuleSlots(schedule, in: rules).next(after: last) { _ in true }
        if next == nil { history.keepRecorded(Campaign.contentUntilFinished) }
    }
}
