import CampaignLoading
import CampaignModel

/// A campaign in one of the forms that people may get: as it is, a variant, or a language.
struct Wording: Sendable {
    /// With the form's message in it.
    let campaign: Campaign
    /// The form's message as written.
    let message: MessageDeclaration?
}

extension RuleContext {
    /// Every form of a campaign; the same finding in several counts once.
    func wordings(of campaign: Campaign) -> [Wording] {
        let declared = declaration(of: campaign)
        let variants = campaign.variants.map { variant in
            let message = declared?.variants?.value.first { $0.name.value == variant.id }?.content?
                .message?.value
            return Wording(
                campaign: campaign.saying(variant.content),
                message: message ?? declared?.message?.value
            )
        }
        let locales = campaign.localizations.map { local in
            Wording(
                campaign: campaign.saying(local.content),
                message: declared?.locales?.value.first { $0.name.value == local.locale }?.content
            )
        }
        return [Wording(campaign: campaign, message: declared?.message?.value)] + variants + locales
    }
}
