import CampaignModel
import State

/// The plan for one campaign.
struct PlannedCampaign: Sendable {
    let actions: [CampaignAction]
    let notices: [PlanNotice]
    /// Nil if a reviewer has nothing to approve.
    let reviewed: ReviewedCampaign?

    /// The same without the sends in progress that a correction ends.
    func leaving(_ corrected: Set<OccurrenceID>) -> PlannedCampaign {
        guard !corrected.isEmpty, let first = actions.first else { return self }
        let rest = actions.filter { action in
            !(action.step.occurrenceUnderWay.map(corrected.contains) ?? false)
        }
        let unchanged = CampaignAction(
            campaign: first.campaign,
            step: .unchanged,
            source: first.source,
            times: first.times
        )
        return PlannedCampaign(
            actions: rest.isEmpty ? [unchanged] : rest,
            notices: notices.filter { !($0.occurrenceUnderWay.map(corrected.contains) ?? false) },
            reviewed: reviewed
        )
    }
}

extension PlanNotice {
    /// The occurrence of a remark about a send in progress.
    fileprivate var occurrenceUnderWay: OccurrenceID? {
        switch self {
        case .quietHours(let occurrence, _), .rollout(let occurrence, _),
            .editedList(let occurrence, _):
            occurrence
        default: nil
        }
    }
}

extension CampaignStep {
    /// The occurrence that an earlier run started.
    fileprivate var occurrenceUnderWay: OccurrenceID? {
        switch self {
        case .resume(let send), .lapse(let send), .paused(let send, _), .held(let send, _):
            send.occurrence
        case .stopped(let occurrence, _): occurrence
        default: nil
        }
    }
}

extension Planner {
    /// Plans all selected campaigns on all cores, because each depends only on its own part of the
    /// state.
    ///
    /// - Parameters:
    ///   - applied: The state, in which the campaigns have their names from the files.
    ///   - former: The old names of renamed campaigns.
    /// - Returns: The plans of the selected campaigns, in the order of the files.
    /// - Throws: The error of the first campaign, in that order, that cannot be planned.
    func planCampaigns(
        _ applied: AppliedState,
        former: [CampaignID: CampaignID]
    ) throws(PlanningError) -> [PlannedCampaign] {
        let records = Dictionary(
            grouping: applied.occurrences.values.filter { !busy.contains(SendPart(of: $0.id)) },
            by: \.id.campaign
        )
        let selected = project.campaigns.filter { includes($0) }
        let planned = mapInParallel(selected) { campaign in
            Result { () throws(PlanningError) in
                let history = history(
                    of: campaign,
                    applied: applied,
                    records: records[campaign.id] ?? []
                )
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
        let id = history.campaign.id
        let renaming = name.map { CampaignAction(campaign: id, step: .rename(from: $0)) }
        let actions = try plan(history, noting: &notices)
        return PlannedCampaign(
            actions: (renaming.map { [$0] } ?? []) + actions,
            notices: notices,
            reviewed: ReviewedCampaign(
                history,
                formerly: name,
                reach: declaredReach(of: history.campaign),
                resumed: resumedLists(history)
            )
        )
    }
}
