import Presentation
import RunControl

extension CommandFailure {
    /// Describes an error of a command, other than `apply`, that sends requests to FCM.
    ///
    /// Such a command cannot be resumed.
    ///
    /// `doubt`: the advice if the outcome of a request is unknown.
    init(_ error: ApplyError, doubt: String) {
        let text = ErrorText(error)
        let exit: ExitReason = error == .interrupted ? .interrupted : .error
        switch error {
        case .refused:
            let help = "fix the cause and run the command again"
            self.init(text.message, help: help, exit: exit)
        case .unanswered, .interrupted: self.init(text.message, help: doubt, exit: exit)
        case .state, .list, .unreachable: self.init(text, exit: exit)
        }
    }
}
