import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

/// A set of lists, and the span of the keys that form it.
struct FormedSet {
    let list: RegistrationList
    let span: SourceSpan
    let isSubscribed: Bool
    /// Whether it is a campaign's list without those that the campaign excludes.
    let isOfCampaign: Bool
}

extension RuleContext {
    /// The sets whose lists could all be read; the lists themselves have the other findings.
    var sets: [FormedSet] {
        (setsOfAudiences + setsOfCampaigns).filter { set in
            set.list.withParts.dropLast().allSatisfy { part in
                if case .success? = surveys[part] { true } else { false }
            }
        }
    }

    private var setsOfAudiences: [FormedSet] {
        let lists = listsOfAudiences
        return declarations.audiences.compactMap { audience in
            guard let id = audience.value.audience?.value, let list = lists[id],
                case .set = list,
                let span = audience.value.except?.span ?? audience.value.listSpan
            else { return nil }
            return FormedSet(
                list: list,
                span: span,
                isSubscribed: audience.value.subscribe != nil,
                isOfCampaign: false
            )
        }
    }

    private var setsOfCampaigns: [FormedSet] {
        project.campaigns.compactMap { campaign in
            guard !campaign.excluded.isEmpty, case .registrations(let list) = campaign.target,
                let span = declaration(of: campaign)?.exclude?.span
            else { return nil }
            return FormedSet(list: list, span: span, isSubscribed: false, isOfCampaign: true)
        }
    }
}
