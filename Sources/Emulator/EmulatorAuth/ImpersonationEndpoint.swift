import JSON

/// `generateAccessToken`: exchanges a token for a token of another account (IAM Service Account
/// Credentials API reference).
///
/// Any valid token may impersonate every known account, because the emulator has no roles.
extension Authority {
    func decideImpersonation(
        of email: String,
        for request: AuthRequest,
        at now: TokenTime
    ) throws(InvalidArgument) -> AuthDecision {
        do throws(CredentialError) {
            try requireToken(request.authorization?.bearerToken, for: .impersonation, at: now)
        } catch {
            return AuthDecision(answer: error.answer, recorded: RecordedExchange(of: request))
        }
        return try generateToken(for: email, request: request, at: now)
    }

    private func generateToken(
        for email: String,
        request: AuthRequest,
        at now: TokenTime
    ) throws(InvalidArgument) -> AuthDecision {
        guard let body = request.json, body.objectValue != nil else {
            throw InvalidArgument(
                description: "Invalid JSON payload received. Unexpected token."
            )
        }
        let delegates = body["delegates"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for name in [email] + delegates.map(\.accountName) where account(name) == nil {
            return AuthDecision(
                answer: .unknownAccount(name),
                recorded: RecordedExchange(of: request)
            )
        }
        let written = body["scope"]?.arrayValue ?? []
        guard let scopes = AccessScope.list(written.compactMap(\.stringValue)) else {
            throw .field("scope", because: "A scope is required, and each must be a Google scope.")
        }
        let lifetime = try Self.lifetime(body["lifetime"])
        return issue(
            TokenGrant(to: email, scopes: scopes, lifetime: lifetime),
            for: request,
            at: now
        ) {
            text,
            token in
            [
                "accessToken": .string(text), "expireTime": .string(token.expiry.rfc3339Seconds),
            ]
        }
    }

    /// Returns the lifetime, from 1 to 3,600 seconds, or nil if the request has none (default: one
    /// hour).
    private static func lifetime(_ json: JSONValue?) throws(InvalidArgument) -> Int64? {
        guard let json else { return nil }
        guard let text = json.stringValue, text.hasSuffix("s"),
            let seconds = Int64(text.dropLast()), (1...3_600).contains(seconds)
        else {
            throw .field("lifetime", because: "The lifetime must be from 1s to 3600s.")
        }
        return seconds
    }
}

extension AuthAnswer {
    fileprivate static func unknownAccount(_ email: String) -> AuthAnswer {
        AuthAnswer(
            status: 404,
            body: [
                "error": [
                    "code": 404,
                    "message": .string("Not found; Gaia id not found for email \(email)"),
                    "status": "NOT_FOUND",
                ]
            ]
        )
    }
}

extension InvalidArgument {
    fileprivate static func field(_ name: String, because description: String) -> InvalidArgument {
        InvalidArgument(field: name, description: description)
    }
}

extension String {
    /// The last component of `projects/-/serviceAccounts/{email}`: the email address.
    fileprivate var accountName: String {
        split(separator: "/").last.map(String.init) ?? self
    }
}
