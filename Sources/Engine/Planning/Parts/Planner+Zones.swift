import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import State
import Time

/// Campaigns that follow the time zones of their recipients: each zone has its own occurrences.
extension Planner {
    /// Returns the parts of a campaign: one per zone of its recipients, and one with what is left of
    /// another schedule.
    ///
    /// The campaign itself if all recipients share its occurrences.
    func parts(of history: CampaignHistory) throws(PlanningError) -> [CampaignHistory] {
        let campaign = history.campaign
        guard campaign.division == .perZone else { return [history] }
        guard let recipients = known.recipients[campaign.id] else {
            throw .noRecipientZones(campaign.id)
        }
        let standard = DueTimes.zone(of: campaign.schedule, in: project)
        guard let rules = try? zones.rules(named: standard) else {
            throw .unknownZone(campaign.id, standard)
        }
        let recorded =
            history.recorded
            .flatMap { AppliedCampaign.recipients(of: $0, zones: zones)?.names } ?? []
        let parts = recipients.names.filter { !isBusy(campaign.id, zone: $0) }.map { name in
            history.part(
                campaign.part(
                    in: name,
                    rules: recipients.rules(named: name) ?? rules,
                    standard: rules
                ),
                isNew: !recorded.contains(name)
            )
        }
        let rest = history.left(without: Set(recipients.names))
        return parts + (rest.records.isEmpty ? [] : [rest])
    }

    /// Whether another occurrence of a part is in progress in this process.
    func isBusy(_ campaign: CampaignID, zone: String?) -> Bool {
        busy.contains(SendPart(campaign: campaign, zone: zone))
    }

    /// The number of registrations in a zone; nil if the plan is made from the state.
    func plannedZone(of campaign: Campaign) -> PlannedZone? {
        campaign.division.zone.map { name -> PlannedZone in
            let parts = known.parts[campaign.id]
            return PlannedZone(
                name: name,
                count: parts?.count(in: name),
                before: parts?.count(before: name) ?? 0
            )
        }
    }

    /// Reads which rows of the planned campaigns' lists are in which zones.
    func zoneParts() -> [CampaignID: ZoneParts] {
        guard !isFromState else { return [:] }
        var found: [CampaignID: ZoneParts] = [:]
        for campaign in project.campaigns where includes(campaign) && campaign.division == .perZone
        {
            guard case .registrations(let list) = campaign.target, !list.isReadAtSend,
                let survey = try? survey(of: list), survey.zones != nil
            else { continue }
            found[campaign.id] = ZoneParts(
                ListPeople(survey),
                standard: DueTimes.zone(of: campaign.schedule, in: project)
            )
        }
        return found
    }

    /// What a reviewer approves of the zones of a campaign's recipients; nil if they share its
    /// occurrences, and for the output of a source, which changes between review and apply.
    func zonesContent(of campaign: Campaign) -> JSONValue? {
        guard let parts = known.parts[campaign.id], case .registrations(let list) = campaign.target,
            list.sources.isEmpty
        else { return nil }
        return ["count": .integer(Int64(parts.names.count)), "rows": .string(parts.digest)]
    }
}

extension CampaignHistory {
    /// What is left of slots that no current zone has.
    fileprivate func left(without zones: Set<String>) -> CampaignHistory {
        part(
            campaign,
            records: records.filter { $0.id.slot.zone.map { !zones.contains($0) } ?? true }
        )
    }

    /// `isNew`: whether the recorded campaign has no recipients in the zone.
    fileprivate func part(_ campaign: Campaign, isNew: Bool) -> CampaignHistory {
        part(
            campaign,
            records: records.filter { $0.id.slot.zone == campaign.division.zone },
            isNew: isNew
        )
    }
}
