package import RunControl

extension ErrorText {
    /// A command, other than `apply`, that sends requests to FCM.
    ///
    /// Such a command cannot be resumed.
    package enum RequestingCommand {
        case groups
        case send

        /// The advice if the outcome of a request is unknown.
        fileprivate var doubt: String {
            switch self {
            case .groups: "run the command again; use `add` if FCM reports that the group exists"
            case .send:
                "run the command again for the rest; `herald history` shows what was sent"
            }
        }
    }

    package init(_ error: ApplyError, in command: RequestingCommand) {
        let text = ErrorText(error)
        switch error {
        case .refused:
            self.init(text.message, help: "fix the cause and run the command again")
        case .unanswered, .interrupted: self.init(text.message, help: command.doubt)
        case .state, .list, .unreachable: self = text
        }
    }
}
