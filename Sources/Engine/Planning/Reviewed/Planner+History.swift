import CampaignMessages
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
        let history = current(of: campaign, applied: applied, records: records)
        if isFromState { return history.asRecorded() }
        let lacksSending = history.lacksSending(
            handsOver: handsOver,
            requiresReview: guards.limits.requiresReviewedPlan
        )
        return lacksSending || lacksRecipients(history) ? history.recordedAgain() : history
    }

    private func current(
        of campaign: Campaign,
        applied: AppliedState,
        records: [OccurrenceRecord]
    ) -> CampaignHistory {
        let history = CampaignHistory(
            of: campaign,
            applied: applied,
            records: records,
            list: listContent(of: campaign),
            zones: zonesContent(of: campaign)
        ).keepingDriftedList()
        guard history.recorded != nil, history.isChanged else { return history }
        switch campaign.schedule {
        case .immediate, .at:
            return campaign.division.isDivided ? keepingParts(history) : keepingOnce(history)
        case .repeating(let schedule):
            return campaign.division.isDivided ? history : keepingRule(schedule, in: history)
        }
    }

    /// Keeps the recorded members of a campaign that was sent to all its parts.
    private func keepingParts(_ history: CampaignHistory) -> CampaignHistory {
        guard let recipients = known.recipients[history.campaign.id] else { return history }
        let revision = history.campaign.revision
        let sent = recipients.names.allSatisfy { name in
            history.lastRevision(of: history.campaign.slot(ofPart: name)).map { $0 >= revision }
                ?? false
        }
        guard sent else { return history }
        let kept = history.keepingRecorded(
            history.underWay.isEmpty ? Campaign.contentUntilFinished : Campaign.contentUntilSent
        )
        // With another due time, what expired would still be sent, to the current list.
        let hasExpired = history.records.contains { $0.status == .expired }
        return hasExpired && kept.isChanged ? history : kept
    }

    /// What the campaign's message sends to its list; nil if there is no list that can be read.
    ///
    /// The definition of the list if it is read when the send begins.
    private func listContent(of campaign: Campaign) -> JSONValue? {
        guard case .registrations(let list) = campaign.target else { return nil }
        let columns = project.columns(of: campaign)
        if list.isReadAtSend { return definitionAtSend(of: list, for: columns) }
        guard let survey = try? surveys[list]?.get() else { return nil }
        return reviewedList(list, survey, for: columns).content
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
            history.keepsSchedule,
            !history.records.contains(where: \.isOpen),
            let rules = try? zones.rules(named: schedule.zone)
        else { return history }
        let next = RuleSlots(schedule, in: rules).next(after: last) { _ in true }
        return next == nil ? history.keepingRecorded(Campaign.contentUntilFinished) : history
    }
}
