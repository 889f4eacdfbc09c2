import Presentation
import RunControl

extension CommandFailure {
    /// Describes an error of a command, other than `apply`, that sends requests to FCM.
    init(_ error: ApplyError, in command: ErrorText.RequestingCommand) {
        let exit: ExitReason = error == .interrupted ? .interrupted : .error
        self.init(ErrorText(error, in: command), exit: exit)
    }
}
