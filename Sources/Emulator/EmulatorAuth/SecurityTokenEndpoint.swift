import JSON

/// `POST /v1/token` of the Security Token Service: exchanges an external identity for an access
/// token (Security Token Service API reference, method token; RFC 8693).
extension Authority {
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

    func decideExchange(
        _ request: AuthRequest,
        at now: TokenTime
    ) throws(OAuthError) -> AuthDecision {
        let fields = FormFields(request)
        let grant = try fields.required("grant_type")
        guard grant == "urn:ietf:params:oauth:grant-type:token-exchange" else {
            throw .unsupportedGrant(grant)
        }
        guard try fields.required("requested_token_type") == Self.accessTokenType else {
            throw .badValue("requested_token_type")
        }
        let provider = try provider(fields)
        let subject = try subject(from: fields, provider: provider, at: now)
        guard let scopes = AccessScope.list(fields["scope"]) else { throw .badScope }
        let principal = provider.principal(subject)
        return issue(TokenGrant(to: principal, scopes: scopes), for: request, at: now) {
            text,
            token in
            [
                "access_token": .string(text), "issued_token_type": .string(Self.accessTokenType),
                "token_type": "Bearer", "expires_in": expiresIn(token, at: now),
            ]
        }
    }

    private func provider(_ fields: FormFields) throws(OAuthError) -> IdentityProvider {
        let audience = try fields.required("audience")
        guard IdentityProvider.isAudience(audience) else {
            throw OAuthError(
                code: "invalid_request",
                description: "Invalid value for \"audience\". This value should be the full "
                    + "resource name of the Identity Provider. See "
                    + "https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token for "
                    + "the list of possible formats."
            )
        }
        guard let provider = providers.first(where: { $0.audience == audience }) else {
            throw OAuthError(
                code: "invalid_target",
                description: "The target service indicated by the \"audience\" parameters is "
                    + "invalid. This might either be because the pool or provider is disabled or "
                    + "deleted or because it doesn't exist."
            )
        }
        return provider
    }

    /// Verifies the provider's token and returns its subject.
    private func subject(
        from fields: FormFields,
        provider: IdentityProvider,
        at now: TokenTime
    ) throws(OAuthError) -> String {
        let kinds = ["jwt", "id_token"].map { "urn:ietf:params:oauth:token-type:\($0)" }
        guard kinds.contains(try fields.required("subject_token_type")) else {
            throw .badValue("subject_token_type")
        }
        guard let signed = SignedClaims(try fields.required("subject_token")) else {
            throw .grant("Unable to parse the ID Token.")
        }
        let claims = signed.claims
        guard claims.issuer == provider.issuer else {
            throw .grant(
                "The issuer in ID Token \(claims.issuer ?? "") does not match the expected one: "
                    + "\(provider.issuer)."
            )
        }
        guard signed.isSigned(byOneOf: provider.keys) else {
            throw .grant("Error verifying the signature of the ID Token.")
        }
        guard claims.audiences.contains(where: provider.accepts) else {
            throw .grant(
                "The audience in ID Token [\(claims.audiences.joined(separator: ", "))] does not "
                    + "match the expected audience."
            )
        }
        guard claims.isTimely(at: now.seconds, longestLife: 86_400) else {
            throw .grant("ID Token issued at \(claims.issueTime ?? 0) is stale to sign-in.")
        }
        guard let subject = claims.subject, !subject.isEmpty else {
            throw .grant("The mapped attribute 'google.subject' must be of type STRING.")
        }
        return subject
    }
}

extension IdentityProvider {
    /// Returns whether the provider accepts an audience.
    ///
    /// A provider without a list of audiences expects its own name (Google Cloud documentation,
    /// Workload Identity Federation).
    fileprivate func accepts(_ tokenAudience: String) -> Bool {
        allowedAudiences.isEmpty
            ? tokenAudience == "https:" + audience || tokenAudience == audience
            : allowedAudiences.contains(tokenAudience)
    }
}

extension OAuthError {
    fileprivate static func badValue(_ parameter: String) -> OAuthError {
        OAuthError(code: "invalid_request", description: "Invalid value for \"\(parameter)\".")
    }
}
