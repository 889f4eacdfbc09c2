package import CampaignModel
package import Planning

extension ErrorText {
    /// The refusal of one guard, with its fix.
    package init(
        _ refusal: GuardRefusal,
        by guarding: Guard,
        in environment: EnvironmentID
    ) {
        let outcome = GuardOutcome(guarding, subject: nil, verdict: .refused(refusal))
        let text = GuardWording(outcome, environment: environment)
        self.init(TextStyle.safe(text.reason), help: TextStyle.safe(text.wayOut))
    }

    /// The refusal of an endpoint, for commands that can allow it with an option.
    package static func foreignServer(
        _ address: String,
        in environment: EnvironmentID
    ) -> ErrorText {
        let text = ErrorText(.foreignServer(address), by: .endpoint, in: environment)
        let help = text.help.map { $0 + "; or \(Guard.endpoint.option)" }
        return ErrorText(text.message, help: help)
    }
}
