/// Errors of confirmations.
extension ErrorText {
    package static var nothingChanged: ErrorText { ErrorText("nothing was changed") }

    /// A required confirmation that the command cannot ask for.
    package static func unconfirmed(
        isInputDisabled: Bool,
        for work: ConfirmedWork
    ) -> ErrorText {
        let reason =
            isInputDisabled ? "--no-input is given" : "standard input is not a terminal"
        return ErrorText(
            "cannot ask for confirmation: \(reason)",
            help: "give --yes to \(work.rawValue) without confirmation"
        )
    }
}

/// What a command asks to confirm.
package enum ConfirmedWork: String {
    case applying = "apply"
    case resolving = "resolve"
    case changing = "continue"
}
