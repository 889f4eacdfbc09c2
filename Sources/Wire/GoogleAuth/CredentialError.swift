/// The reason why text is not a usable credential; it contains no part of a secret.
package enum CredentialError: Error, Hashable, Sendable {
    case notJSON
    /// Another kind of file, with its type if the file states one.
    case unknownType(String?)
    case missing(field: String)
    case malformed(field: String)
    /// A kind of credential that exists but that Herald does not support.
    case unsupported(UnsupportedCredential)
    /// A Google API key, `AIza…`.
    case apiKey
    /// A server key for the legacy FCM API.
    case serverKey
    /// An OAuth 2.0 access token, `ya29.…`.
    case accessToken

    package var explanation: String {
        switch self {
        case .notJSON: "it is not a JSON object"
        case .unknownType(let type?): "its type, \(type), is unknown"
        case .unknownType(nil): "it has no type, such as service_account"
        case .missing(let field): "\(field) is missing"
        case .malformed("private_key"): "private_key is not an RSA key of at least 2048 bits in PEM"
        case .malformed(let field) where Self.addresses.contains(field):
            "\(field) is not an https:// address"
        case .malformed(let field): "\(field) is malformed"
        case .unsupported(let kind): kind.explanation
        case .apiKey: "it is an API key, which identifies a project but cannot send"
        case .serverKey:
            "it is a server key of the legacy FCM API, which Google shut down in 2024"
        case .accessToken: "it is an access token, which is valid for an hour at most"
        }
    }

    package var advice: String {
        switch self {
        case .unknownType(nil), .notJSON, .missing, .malformed:
            "use the original file from the Google Cloud console or gcloud, or create a new one"
        case .unknownType: "use the key of a service account"
        case .unsupported(let kind): kind.advice
        case .apiKey, .serverKey, .accessToken:
            "rotate it, and use the key of a service account or application default credentials"
        }
    }

    private static let addresses: Set<String> = [
        "token_uri", "token_url", "service_account_impersonation_url", "credential_source.url",
    ]
}

/// Kinds of credential that Google's libraries support but Herald does not.
package enum UnsupportedCredential: Hashable, Sendable {
    /// An executable that returns identities.
    case executable
    case amazon
    /// An identity with a client certificate.
    case certificate
    /// Google Distributed Cloud.
    case distributedCloud
    /// A member of a workforce pool who logged in with a browser.
    case workforce
    /// A client that presents its own secret to the Security Token Service.
    case clientSecret
    /// A cloud other than Google's own.
    case universe

    fileprivate var explanation: String {
        switch self {
        case .executable: "it runs a program to get its identity (credential_source.executable)"
        case .amazon: "its identity comes from AWS (credential_source.environment_id)"
        case .certificate: "its identity is a client certificate (credential_source.certificate)"
        case .distributedCloud: "it is for Google Distributed Cloud (gdch_service_account)"
        case .workforce: "it is a workforce pool login"
        case .clientSecret: "it has a client_id or client_secret for the Security Token Service"
        case .universe: "its universe_domain is not googleapis.com, which FCM requires"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .executable, .amazon, .certificate:
            "provide the identity in a file or at a URL (credential_source with file or url)"
        case .workforce:
            "log in with `gcloud auth application-default login`, or impersonate a service account"
        case .clientSecret: "create the configuration again without a client"
        case .distributedCloud, .universe: "use a Google Cloud account"
        }
    }
}
