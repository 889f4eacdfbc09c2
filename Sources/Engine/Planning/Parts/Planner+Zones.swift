import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import State
import Time

/// Campaigns that follow the time zones or the times of their recipients: each zone or time has its
/// own occurrences.
extension Planner {
    /// Returns the parts of a campaign: one per zone or time of its recipients, and one with what is
    /// left of another schedule.
    ///
    /// The campaign itself if all recipients share its occurrences.
    func parts(of history: CampaignHistory) throws(PlanningError) -> [CampaignHistory] {
        let campaign = history.campaign
        guard campaign.division.isDivided else { return [history] }
        // A recovered state does not contain them.
        let recipients =
            known.recipients[campaign.id] ?? (isFromState ? RecipientZones([], in: zones) : nil)
        guard let recipients else { throw .noRecipientZones(campaign.id) }
        guard recipients.names.count <= ZoneParts.maximumCount else {
            throw .tooManySlots(campaign.id, count: recipients.names.count)
        }
        let standard = campaign.standardZone(in: project)
        guard let rules = try? zones.rules(named: standard) else {
            throw .unknownZone(campaign.id, standard)
        }
        let names = history.recorded
            .flatMap { AppliedCampaign.recipients(of: $0, zones: zones)?.names }
        let recorded = Set(names ?? [])
        let records = Dictionary(grouping: history.records) { $0.id.slot.part }
        var loaded = [standard: rules]
        let parts = recipients.names.compactMap { name -> CampaignHistory? in
            guard !isBusy(campaign.id, part: name),
                let part = campaign.part(
                    name,
                    standard: rules,
                    rules: { zone in
                        if let found = loaded[zone] { return found }
                        let found = (try? zones.rules(named: zone)) ?? rules
                        loaded[zone] = found
                        return found
                    }
                )
            else { return nil }
            return history.part(
                part,
                records: records[name] ?? [],
                isNew: !recorded.contains(name)
            )
        }
        let current = Set(recipients.names)
        let rest = history.part(
            campaign,
            records: history.records.filter { record in
                record.id.slot.part.map { !current.contains($0) } ?? true
            }
        )
        return parts + (rest.records.isEmpty ? [] : [rest])
    }

    /// Whether another occurrence of a part is in progress in this process.
    private func isBusy(_ campaign: CampaignID, part: String) -> Bool {
        busy.contains(SendPart(campaign: campaign, part: part))
    }

    /// The number of registrations in a zone; nil if the plan is made from the state.
    func plannedZone(of campaign: Campaign) -> PlannedZone? {
        campaign.division.part.map { name -> PlannedZone in
            let parts = known.parts[campaign.id]
            return PlannedZone(
                name: name,
                count: parts?.count(in: name),
                before: parts?.count(before: name) ?? 0
            )
        }
    }

    /// Reads which rows of the planned campaigns' lists are in which parts.
    func zoneParts() -> [CampaignID: ZoneParts] {
        guard !isFromState else { return [:] }
        var found: [CampaignID: ZoneParts] = [:]
        for campaign in project.campaigns where includes(campaign) && campaign.division.isDivided {
            found[campaign.id] = zoneParts(of: campaign)
        }
        return found
    }

    private func zoneParts(of campaign: Campaign) -> ZoneParts? {
        guard case .registrations(let list) = campaign.target, !list.isReadAtSend,
            let survey = try? survey(of: list)
        else { return nil }
        let standard = campaign.standardZone(in: project)
        guard campaign.division.column != nil else {
            return survey.zones == nil
                ? nil : ZoneParts(ListPeople(survey), standard: standard)
        }
        guard let columns = project.columns(of: campaign), let times = survey[columns]?.times,
            times.isValid
        else { return nil }
        return ZoneParts(
            times: times.numbers.lazy.map { $0 == 0 ? "" : times.values[Int($0) - 1] },
            people: survey.zones == nil ? nil : ListPeople(survey),
            standard: standard
        )
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

extension Campaign {
    /// The zone of recipients without one.
    func standardZone(in project: Project) -> String {
        if case .perValue(_, let zone) = division { return zone }
        return DueTimes.zone(of: schedule, in: project)
    }

    /// Returns a part of the campaign; nil if its name is not that of a part.
    ///
    /// - Parameters:
    ///   - name: The name of a zone, or the slot of a time.
    ///   - standard: The rules of the zone of recipients without one.
    ///   - rules: Returns those of other zones.
    /// - Returns: The part.
    func part(
        _ name: String,
        standard: TimeZoneRules,
        rules: (String) -> TimeZoneRules
    ) -> Campaign? {
        guard division.column != nil else {
            return part(in: name, rules: rules(name), standard: standard)
        }
        let slot = Slot(text: name)
        let zone = slot.zone ?? standard.name
        return part(at: slot, in: zone, rules: rules(zone))
    }
}
