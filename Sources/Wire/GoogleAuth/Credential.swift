import JSON

/// An identity that requests access tokens, with its proof.
///
/// It is a secret and does not print itself.
package enum Credential: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    case serviceAccount(ServiceAccountKey)
    case authorizedUser(AuthorizedUser)
    case externalAccount(ExternalAccount)
    indirect case impersonated(Impersonation, source: Credential)
    /// The account of the Google machine that this process runs on.
    case machine(MetadataServer)

    /// Reads a credential file from Google's console, gcloud or the login of a build service.
    package init(json: [UInt8]) throws(CredentialError) {
        guard let fields = CredentialFields(JSONValue(parsing: json)) else {
            throw Self.keyShape(of: json) ?? .notJSON
        }
        try self.init(fields)
    }

    private init(_ fields: CredentialFields) throws(CredentialError) {
        guard (fields.text("universe_domain") ?? "googleapis.com") == "googleapis.com" else {
            throw .unsupported(.universe)
        }
        switch fields.text("type") {
        case "service_account": self = .serviceAccount(try ServiceAccountKey(fields))
        case "authorized_user": self = .authorizedUser(try AuthorizedUser(fields))
        case "external_account": self = .externalAccount(try ExternalAccount(fields))
        case "impersonated_service_account":
            let source = try Credential(try fields.mapping("source_credentials"))
            self = .impersonated(try Impersonation(fields), source: source)
        case "external_account_authorized_user": throw .unsupported(.workforce)
        case "gdch_service_account": throw .unsupported(.distributedCloud)
        case let type: throw .unknownType(type)
        }
    }

    /// The kind of credential, as text for users.
    package var kind: String {
        switch self {
        case .serviceAccount: "a service account key"
        case .authorizedUser: "a user login"
        case .externalAccount: "workload identity federation"
        case .impersonated: "an impersonated service account"
        case .machine: "the machine's service account"
        }
    }

    /// The project that the credential belongs to; nil if it is unknown.
    package var projectID: String? {
        guard case .serviceAccount(let key) = self else { return nil }
        return key.projectID
    }

    /// Whether requests are a person's.
    ///
    /// Google charges these to a project that the requests name, not to the credential's project.
    package var isPersonal: Bool {
        if case .authorizedUser = self { true } else { false }
    }

    /// The project whose quota requests use; nil if the credential does not name one.
    package var quotaProject: String? {
        if case .authorizedUser(let user) = self { user.quotaProject } else { nil }
    }

    /// The URLs that get a secret or an identity of this credential, for access tokens.
    package var tokenURLs: [String] {
        switch self {
        case .serviceAccount(let key): [key.tokenURL]
        case .authorizedUser(let user): [user.tokenURL]
        case .externalAccount(let account):
            [account.tokenURL] + [account.impersonation?.url].compactMap(\.self)
        case .impersonated(let impersonation, let source): source.tokenURLs + [impersonation.url]
        // The credential names no server: Google's documentation does.
        case .machine: []
        }
    }

    /// Whether another file or server, which the credential names, proves the identity.
    package var hasOutsideSource: Bool {
        switch self {
        case .externalAccount: true
        case .impersonated(_, let source): source.hasOutsideSource
        case .serviceAccount, .authorizedUser, .machine: false
        }
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Credential {
    /// Recognizes keys that are not credential files by their form.
    ///
    /// API keys are `AIza` and 35 more characters; server keys were `AAAA…:APA91b…`; access tokens
    /// begin with `ya29.`.
    package static func keyShape(of text: [UInt8]) -> CredentialError? {
        let text = String(decoding: text.prefix(512), as: UTF8.self).drop { $0.isWhitespace }
        let key = text.hasPrefix("key=") ? text.dropFirst(4) : text
        if key.hasPrefix("AIza") { return .apiKey }
        let token = key.hasPrefix("Bearer ") ? key.dropFirst(7) : key
        if token.hasPrefix("ya29.") { return .accessToken }
        return key.hasPrefix("AAAA") ? .serverKey : nil
    }
}
