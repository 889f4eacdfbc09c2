/// Errors of the keys of encrypted states.
extension ErrorText {
    package static func noStateKey(from command: String, because reason: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(command))` printed no state key: \(reason)",
            help: "fix the command in herald.yaml; it runs in the project directory"
        )
    }

    package static var unresolvedStateKey: ErrorText {
        ErrorText(
            "the key path uses a variable that this command does not resolve",
            help: "write `key: env:NAME`"
        )
    }

    package static func notStateKey(_ reference: String) -> ErrorText {
        ErrorText(
            "the value of \(reference) is not a state key",
            help: "use 32 bytes as base64 or 64 hexadecimal digits: `openssl rand -base64 32`"
        )
    }

    package static func missingStateKey(_ name: String, in variable: String) -> ErrorText {
        ErrorText(
            "the \(name == "key" ? "state key" : "previous state key") is missing: \(variable) "
                + "is not set",
            help: "set it; the state is encrypted (`\(name): env:\(variable)` in herald.yaml)"
        )
    }

    package static func unreadableStateKey(_ shown: String, because reason: String) -> ErrorText {
        ErrorText("the state key cannot be read: \(shown): \(reason)")
    }

    package static func stateKeyIsNoFile(_ shown: String) -> ErrorText {
        ErrorText("the state key cannot be read: \(shown) is not a file")
    }

    package static func exposedStateKey(_ shown: String) -> ErrorText {
        ErrorText(
            "other users can read the state key \(shown)",
            help: "run `chmod 600 \(shown)`; replace the key if other users may have read it"
        )
    }
}
