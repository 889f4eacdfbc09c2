import CampaignLoading
import CampaignModel

/// A campaign in one of its content versions: the base, a variant, or a locale.
struct ContentVersion: Sendable {
    /// With the version's message.
    let campaign: Campaign
    /// With all content versions.
    let whole: Campaign
    let key: TextKey
    /// The version's message as written.
    let message: MessageDeclaration?
}

extension Campaign {
    /// Calls `body` for every content version; equal findings in several versions count once.
    func forEachVersion(as document: CampaignDocument?, body: (ContentVersion) -> Void) {
        let message = document?.value.message?.value
        body(ContentVersion(campaign: self, whole: self, key: .own, message: message))
        if variants.isEmpty, localizations.isEmpty { return }
        let ownVariants = document?.value.variants?.value.byName() ?? [:]
        for variant in variants {
            let own = ownVariants[variant.id]?.message?.value
            body(
                ContentVersion(
                    campaign: saying(variant.content),
                    whole: self,
                    key: .variant(variant.id),
                    message: own ?? message
                )
            )
        }
        let ownLocales = document?.value.locales?.value.byName() ?? [:]
        for local in localizations {
            body(
                ContentVersion(
                    campaign: saying(local.content),
                    whole: self,
                    key: .locale(local.locale),
                    message: ownLocales[.locale(local.locale)]
                )
            )
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
