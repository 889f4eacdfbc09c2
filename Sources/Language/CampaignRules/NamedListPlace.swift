import CampaignLoading
import Diagnostics

/// A list as an audience or a campaign names it.
struct NamedListPlace {
    let place: Spanned<ListReference>
    /// Whether its registrations are kept subscribed to topics.
    let isSubscribed: Bool
    /// Whether its audience has `test: true`.
    let isTest: Bool
}

extension RuleContext {
    /// The lists of audiences, then those that campaigns name themselves.
    var listReferences: [NamedListPlace] {
        let ofAudiences = declarations.audiences.compactMap { audience in
            audience.value.registrations.map { list in
                NamedListPlace(
                    place: list,
                    isSubscribed: audience.value.subscribe != nil,
                    isTest: audience.value.test?.value ?? false
                )
            }
        }
        let ofCampaigns = declarations.campaigns.compactMap { campaign -> NamedListPlace? in
            guard case .registrations(let list)? = campaign.value.audience?.value else {
                return nil
            }
            return NamedListPlace(place: list, isSubscribed: false, isTest: false)
        }
        return ofAudiences + ofCampaigns
    }
}
