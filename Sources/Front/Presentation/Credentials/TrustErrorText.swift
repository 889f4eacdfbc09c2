/// Errors of what a project's files ask for and the operator has not allowed.
extension ErrorText {
    private static let file = "allow it for this project in ~/.config/herald/trust.yaml"

    package static func untrustedCommand(_ command: String) -> ErrorText {
        ErrorText(
            "herald.yaml asks to run `\(TextStyle.safe(command))`, which you have not allowed",
            help: "if you trust this project, give --allow-commands, or \(file)"
        )
    }

    /// `sources`: their names.
    package static func untrustedSources(_ sources: [String]) -> ErrorText {
        let names = sources.map { "`\($0)`" }.joined(by: "and")
        let kind = sources.count == 1 ? "the source" : "the sources"
        return ErrorText(
            "herald.yaml asks to read \(kind) \(names), which you have not allowed",
            help: "if you trust this project, give --allow-sources, or \(file)"
        )
    }

    /// `folder`: the directory to allow.
    package static func untrustedPath(_ path: String, folder: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) is outside of the project, which you have not allowed",
            help: "if you trust this project, give --allow-path \(TextStyle.safe(folder)), "
                + "or \(file)"
        )
    }

    /// `name`: the credential's place.
    package static func untrustedTokenHost(_ host: String, in name: String) -> ErrorText {
        let host = TextStyle.safe(host)
        return ErrorText(
            "\(name) sends its identity to \(host), which is neither Google's nor this machine",
            help: "if that is right, give --allow-host \(host), or \(file)"
        )
    }

    package static func untrustedStateServer(_ host: String) -> ErrorText {
        let host = TextStyle.safe(host)
        return ErrorText(
            "herald.yaml contains the address of a state on \(host), which is not this machine",
            help: "put the whole address into an environment variable, and write `postgres: "
                + "\"${NAME}\"`. If the file is right, give --allow-host \(host)"
        )
    }

    package static func sourceInProjectCredential(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) is named in a project file and gets its identity from another file or server",
            help: "name it in GOOGLE_APPLICATION_CREDENTIALS and write "
                + "`credentials: application-default`"
        )
    }

    package static func credentialInProjectFile(_ name: String) -> ErrorText {
        ErrorText(
            "herald.yaml names the credential \(name); whoever changes the file would choose the "
                + "identity that sends",
            help: "write `credentials: application-default` and name the file in "
                + "GOOGLE_APPLICATION_CREDENTIALS; or write `credentials: env:NAME`"
        )
    }

    package static func trackedCredential(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) is a credential in the project's Git repository, where everyone with access "
                + "can read it",
            help: "rotate the key, remove it from Git, and keep the new one outside of the project"
        )
    }

    package static func exposedTrust(_ path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) can be changed by other users",
            help: "make it a plain file of yours: `chmod go-w`"
        )
    }

    package static func unreadableTrust(_ path: String, because reason: String) -> ErrorText {
        ErrorText("\(TextStyle.safe(path)) cannot be read: \(reason)")
    }

    package static func malformedTrust(
        _ path: String,
        line: Int?,
        because reason: String
    ) -> ErrorText {
        let place = TextStyle.safe(path) + (line.map { ":\($0)" } ?? "")
        return ErrorText("\(place): \(TextStyle.safe(reason))")
    }
}
