package import CampaignModel
package import State

/// Errors of copies of a state.
extension ErrorText {
    package static func existingCopy(_ file: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(file)) already exists",
            help: "give another name, or give --force to replace it"
        )
    }

    package static func copyIsState(_ file: String) -> ErrorText {
        ErrorText("\(TextStyle.safe(file)) is the state itself")
    }

    package static func copyInUse(_ file: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(file)) is in use, or was copied during use",
            help: "make copies with `herald state pull`"
        )
    }

    /// The copy belongs to another environment or project than `herald.yaml` names, or than this
    /// machine has seen.
    package static func foreignCopy(
        _ file: String,
        lineage: StateLineage,
        required: RequiredLineage,
        in environment: EnvironmentID
    ) -> ErrorText {
        let expected = TextStyle.safe(required.lineage.text)
        let help: String
        let who: String
        switch required.source {
        case .projectFile:
            who = "herald.yaml names"
            help = "nothing was changed; push a copy of the environment's own state"
        case .machine:
            who = "this machine has seen the state of \(environment) with"
            help =
                "nothing was changed; if the copy is right, write `lineage: "
                + "\"\(TextStyle.safe(lineage.text))\"` under the environment's `state` in "
                + "herald.yaml"
        }
        return ErrorText(
            "\(TextStyle.safe(file)) is another state: its lineage is \(lineage), but \(who) "
                + "lineage \(expected)",
            help: help
        )
    }

    /// `path`: the present state.
    package static func foreignCopy(
        _ file: String,
        lineage: StateLineage,
        there: StateLineage,
        at path: String
    ) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(file)) is another state: its lineage is \(lineage), but the present "
                + "state has lineage \(TextStyle.safe(there.text))",
            help: "nothing was changed; move \(TextStyle.safe(path)) away if it is not needed"
        )
    }

    /// `highest`: the highest serial known; nil if the copy has it and was made during a run.
    package static func olderCopy(
        _ file: String,
        serial: StateSerial,
        highest: StateSerial?,
        hint: CommandHint
    ) -> ErrorText {
        let push = hint("state push \(TextStyle.safe(file)) --dangerous-older")
        let cause =
            if let highest {
                "is older than the state: its serial is \(serial), the highest is \(highest)"
            } else {
                "was made during a run and lacks what the run did afterwards"
            }
        return ErrorText(
            "\(TextStyle.safe(file)) \(cause)",
            help: "nothing was changed; use the newest copy. `\(push)` accepts this one anyway: "
                + "what may have been sent since then counts as unknown"
        )
    }

    /// The copy at `file` cannot be used.
    package init(_ error: StateStoreError, ofCopy file: String) {
        let file = TextStyle.safe(file)
        let nothing = "nothing was changed"
        switch error {
        case .damaged(_, let reason):
            self.init("\(file) is not an intact state: \(reason)", help: nothing)
        case .otherFormat(_, let found, let supported):
            self.init(
                "\(file) has format \(found); this Herald supports \(supported)",
                help: "\(nothing); use the version of Herald that wrote it"
            )
        case .encrypted:
            self.init(
                "\(file) is encrypted, but herald.yaml names no key",
                help: "\(nothing); add `encryption` to the environment's `state` in herald.yaml"
            )
        case .wrongKey: self.init("\(file) is encrypted with another key", help: nothing)
        case .notEncrypted:
            self.init(
                "\(file) is not encrypted, but herald.yaml has `encryption`",
                help: "\(nothing); push it without `encryption` in herald.yaml, then "
                    + "`herald state init` encrypts it"
            )
        case .unreachable, .damagedIDs, .diskFull, .readOnly, .locked, .failed, .missing, .foreign,
            .replaced, .unsuitable, .displaced, .rolledBack, .moved, .server:
            self.init(error)
        }
    }

    /// The same error without its advice.
    package var withoutHelp: ErrorText { ErrorText(message) }
}
