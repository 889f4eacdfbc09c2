import JSON

/// `POST /token` (Google Identity, Using OAuth 2.0 for server to server applications; RFC 6749,
/// section 6; RFC 7523).
extension Authority {
    func decideToken(
        _ request: AuthRequest,
        at now: TokenTime
    ) throws(OAuthError) -> AuthDecision {
        let fields = FormFields(request)
        switch fields["grant_type"] {
        case "urn:ietf:params:oauth:grant-type:jwt-bearer":
            let (account, scopes) = try accept(fields["assertion"], for: request, at: now)
            return issue(TokenGrant(to: account.email, scopes: scopes), for: request, at: now) {
                text,
                token in
                [
                    "access_token": .string(text), "expires_in": expiresIn(token, at: now),
                    "token_type": "Bearer",
                ]
            }
        case "refresh_token":
            let (user, scopes) = try refresh(fields)
            return issue(TokenGrant(to: user.clientID, scopes: scopes), for: request, at: now) {
                text,
                token in
                [
                    "access_token": .string(text), "expires_in": expiresIn(token, at: now),
                    "scope": .string(scopes.joined(separator: " ")), "token_type": "Bearer",
                ]
            }
        case let type: throw .unsupportedGrant(type ?? "")
        }
    }

    /// Verifies an assertion and returns its account and the requested scopes.
    ///
    /// The order of the checks is the same as Google's.
    private func accept(
        _ assertion: String?,
        for request: AuthRequest,
        at now: TokenTime
    ) throws(OAuthError) -> (ServiceAccount, [String]) {
        guard let signed = assertion.flatMap(SignedClaims.init) else { throw .badRequest }
        let claims = signed.claims
        guard signed.algorithm == "RS256" else { throw .badSignature }
        guard let account = claims.issuer.flatMap(account) else { throw .unknownAccount }
        guard signed.isSigned(byOneOf: account.keys) else { throw .badSignature }
        guard claims.issueTime != nil else { throw .missingIssueTime }
        guard claims.expiry != nil else { throw .missingExpiry }
        guard claims.isTimely(at: now.seconds, longestLife: 3_600) else { throw .badTimes }
        guard let scopes = AccessScope.list(claims.scope) else { throw .badScope }
        guard claims.audiences.count == 1, request.isTokenAudience(claims.audiences[0]) else {
            throw .badAudience
        }
        // Acting for another user requires a delegation, which no account here has.
        guard claims.subject ?? account.email == account.email else { throw .unauthorizedClient }
        return (account, scopes)
    }

    private func refresh(_ fields: FormFields) throws(OAuthError) -> (AuthorizedUser, [String]) {
        guard let clientID = fields["client_id"] else {
            throw OAuthError(
                code: "invalid_request",
                description: "Could not determine client ID from request."
            )
        }
        guard let user = users.first(where: { $0.clientID == clientID }) else {
            throw .unknownClient
        }
        guard fields["client_secret"].map({ SecretDigest(of: $0) }) == user.clientSecret else {
            throw .wrongClientSecret
        }
        let token = try fields.required("refresh_token")
        guard SecretDigest(of: token) == user.refreshToken else { throw .badRefreshToken }
        guard let wanted = fields["scope"] else { return (user, user.scopes) }
        guard let scopes = AccessScope.list(wanted), scopes.allSatisfy(user.scopes.contains) else {
            throw .badScope
        }
        return (user, scopes)
    }
}

extension AuthRequest {
    /// Returns whether an assertion is intended for this server.
    ///
    /// The audience may be a Google token endpoint, which libraries name regardless of the server,
    /// or the emulator's own endpoint under the host name in the request.
    fileprivate func isTokenAudience(_ audience: String) -> Bool {
        if Self.tokenURLs.contains(audience) { return true }
        guard let host else { return false }
        return OAuthRoute.tokenPaths.contains { path in
            audience == "http://\(host)\(path)" || audience == "https://\(host)\(path)"
        }
    }

    private static let tokenURLs: Set<String> = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
}
