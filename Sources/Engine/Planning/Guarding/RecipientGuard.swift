import CampaignModel
import RegistrationLists

extension GuardReview {
    /// Checks recipients; an acknowledgement is reported even if the due time has passed, because
    /// that changes nothing for the reviewer.
    func recipientOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard let maximum = limits.maximumRecipients else { return [] }
        let reach = ReachEstimate(
            sizes: project.plannedTopics(planner.surveys).compactMapValues(\.size)
        )
        return campaigns.compactMap { guarded in
            let count = recipients(of: guarded.campaign, reach: reach)
            guard count.map({ $0 > maximum }) ?? true else { return nil }
            let verdict = verdict(on: guarded.campaign, count: count, maximum: maximum)
            if !guarded.sends, case .refused = verdict { return nil }
            return GuardOutcome(.maxRecipients, subject: guarded.subject, verdict: verdict)
        }
    }

    /// Decides about a campaign; if its reach is unknown, any acknowledgement above the maximum is
    /// valid.
    private func verdict(
        on campaign: Campaign,
        count: Int?,
        maximum: Int
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
        return basis.verdict(on: .maxRecipients, refusal: refusal)
    }

    /// The maximum number of recipients; nil if unknown.
    private func recipients(of campaign: Campaign, reach: ReachEstimate) -> Int? {
        switch campaign.target {
        case .topic, .condition: reach.upperBound(of: campaign.target)
        case .registrations(let list): (try? planner.survey(of: list))?.count
        case .group: DeviceGroupName.largestGroup
        }
    }
}
