package import CampaignModel

// Errors of the option --locale.
extension ErrorText {
    package static func noLanguageTag(_ text: String) -> ErrorText {
        let meant = Locale.meant(by: text)
        return ErrorText(
            "`\(TextStyle.safe(text))` is not a language tag",
            help: meant.map { "write `\(TextStyle.safe($0.tag))`" }
                ?? "write a tag such as `pt` or `pt-BR`"
        )
    }

    package static func uncoveredLocale(_ locale: Locale, of campaign: CampaignID) -> ErrorText {
        ErrorText(
            "no text of `\(campaign)` covers the locale `\(locale)`",
            help: "add a key for it to `locales`, or `\"*\": {}` to send the campaign's own text "
                + "to all others"
        )
    }
}
