import ArgumentParser
import CampaignModel
import Presentation

/// The `--locale` option of commands that show or send one text of a campaign.
struct LocaleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Locale of the recipient, such as pt-BR (default: the campaign's own text).",
            valueName: "tag"
        )
    )
    var locale: String?

    /// Returns the campaign with the text that recipients with the locale get, and how it was
    /// chosen; nil without the option.
    func text(
        of campaign: Campaign
    ) throws(CommandFailure) -> (campaign: Campaign, choice: PreviewLocale)? {
        guard let text = locale else { return nil }
        guard let locale = Locale(text) else {
            throw CommandFailure(.noLanguageTag(text), exit: .usage)
        }
        guard let localized = campaign.localized(for: locale) else {
            throw CommandFailure(.uncoveredLocale(locale, of: campaign.id), exit: .usage)
        }
        return (localized.campaign, PreviewLocale(requested: locale, key: localized.key))
    }
}
