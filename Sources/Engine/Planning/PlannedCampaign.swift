import CampaignModel
import State

/// All that is planned of one campaign.
struct PlannedCampaign: Sendable {
    let actions: [CampaignAction]
    let notices: [PlanNotice]
    /// Nil where a reviewer has nothing to agree to.
    let reviewed: ReviewedCampaign?
}

extension Planner {
    /// Each campaign is compared with its own part of the state alone, so all cores do it.
    ///
    /// - Parameters:
    ///   - applied: The state, in which the campaigns have the names of the files.
    ///   - former: The names that renamed campaigns had until now.
    /// - Returns: Of each campaign that is selected, in the order of the files.
    /// - Throws: What the first of them in that order can't be planned for.
    func planCampaigns(
        _ applied: AppliedState,
        former: [CampaignID: CampaignID]
    ) throws(PlanningError) -> [PlannedCampaign] {
        let records = Dictionary(grouping: applied.occurrences.values, by: \.id.campaign)
        let selected = project.campaigns.filter { selection.includes($0.id) }
        let planned = mapInParallel(selected) { campaign in
            Result { () throws(PlanningError) in
                let history = history(of: campaign, applied, records[campaign.id] ?? [])
                return try plan(history, formerly: former[campaign.id])
            }
        }
        var campaigns: [PlannedCampaign] = []
        campaigns.reserveCapacity(planned.count)
        for result in planned { campaigns.append(try result.get()) }
        return campaigns
    }

    private func plan(
        _ history: CampaignHistory,
        formerly name: CampaignID?
    ) throws(PlanningError) -> PlannedCampaign {
        var notices: [PlanNotice] = []
        let renaming = name.map { CampaignAction(history.campaign.id, .rename(from: $0)) }
        let actions = try plan(history, &notices)
        return PlannedCampaign(
            actions: (renaming.map { [$0] } ?? []) + actions,
            notices: notices,
            reviewed: ReviewedCampaign(history, formerly: name)
        )
    }
}
