package import CampaignModel

/// Errors of the address of a server.
extension ErrorText {
    package static func unknownAddress(of environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "the address of \(environment) is unknown",
            help: "run `herald validate` to see why"
        )
    }
}
