package import CampaignModel

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

/// Why notifications cannot be sent.
extension ErrorText {
    package static func unsetNotifyVariable(_ variable: VariableReference) -> ErrorText {
        ErrorText(
            "\(variable.name) is not set, but `notify` in the environment's settings names it",
            help: "set it where this command runs, or remove it from `notify` and apply"
        )
    }

    /// The value is not repeated, because it is a secret.
    package static func unusableWebhook(_ variable: VariableReference) -> ErrorText {
        ErrorText(
            "\(variable.name) is not the URL of a webhook",
            help: "set it to an https:// URL without name and password; only this machine may be "
                + "used without TLS"
        )
    }
}

/// Why a service's health and metrics cannot be served.
extension ErrorText {
    package static func addressInUse(_ url: String) -> ErrorText {
        ErrorText(
            "another process listens on \(url)",
            help: "stop it, or give another address to --listen"
        )
    }

    package static func cannotListen(on url: String, because reason: String) -> ErrorText {
        ErrorText(
            "cannot listen on \(url): \(TextStyle.safe(reason))",
            help: "give an address of this machine to --listen"
        )
    }
}
