import RegistrationLists
package import RunControl

extension ErrorText {
    /// A command, other than `apply`, that sends requests to FCM.
    ///
    /// Such a command cannot be resumed.
    package enum RequestingCommand {
        case groups
        case send
        case check

        /// The advice if the outcome of a request is unknown.
        fileprivate var doubt: String {
            switch self {
            case .groups: "run the command again; use `add` if FCM reports that the group exists"
            case .send:
                "run the command again for the rest; `herald history` shows what was sent"
            case .check:
                "run the command again; it does not check registrations again that are recorded as "
                    + "dead"
            }
        }
    }

    package init(_ error: ApplyError, in command: RequestingCommand) {
        let text = ErrorText(error)
        switch error {
        case .refused:
            self.init(text.message, help: "fix the cause and run the command again")
        case .unanswered, .interrupted: self.init(text.message, help: command.doubt)
        case .list(.changed(let path)) where command == .check:
            let name = path.map { " " + TextStyle.safe($0) } ?? ""
            self.init("the list\(name) changed while it was checked", help: command.doubt)
        case .list where command == .check: self.init(text.message, help: command.doubt)
        case .state, .list, .unreachable, .recalled: self = text
        }
    }
}
