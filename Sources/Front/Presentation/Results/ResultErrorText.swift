package import Experiments
package import RegistrationLists
import State
import SystemIO

/// Errors of `herald results`.
extension ErrorText {
    /// `name`: the file as the command line names it.
    package init(_ error: OutcomeFileError, of name: String) {
        let file = TextStyle.safe(name)
        switch error {
        case .unreadable(let reason):
            self.init("cannot read \(file): \(reason)", help: "check the path and its permissions")
        case .empty: self.init("\(file) has no rows", help: "name a file with outcomes")
        case .noSubjectColumn:
            self.init(
                "\(file) has no column that identifies a person",
                help: "name a column identity, fingerprint, registration, instance_id or message_id"
            )
        case .noTimeColumn:
            self.init(
                "\(file) has no column with the time of the event",
                help: "name a column time (RFC 3339) or event_timestamp"
            )
        case .repeatedColumn(let column):
            self.init("\(file) has the column `\(column)` twice", help: "remove one of them")
        case .brokenHead(let reason):
            self.init("the header line of \(file) is invalid: \(reason)", help: "write it as CSV")
        }
    }

    /// Nil for an error of the state, which has a separate text.
    package init?(_ error: ExperimentError, hint: CommandHint) {
        switch error {
        case .state: return nil
        case .temporaryFile(let error):
            self.init(
                "the subjects cannot be sorted in a temporary file: \(error.reason)",
                help: "set TMPDIR to a directory with enough space"
            )
        case .noExperiment(let campaign):
            self.init(
                "campaign \(campaign) has sent no experiment",
                help: "give it `variants` or a `holdout`, and apply it"
            )
        case .noOutcome(let name, let others):
            self.init(
                "no outcome has the name `\(TextStyle.safe(name))`",
                help: "name one of: \(others.map(TextStyle.safe).joined(separator: ", "))"
            )
        case .fixedPlan:
            self.init(
                "the first look has fixed other expectations, and a change would make the intervals "
                    + "wrong",
                help:
                    "leave out --baseline, --deviation, --smallest-difference and --goal, or use a "
                    + "new experiment name for the next send"
            )
        }
    }
}

extension ErrorText {
    package static func unspooled(because reason: String) -> ErrorText {
        ErrorText(
            "standard input cannot be stored in a temporary file: \(reason)",
            help: "set TMPDIR to a directory with enough space, or name a file"
        )
    }
}
