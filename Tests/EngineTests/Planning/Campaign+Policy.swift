import CampaignModel
import Testing

extension Campaign {
    /// Returns the same campaign with another policy.
    func following(_ policy: SendingPolicy) -> Campaign {
        Campaign(
            id: id,
            about: about,
            owner: owner,
            target: target,
            audience: audience,
            excluded: excluded,
            content: content,
            delivery: delivery,
            schedule: schedule,
            division: division,
            timeliness: timeliness,
            priority: priority,
            revision: revision,
            formerID: formerID,
            labels: labels,
            variants: variants,
            localizations: localizations,
            coversOtherLocales: coversOtherLocales,
            policy: policy
        )
    }

    /// Returns the same campaign with an objective, and without another policy.
    func aiming(at text: String) throws -> Campaign {
        let objective = try #require(Objective(text))
        return following(
            SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: nil,
                holdOut: nil,
                objective: objective
            )
        )
    }
}
