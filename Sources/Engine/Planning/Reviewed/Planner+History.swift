import CampaignModel
import State
import FCMWire
import JSON
import RegistrationLists
import Time

extension Planner {
    /// The campaign beside what the state knows of it.
    ///
    /// A list that grew after the last sending is no change of a campaign: nobody gets anything of
    /// it any more.
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
            // With another moment it would be sent after all, to the list as it is now.
            var kept = history
            kept.keepRecorded(Campaign.contentUntilFinished)
            if !kept.isChanged { history = kept }
        case .scheduled, .finished, .cancelled, nil:
            history.keepRecorded(Campaign.contentUntilFinished)
        }
    }

    /// A rule is over when the state says that it is past its last slot, not when the clock does.
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
