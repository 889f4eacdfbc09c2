import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists

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

    /// Returns the campaign with the text of `--locale` or, without the option, of a row's locale.
    func text(
        of campaign: Campaign,
        for row: ListRowSearch.Found?
    ) throws(CommandFailure) -> (campaign: Campaign, choice: PreviewLocale)? {
        guard locale == nil, let own = row?.locale else { return try text(of: campaign) }
        guard let localized = campaign.localized(for: own) else {
            throw CommandFailure(.uncoveredLocale(own, of: campaign.id), exit: .usage)
        }
        return (localized.campaign, PreviewLocale(requested: own, key: localized.key))
    }
}
