import Presentation
import RunControl
import State

extension CommandFailure {
    /// Describes an error of a command, other than `apply`, that sends requests to FCM.
    ///
    /// `isPartial`: whether a part of the work was done.
    init(
        _ error: ApplyError,
        in command: ErrorText.RequestingCommand,
        isPartial: Bool = false
    ) {
        let exit: ExitReason =
            switch error {
            case .interrupted: .interrupted
            case .state(.locked): .locked
            case .state, .list, .unreachable, .unanswered, .refused, .recalled:
                isPartial ? .partlyApplied : .error
            }
        self.init(ErrorText(error, in: command), exit: exit)
    }
}
