import CampaignLoading
import CampaignModel

/// A campaign in one of the forms that people may get: as it is, a variant, or a language.
struct Wording: Sendable {
    /// With the form's message in it.
    let campaign: Campaign
    /// The form's message as written.
    let message: MessageDeclaration?
}

extension Campaign {
    /// Every form of the campaign; the same finding in several counts once.
    func forEachWording(as document: CampaignDocument?, _ body: (Wording) -> Void) {
        let message = document?.value.message?.value
        body(Wording(campaign: self, message: message))
        for variant in variants {
            let own = document?.value.variants?.value.first { $0.name.value == variant.id }?
                .content?
                .message?.value
            body(Wording(campaign: saying(variant.content), message: own ?? message))
        }
        for local in localizations {
            let own = document?.value.locales?.value.first { $0.name.value == local.locale }?
                .content
            body(Wording(campaign: saying(local.content), message: own))
        }
    }
}
