import CampaignModel
import RegistrationLists

extension GuardReview {
    /// Checks recipients; an acknowledgement is reported even if the due time has passed, because
    /// that changes nothing for the reviewer.
    ///
    /// A list that is read when its send begins is checked then.
    func recipientOutcomes(_ campaigns: [GuardedCampaign]) -> [GuardOutcome] {
        guard limits.maximumRecipients != nil else { return [] }
        let reach = reachEstimate
        return campaigns.compactMap { guarded in
            let campaign = guarded.campaign
            guard !campaign.target.isReadAtSend,
                let verdict = RecipientLimit(for: campaign, basis: basis)?
                    .verdict(on: recipients(of: campaign, reach: reach))
            else { return nil }
            if !guarded.sends, case .refused = verdict { return nil }
            return GuardOutcome(.maxRecipients, subject: guarded.subject, verdict: verdict)
        }
            + guardedCorrections.compactMap { correction in
                RecipientLimit(for: correction.corrected, basis: basis)?.verdict(
                    on: correction.reach
                )
                .map {
                    GuardOutcome(
                        .maxRecipients,
                        subject: .campaign(correction.campaign),
                        verdict: $0
                    )
                }
            }
    }

    var reachEstimate: ReachEstimate {
        ReachEstimate(sizes: project.plannedTopics(planner.surveys).compactMapValues(\.size))
    }

    /// The maximum number of recipients; nil if unknown.
    func recipients(of campaign: Campaign, reach: ReachEstimate) -> Int? {
        switch campaign.target {
        case .topic, .condition: reach.upperBound(of: campaign.target)
        case .registrations(let list): (try? planner.survey(of: list))?.count
        case .group: DeviceGroupName.largestGroup
        }
    }
}
