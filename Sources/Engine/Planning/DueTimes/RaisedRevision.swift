import CampaignModel
import JSON
import State
import Time

/// Campaigns with a single time whose revision was raised after that time had passed.
extension Planner {
    /// Returns when an apply raised each revision: this one, if it is not in the state.
    func raisedRevisions(in stored: AppliedState) -> [CampaignID: Instant] {
        var found: [CampaignID: Instant] = [:]
        for campaign in project.campaigns where includes(campaign) {
            let former = campaign.formerID.flatMap { stored.definitions[$0] }
            guard let recorded = stored.definitions[campaign.id] ?? former else { continue }
            found[campaign.id] = raised(campaign, from: recorded)
        }
        return found
    }

    private func raised(_ campaign: Campaign, from recorded: CampaignDefinition) -> Instant? {
        if recorded.revision == campaign.revision { return recorded.raised(in: campaign.schedule) }
        guard case .at(let moment) = campaign.schedule, recorded.revision < campaign.revision,
            moment.instant <= now
        else { return nil }
        return now
    }
}

extension CampaignDefinition {
    fileprivate var revision: Int {
        content["revision"]?.integerValue.map { Int(clamping: $0) } ?? 1
    }

    /// When an apply raised the revision after the time of its schedule had passed; nil if none did.
    func raised(in schedule: Schedule) -> Instant? {
        guard case .at(let moment) = schedule, let slotsAfter, moment.instant <= slotsAfter else {
            return nil
        }
        return slotsAfter
    }
}
