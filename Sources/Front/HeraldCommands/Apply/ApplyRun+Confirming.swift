import CampaignModel
import Planning
import Presentation

extension ApplyRun {
    /// Asks the user, if the arguments do not answer.
    func confirm() throws(CommandFailure) {
        let environment = target.environment.id
        switch confirmation {
        case .given: return
        case .asksYes:
            Output.message("Apply this to \(environment)? Enter `yes` to continue: ")
            try take("yes")
        case .asksName:
            Output.message("\(environment) is protected. Type its name to apply this: ")
            try take(environment.rawValue)
        case .impossible:
            throw CommandFailure.unconfirmed(
                noInput: arguments.noInput,
                help: "give --yes to apply without confirmation"
            )
        }
    }

    private var confirmation: ApplyConfirmation {
        ApplyConfirmation(
            isProtected: target.environment.settings.isProtected
                && !arguments.guards.bypasses.contains(.protected),
            isReviewed: request.reference != nil,
            saysYes: arguments.yes,
            canAsk: arguments.canAsk
        )
    }

    private func take(_ answer: String) throws(CommandFailure) {
        guard Input.line() == answer else {
            throw CommandFailure("not applied", help: nil, exit: .error)
        }
    }
}
