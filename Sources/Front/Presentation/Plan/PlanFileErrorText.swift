import Planning

/// Errors of plan files and of `apply --expect`.
extension ErrorText {
    package static func noPlanReference(_ text: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(text))` is neither a digest nor a file",
            help: "give a digest as in the last line of `herald plan`: "
                + "\(PlanDigest.length) hexadecimal digits, optionally with @ and a number"
        )
    }

    package static func notPlan(_ name: String) -> ErrorText {
        ErrorText("\(name) is not a plan", help: "create one with `herald plan --out FILE`")
    }

    package static func planWithoutState(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) was planned without the state, so it cannot be applied",
            help: "create one with `herald plan --out FILE`, without `--without-state`"
        )
    }

    package static func modifiedPlan(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) was modified: its content does not match its digest",
            help: "use the unmodified file that `herald plan --out` wrote"
        )
    }

    package static func planOfOtherVersion(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) was written by another version of Herald and cannot be "
                + "compared",
            help: "create the plan again with this version"
        )
    }

    package static func planIsNoFile(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) is not a regular file, so no plan is written there",
            help: "name a regular file, not a link"
        )
    }

    package static func otherFileAtPlan(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) exists and is not a plan, so it is not overwritten",
            help: "give another name, or remove the file"
        )
    }
}
