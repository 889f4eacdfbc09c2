package import CampaignModel

/// Errors of `herald simulate`.
extension ErrorText {
    package static var unreadablePopulation: ErrorText {
        ErrorText(
            "the population cannot be read, so nothing is simulated",
            help: "see `herald schema population` for the format"
        )
    }

    package static func unknownPopulationZone(_ name: String) -> ErrorText {
        ErrorText(
            "`timezones` of the population names the unknown time zone `\(TextStyle.safe(name))`",
            help: "use an IANA name such as `Atlantic/Azores`"
        )
    }

    package static func messageRefused(of campaign: CampaignID, because reason: String) -> ErrorText
    {
        ErrorText(
            "FCM would refuse `\(campaign.rawValue)`: \(TextStyle.safe(reason))",
            help: "run `herald validate --online` to find the place"
        )
    }
}
