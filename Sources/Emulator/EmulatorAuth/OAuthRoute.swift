/// The routes on which Google issues access tokens, on any of its hosts.
package enum OAuthRoute: Hashable, Sendable {
    /// `POST /token` and its two older paths (RFC 7523 assertions, refresh tokens).
    case token
    /// `POST /v1/token` of the Security Token Service (RFC 8693).
    case securityToken
    /// `POST /v1/projects/-/serviceAccounts/{email}:generateAccessToken`
    case generateAccessToken(email: String)
    /// The metadata server of a virtual machine: its path below `/computeMetadata/v1/`, or nil for
    /// `/`, with which clients detect the server.
    case metadata(path: [String]?)

    package static let tokenPaths = ["/token", "/oauth2/v4/token", "/o/oauth2/token"]
}

/// The kinds of accounts that can receive access tokens.
package enum AccountKind: String, Hashable, CaseIterable, Sendable {
    case serviceAccount = "service-accounts"
    case authorizedUser = "authorized-users"
    case identityProvider = "identity-providers"
}
