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
        if variants.isEmpty, localizations.isEmpty { return }
        let ownVariants = document?.value.variants?.value.byName() ?? [:]
        for variant in variants {
            let own = ownVariants[variant.id]?.message?.value
            body(Wording(campaign: saying(variant.content), message: own ?? message))
        }
        let ownLocales = document?.value.locales?.value.byName() ?? [:]
        for local in localizations {
            body(Wording(campaign: saying(local.content), message: ownLocales[local.locale]))
        }
    }
}

extension Array {
    /// The contents that could be read.
    fileprivate func byName<Name: Hashable, Content>() -> [Name: Content]
    where Element == NamedEntry<Name, Content> {
        Dictionary(
            compactMap { entry in entry.content.map { (entry.name.value, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
