package import FoundationEssentials
package import HTTPTransport
import JSON

/// Gets access tokens for a credential.
package struct TokenExchange: Sendable {
    private let credential: Credential
    let client: TokenClient
    /// The wall clock, used to date assertions.
    let now: @Sendable () -> Date

    package init(
        _ credential: Credential,
        over transport: any Transport,
        retries: TokenRetries = .standard,
        now: @escaping @Sendable () -> Date
    ) {
        self.credential = credential
        client = TokenClient(transport: transport, retries: retries)
        self.now = now
    }

    package func token(for scopes: [AccessScope]) async throws(TokenError) -> AccessToken {
        try await token(of: credential, for: scopes)
    }

    private func token(
        of credential: Credential,
        for scopes: [AccessScope]
    ) async throws(TokenError) -> AccessToken {
        switch credential {
        case .serviceAccount(let key): return try await token(by: key, for: scopes)
        case .authorizedUser(let user): return try await token(of: user)
        case .externalAccount(let account): return try await token(of: account, for: scopes)
        case .impersonated(let target, let source):
            let own = try await token(of: source, for: [.cloudPlatform])
            return try await token(of: target, with: own, for: scopes)
        case .machine(let server): return try await token(from: server, for: scopes)
        }
    }

    private func token(
        by key: ServiceAccountKey,
        for scopes: [AccessScope]
    ) async throws(TokenError) -> AccessToken {
        let assertion: SignedAssertion
        do {
            assertion = try await SignedAssertion(
                by: key,
                for: scopes,
                audience: key.tokenURL,
                at: now()
            )
        } catch {
            throw TokenError(step: .assertion, cause: .unsigned)
        }
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
            ("assertion", assertion.text),
        ]
        let request = HTTPRequest(form: form, to: key.tokenURL)
        return try await client.answer(to: request, in: .assertion).token(of: .assertion)
    }

    /// Requests the scopes that the person agreed to; other scopes are not possible (RFC 6749,
    /// section 6).
    private func token(of user: AuthorizedUser) async throws(TokenError) -> AccessToken {
        let form = [
            ("grant_type", "refresh_token"), ("client_id", user.clientID),
            ("client_secret", user.clientSecret), ("refresh_token", user.refreshToken),
        ]
        let request = HTTPRequest(form: form, to: user.tokenURL)
        return try await client.answer(to: request, in: .refresh).token(of: .refresh)
    }

    private func token(
        of account: ExternalAccount,
        for scopes: [AccessScope]
    ) async throws(TokenError) -> AccessToken {
        let wanted = account.impersonation == nil ? scopes : [.cloudPlatform]
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("audience", account.audience), ("scope", AccessScope.list(wanted)),
            ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("subject_token_type", account.subjectTokenType),
            ("subject_token", try await identity(from: account.source)),
        ]
        let request = HTTPRequest(form: form, to: account.tokenURL)
        let answer = try await client.answer(to: request, in: .federation)
        let own = try answer.token(of: .federation)
        guard let target = account.impersonation else { return own }
        return try await token(of: target, with: own, for: scopes)
    }
}

extension TokenExchange {
    private func token(
        of target: Impersonation,
        with own: AccessToken,
        for scopes: [AccessScope]
    ) async throws(TokenError) -> AccessToken {
        var body: JSONObject = [
            "scope": .array(scopes.map { .string($0.rawValue) }),
            "lifetime": .string("\(target.lifetime)s"),
        ]
        if !target.delegates.isEmpty {
            body["delegates"] = .array(target.delegates.map { .string($0) })
        }
        let request = HTTPRequest(
            method: .post,
            url: target.url,
            headers: [
                HTTPHeader(name: "Authorization", value: "Bearer " + own.bearer),
                HTTPHeader(name: "Content-Type", value: "application/json"),
            ],
            body: JSONValue.object(body).compactBytes
        )
        let answer = try await client.answer(to: request, in: .impersonation)
        let json = JSONValue(parsing: answer.body)
        guard answer.status == 200 else { throw answer.refusal(json, at: .impersonation) }
        guard let text = json?["accessToken"]?.stringValue, text.isBearer,
            let end = json?["expireTime"]?.stringValue.flatMap(Self.date)
        else { throw TokenError(step: .impersonation, cause: .unexpected(status: answer.status)) }
        // The answer contains a time by IAM's clock. If the local clock is wrong, the token gets
        // the requested lifetime at most, or is renewed soon.
        let left = end.timeIntervalSince(now())
        let life = min(max(left, 10), Double(target.lifetime))
        return AccessToken(bearer: text, life: .seconds(life))
    }

    private static func date(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle()
        return (try? style.parse(text)) ?? (try? style.includingFractionalSeconds().parse(text))
    }
}

extension Date.ISO8601FormatStyle {
    fileprivate func includingFractionalSeconds() -> Self {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    }
}

extension AccessScope {
    static func list(_ scopes: [AccessScope]) -> String {
        scopes.map(\.rawValue).joined(separator: " ")
    }
}

extension HTTPRequest {
    /// Encodes form fields in order.
    fileprivate init(form: [(String, String)], to url: String) {
        let text = form.map { "\($0)=\($1.formEncoded)" }.joined(separator: "&")
        self.init(
            method: .post,
            url: url,
            headers: [HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded")],
            body: Array(text.utf8)
        )
    }
}
