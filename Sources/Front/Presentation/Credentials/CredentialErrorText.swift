/// Errors of credentials and access tokens.
extension ErrorText {
    private static let login =
        "log in with `gcloud auth application-default login`, or name a key file in "
        + "GOOGLE_APPLICATION_CREDENTIALS"

    package static var defaultCredentialsForEmulator: ErrorText {
        ErrorText(
            "an emulator requires the key of a registered service account, not application "
                + "default credentials",
            help: "name a key file; create one with `herald emulator make-key`"
        )
    }

    package static func noServiceAccount(in source: String) -> ErrorText {
        ErrorText(
            "\(source) contains no service account key, which an emulator requires",
            help: "create one with `herald emulator make-key`"
        )
    }

    package static func unsetKeyVariable(_ name: String) -> ErrorText {
        ErrorText("\(name) is not set, but herald.yaml reads the key from it")
    }

    package static func keyInFileVariable(_ variable: String) -> ErrorText {
        ErrorText(
            "\(variable) contains a key, but must name a file",
            help: "write the key into a file, or name the variable in herald.yaml: "
                + "`credentials: env:NAME`"
        )
    }

    package static func noDefaultCredentials(at path: String) -> ErrorText {
        ErrorText(
            "there are no application default credentials: GOOGLE_APPLICATION_CREDENTIALS is "
                + "not set, \(TextStyle.safe(path)) does not exist, and NO_GCE_CHECK is true",
            help: login
        )
    }

    package static func unusableCredential(
        in name: String,
        because reason: String,
        help: String?
    ) -> ErrorText {
        ErrorText(
            "\(name) does not contain a usable credential:  "
                + TextStyle.safe(reason),
            help: help
        )
    }

    package static var noMetadataServer: ErrorText {
        ErrorText(
            "there are no application default credentials: neither a file nor a Google "
                + "metadata server",
            help: login
        )
    }

    package static func credentialOfOtherProject(
        _ id: String,
        at place: String,
        than project: String
    ) -> ErrorText {
        ErrorText(
            "the environment is for the project `\(project)`, but \(place) is for "
                + "`\(TextStyle.safe(id))`",
            help: "use the credential of that project; if this one may send for it too, set "
                + "GOOGLE_CLOUD_PROJECT=\(project)"
        )
    }

    package static func noAccessToken(
        from server: String,
        because reason: String,
        help: String?
    ) -> ErrorText {
        ErrorText("\(server) issued no access token:  \(TextStyle.safe(reason))", help: help)
    }
}
