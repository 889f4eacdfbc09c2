import Applying
import Presentation

extension CommandFailure {
    /// Of a command that asks FCM and is no apply, which is nothing to go on with.
    ///
    /// `doubt`: the way out where nobody knows what was done.
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
