package import HTTPTransport

/// Why there is no access token.
package enum TokenError: Error, Hashable, Sendable {
    case unsigned
    case unreachable(TransportError)
    /// The server's own code and words (RFC 6749, section 5.2).
    case refused(code: String, description: String?)
    /// An answer that is none of a token endpoint.
    case unexpected(status: Int)

    package var explanation: String {
        switch self {
        case .unsigned: "the key can't sign"
        case .unreachable(let error): "the token server can't be reached: \(error.detail)"
        case .refused(let code, let description?): "\(code): \(description)"
        case .refused(let code, nil): code
        case .unexpected(let status): "the token server answered \(status) without a token"
        }
    }

    package var advice: String {
        switch self {
        case .unsigned: "make a new key for the account"
        case .unreachable: "check the network, proxy variables included"
        case .unexpected: "check that token_uri in the key's file names a token server"
        case .refused(let code, let description): Self.advice(code, description ?? "")
        }
    }

    private static func advice(_ code: String, _ description: String) -> String {
        switch code {
        case "invalid_grant" where description.contains("iat"): "set this computer's clock right"
        case "invalid_grant" where description.contains("Signature"):
            "the key was deleted or replaced: make a new one for the account"
        case "invalid_grant" where description.contains("account not found"):
            "the account was deleted: use the key of one that exists"
        case "invalid_grant", "invalid_client", "unauthorized_client":
            "make sure that the account and its key are enabled"
        default: "try again later"
        }
    }
}
