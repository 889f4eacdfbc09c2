import CampaignModel
import RegistrationLists

extension GuardReview {
    /// Where a moment passed, an acknowledgement is still said: that it passed changes nothing of
    /// what a reviewer agreed to.
    func recipientOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard let maximum = limits.maximumRecipients else { return [] }
        let reach = ReachEstimate(
            sizes: project.plannedTopics(planner.surveys).compactMapValues(\.size)
        )
        return campaigns.compactMap { guarded in
            let count = recipients(of: guarded.campaign, reach)
            guard count.map({ $0 > maximum }) ?? true else { return nil }
            let verdict = verdict(on: guarded.campaign, count, maximum)
            if !guarded.sends, case .refused = verdict { return nil }
            return GuardOutcome(.maxRecipients, guarded.subject, verdict)
        }
    }

    /// Where nobody knows the number, any acknowledgement above the maximum is taken.
    private func verdict(
        on campaign: Campaign,
        _ count: Int?,
        _ maximum: Int
    ) -> GuardVerdict {
        let acknowledgement = campaign.policy.acknowledgement
        let acknowledged = acknowledgement?.reach
        let refusal: GuardRefusal =
            count.map {
                .tooManyRecipients($0, maximum: maximum, acknowledged: acknowledged)
            } ?? .unknownReach(maximum: maximum)
        if let acknowledgement, let acknowledged, acknowledged >= count ?? maximum + 1 {
            return .acknowledged(refusal, reason: acknowledgement.reason)
        }
        return basis.verdict(.maxRecipients, refusal)
    }

    /// At most so many; nil where nobody knows.
    private func recipients(of campaign: Campaign, _ reach: ReachEstimate) -> Int? {
        switch campaign.target {
        case .topic, .condition: reach.upperBound(of: campaign.target)
        case .registrations(let list): (try? planner.survey(of: list))?.count
        case .group: DeviceGroupName.largestGroup
        }
    }
}
