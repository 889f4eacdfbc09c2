/// Why a run without the files cannot begin.
extension ErrorText {
    /// `path`: of the missing state.
    package static func noStateToSendFrom(_ path: String) -> ErrorText {
        ErrorText(
            "there is no state at \(TextStyle.safe(path))",
            help: "run `herald apply` first, or give the state's file with --state"
        )
    }

    package static func nothingAppliedYet(_ path: String) -> ErrorText {
        ErrorText(
            "nothing was applied to the state \(TextStyle.safe(path)) yet",
            help: "run `herald apply` first"
        )
    }

    package static func unreadableEnvironment(_ path: String) -> ErrorText {
        ErrorText(
            "the settings of the environment in the state \(TextStyle.safe(path)) are unreadable",
            help: "run `herald apply` with this version of Herald"
        )
    }
}
