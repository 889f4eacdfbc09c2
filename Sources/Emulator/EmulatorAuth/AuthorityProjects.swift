/// The projects of accounts and tokens.
extension Authority {
    /// Prefix of an unsigned token that names its project, such as `project:demo`.
    package static let projectPrefix = "project:"

    /// Returns the project of a bearer token's account, or nil if the token has none.
    package func project(ofBearer text: Substring) -> String? {
        if let token = token(text) { return project(of: token.account) }
        guard text.hasPrefix(Self.projectPrefix) else { return nil }
        return String(text.dropFirst(Self.projectPrefix.count))
    }

    /// Returns the project of the account for which a token is requested, or nil if it is unknown.
    package func project(of request: AuthRequest, at endpoint: OAuthRoute) -> String? {
        switch endpoint {
        case .token:
            let fields = FormFields(request)
            if let client = fields["client_id"] { return project(of: client) }
            let claims = fields["assertion"].flatMap { SignedClaims($0) }?.claims
            return claims?.issuer.flatMap { project(of: $0) }
        case .generateAccessToken(let email): return project(of: email)
        case .securityToken, .metadata: return nil
        }
    }

    private func project(of name: String) -> String? {
        account(name)?.projectID ?? users.first { $0.clientID == name }?.projectID
    }
}
