package import CampaignModel
package import GoogleAuth

/// Why a listener cannot start.
extension ErrorText {
    /// `path`: the required place of the program.
    package static func noListenProgram(_ path: String, because reason: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be started: \(TextStyle.safe(reason))",
            help: "install herald-listen next to herald; it needs libstrophe"
        )
    }

    package static func noUpstream(in environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "the environment \(environment) does not declare `upstream`",
            help: "add `upstream: {sender_id: …}` to the environment in herald.yaml"
        )
    }

    package static func noServerKey(in environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "the environment \(environment) does not declare `upstream.server_key`",
            help: "add `server_key: env:NAME` to `upstream`, or receive over --http only"
        )
    }

    package static func unsetListenVariable(_ name: String, for use: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(name)) is not set, but contains \(use)",
            help: "set it where this command runs"
        )
    }

    package static func unusableTokenKeys(
        _ path: String,
        because failure: IdentityTokens.KeyFailure
    ) -> ErrorText {
        let reason =
            switch failure {
            case .wrongForm: "it is neither a JSON Web Key Set nor an object of certificates"
            case .unusableKey(let id): "the key \(TextStyle.safe(id)) is not an RSA key"
            case .noKey: "it contains no key"
            }
        return ErrorText(
            "\(TextStyle.safe(path)) cannot be used: \(reason)",
            help: "download the public keys of securetoken@system.gserviceaccount.com"
        )
    }

    package static func unusableIdentity(_ path: String, because reason: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be used for TLS: \(TextStyle.safe(reason))",
            help: "give a certificate chain and its key in PEM"
        )
    }
}
