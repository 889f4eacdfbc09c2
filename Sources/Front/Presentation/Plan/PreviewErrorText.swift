package import CampaignModel

extension ErrorText {
    /// Options choose a version of a text that has only one.
    package static func noVersions(of name: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(name))` has the same text for all recipients",
            help: "leave out --row, --registration, --locale and --variant"
        )
    }

    package static func correctedElsewhere(
        _ campaign: CampaignID,
        by correction: CampaignID
    ) -> ErrorText {
        ErrorText(
            "`\(correction)` corrects `\(campaign)`, which is not in the files of this environment",
            help: "see its message with `herald plan`, which reads the state"
        )
    }

    package static func correctsNothingShown(_ campaign: CampaignID) -> ErrorText {
        ErrorText(
            "`\(campaign)` shows no notification that a correction can replace",
            help: "send the app a data message with a new campaign"
        )
    }
}
