package import CampaignModel

/// Errors of a state that is missing, or that lacks a name.
extension ErrorText {
    package static func noState(of environment: EnvironmentID) -> ErrorText {
        ErrorText("there is no state of \(environment) yet")
    }

    package static func noStateKey(of environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "there is no state of \(environment) yet, and fingerprints need its key",
            help: "create it with the first `herald apply`"
        )
    }

    package static func noDeadRegistrations(of environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "there is no state of \(environment) yet: no registration is known to be "
                + "dead",
            help: "create it with the first `herald apply`"
        )
    }

    package static func nothingSent(in environment: EnvironmentID) -> ErrorText {
        ErrorText("there is no state of \(environment) yet: nothing was sent")
    }

    package static func unknownCampaign(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "there is no campaign `\(TextStyle.safe(name))` in the files or in the state",
            help: .didYouMean(name, among: known)
        )
    }

    package static func unknownAudience(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "there is no audience `\(TextStyle.safe(name))` in the files or in the state",
            help: .didYouMean(name, among: known)
                ?? "give the name of an audience, or registrations as @FILE"
        )
    }

    package static func nothingApplied(in environment: EnvironmentID) -> ErrorText {
        ErrorText("there is no state of \(environment) yet: nothing was applied")
    }

    package static func unknownInState(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "the state contains no campaign or audience `\(TextStyle.safe(name))`",
            help: .didYouMean(name, among: known)
                ?? "`herald state list` lists its contents"
        )
    }
}
