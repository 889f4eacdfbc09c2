import CampaignModel
import Planning
import Presentation

extension ApplyRun {
    /// Asks the user, if the arguments do not answer.
    func confirm() throws(CommandFailure) {
        let destination = PlanDestination(target.environment, of: target.project)
        switch confirmation {
        case .given: return
        case .asksYes:
            Output.message(ConfirmationWording.apply(to: destination))
            try take("yes")
        case .asksName:
            Output.message(ConfirmationWording.applyToProtected(destination))
            try take(destination.environment.rawValue)
        case .impossible:
            throw CommandFailure(
                .unconfirmed(isInputDisabled: arguments.noInput, for: .applying),
                exit: .usage
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
            throw CommandFailure(.notApplied)
        }
    }
}
