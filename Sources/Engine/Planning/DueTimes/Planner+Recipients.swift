import CampaignModel
import JSON
import State
import Time

/// Quiet hours in the time zones of recipients.
extension Planner {
    /// Returns how quiet hours hold the recipients of an occurrence; nil if their list has no time
    /// zones, or if quiet hours do not hold the campaign.
    func recipientHours(
        of id: OccurrenceID,
        in history: CampaignHistory,
        times: DueTimes
    ) -> RecipientHours? {
        let campaign = history.campaign
        let recorded = history.record(id).map { min($0.due, now) }
        var base = recorded ?? now
        var next: Instant?
        switch campaign.schedule {
        case .immediate: break
        case .at(let moment): base = times.base(of: moment.instant, for: id)
        case .repeating(let rule):
            if let moment = times.moment(of: id.slot, in: rule) {
                base = times.base(of: moment, for: id)
                next = times.next(after: moment, due: base, of: id, in: rule)
            }
        }
        return times.recipientHours(of: id, due: base, next: next, in: campaign)
    }

    /// Returns the time zones of the planned campaigns' recipients, if quiet hours or their
    /// schedules need them.
    ///
    /// `parts`: the rows in the zones of campaigns that follow them.
    func recipientZones(
        in stored: AppliedState,
        parts: [CampaignID: ZoneParts]
    ) -> [CampaignID: RecipientZones] {
        var found: [CampaignID: RecipientZones] = [:]
        for campaign in project.campaigns where includes(campaign) {
            if let parts = parts[campaign.id] {
                found[campaign.id] = RecipientZones(parts.names, in: zones)
            } else if isHeldByZones(campaign) || isFromState && campaign.division.isDivided {
                found[campaign.id] = recipientZones(of: campaign, in: stored)
            }
        }
        return found
    }

    /// Whether quiet hours hold the recipients of the campaign in their own zones.
    private func isHeldByZones(_ campaign: Campaign) -> Bool {
        guards.limits.quietHours != nil && campaign.hasZonedRecipients
            && campaign.timeliness.reasonInQuietHours == nil
    }

    private func recipientZones(
        of campaign: Campaign,
        in stored: AppliedState
    ) -> RecipientZones? {
        if isFromState {
            return stored.definitions[campaign.id]
                .flatMap { AppliedCampaign.recipients(of: $0, zones: zones) }
        }
        guard case .registrations(let list) = campaign.target, let survey = try? survey(of: list)
        else { return nil }
        return RecipientZones(of: survey, in: zones)
    }

    /// Returns the campaign in the form that the state stores; nil if the state may not store it.
    func storedCampaign(_ campaign: Campaign) -> JSONValue? {
        AppliedCampaign.stored(
            campaign,
            among: project.audiences,
            recipients: known.recipients[campaign.id]
        )
    }

    /// Whether the recorded campaign lacks the current time zones of its recipients, which decide
    /// when it is due.
    func lacksRecipients(_ history: CampaignHistory) -> Bool {
        guard let recipients = known.recipients[history.campaign.id],
            let recorded = history.recorded, recorded.sending != nil,
            history.campaign.division.isDivided || !history.scheduled.isEmpty
        else { return false }
        return AppliedCampaign.recipients(of: recorded, zones: zones)?.names != recipients.names
    }
}
