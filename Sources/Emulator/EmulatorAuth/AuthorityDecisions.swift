package import JSON

extension Authority {
    /// Decides a request to a token endpoint.
    ///
    /// The decision creates tokens, so repeating it gives a different result. Its record always
    /// gives the same result.
    package func decide(
        _ request: AuthRequest,
        at endpoint: OAuthRoute,
        now: TokenTime
    ) throws(InvalidArgument) -> AuthDecision {
        switch endpoint {
        case .token:
            return answering(request) { () throws(OAuthError) in
                try decideToken(request, at: now)
            }
        case .securityToken:
            return answering(request) { () throws(OAuthError) in
                try decideExchange(request, at: now)
            }
        case .generateAccessToken(let email):
            return try decideImpersonation(of: email, for: request, at: now)
        case .metadata(let path):
            var decision = decideMetadata(path, for: request, at: now)
            // A body from the client must not look like a grant in the log.
            if decision.recorded == nil { decision.recorded = RecordedExchange(of: request) }
            return decision
        }
    }

    private func answering(
        _ request: AuthRequest,
        decide: () throws(OAuthError) -> AuthDecision
    ) -> AuthDecision {
        do throws(OAuthError) {
            return try decide()
        } catch {
            return AuthDecision(answer: error.answer, recorded: RecordedExchange(of: request))
        }
    }

    /// Issues a token for an account, with an answer in the format of the endpoint.
    func issue(
        _ grant: TokenGrant,
        for request: AuthRequest,
        at now: TokenTime,
        answer: (_ text: String, _ token: IssuedToken) -> JSONValue
    ) -> AuthDecision {
        let text = FreshSecret.accessToken()
        let token = IssuedToken(
            digest: SecretDigest(of: text),
            account: grant.account,
            scopes: grant.scopes,
            expiry: now.advanced(bySeconds: grant.lifetime ?? tokenLifetime)
        )
        var recorded = RecordedExchange(of: request)
        recorded.body["granted"] = token.json
        recorded.answer = answer(token.digest.text, token)
        return AuthDecision(
            answer: .success(answer(text, token)),
            change: .issue(token),
            recorded: recorded
        )
    }

    /// Returns the token's remaining lifetime as Google reports it: 3599 for a token of one hour.
    func expiresIn(_ token: IssuedToken, at now: TokenTime) -> JSONValue {
        .integer(max(0, (token.expiry.milliseconds - now.milliseconds) / 1_000 - 1))
    }

    /// Returns the change that a recorded request for a token made, or nil if it issued none.
    package static func issue(in record: JSONValue?) -> AuthorityChange? {
        IssuedToken(record?["granted"]).map { .issue($0) }
    }
}

/// The account, the scopes and the lifetime of a token.
struct TokenGrant {
    let account: String
    let scopes: [String]
    /// In seconds; nil for the usual lifetime.
    let lifetime: Int64?

    init(to account: String, scopes: [String], lifetime: Int64? = nil) {
        self.account = account
        self.scopes = scopes
        self.lifetime = lifetime
    }
}
