import EmulatorAuth
import JSON

/// The emulator's own routes for accounts and tokens.
extension Authority {
    func decide(
        _ request: EmulatorRequest,
        at place: AuthorityRoute
    ) throws(GoogleError) -> Decision {
        switch place {
        case .overview: return try decideSettings(request)
        case .tokens:
            return Decision(answer: .success(), effect: .authority(.expireTokens))
        case .accounts(let kind): return try decideRegistration(of: kind, for: request)
        case .account(let kind, let name):
            guard knows(kind, named: name) else {
                throw .notFound(path: String(RequestTarget(request.target).path))
            }
            return Decision(
                answer: .success(),
                effect: .authority(.forget(kind, name: name)),
                recorded: RecordedExchange(body: [:])
            )
        }
    }

    private func decideSettings(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        guard let seconds = request.json?["token_lifetime_seconds"]?.integerValue,
            (1...43_200).contains(seconds), request.json?.objectValue?.members.count == 1
        else { throw GoogleError(.authority("token_lifetime_seconds must be from 1 to 43200")) }
        let body: JSONObject = ["token_lifetime_seconds": .integer(seconds)]
        return Decision(
            answer: .success(.object(body)),
            effect: .authority(.setTokenLifetime(seconds: seconds)),
            recorded: RecordedExchange(body: body)
        )
    }

    private func decideRegistration(
        of kind: AccountKind,
        for request: EmulatorRequest
    ) throws(GoogleError) -> Decision {
        do throws(InvalidArgument) {
            switch kind {
            case .serviceAccount:
                return try decideServiceAccount(ServiceAccountRequest(request.json), for: request)
            case .authorizedUser:
                let user = try AuthorizedUser(request.json)
                return .registering(.registerUser(user), answer: user.json)
            case .identityProvider:
                let provider = try IdentityProvider(request.json)
                return .registering(.registerProvider(provider), answer: provider.json)
            }
        } catch {
            throw GoogleError(error)
        }
    }

    private func decideServiceAccount(
        _ wanted: ServiceAccountRequest,
        for request: EmulatorRequest
    ) throws(InvalidArgument) -> Decision {
        guard wanted.keys.isEmpty else {
            let account = ServiceAccount(
                email: wanted.email,
                projectID: wanted.projectID,
                keys: wanted.keys
            )
            return .registering(.register(account), answer: account.json)
        }
        guard let key = try? FreshKey() else { throw .authority("cannot create a key") }
        let account = ServiceAccount(
            email: wanted.email,
            projectID: wanted.projectID,
            keys: [key.publicKey]
        )
        var decision = Decision.registering(.register(account), answer: account.json)
        let tokenURL = wanted.tokenURL ?? "http://\(request.host ?? "127.0.0.1:9099")/token"
        decision.answer.body = key.file(of: account, tokenURL: tokenURL)
        return decision
    }

    /// Returns the answer to `GET`, which contains no secrets.
    func view(
        of place: AuthorityRoute,
        for target: RequestTarget
    ) throws(GoogleError) -> JSONObject {
        switch place {
        case .overview:
            return [
                "require_tokens": .bool(requiresTokens),
                "token_lifetime_seconds": .integer(tokenLifetime),
                "service_accounts": .array(list(.serviceAccount)),
                "authorized_users": .array(list(.authorizedUser)),
                "identity_providers": .array(list(.identityProvider)),
            ]
        case .tokens:
            let sorted = tokens.values.sorted {
                ($0.expiry, $0.digest.text) < ($1.expiry, $1.digest.text)
            }
            return try Page(target).answer("tokens", of: sorted) { $1.json }
        case .accounts(let kind), .account(let kind, _):
            let name = kind.rawValue.replacing("-", with: "_")
            return try Page(target).answer(name, of: list(kind)) { $1 }
        }
    }

    private func list(_ kind: AccountKind) -> [JSONValue] {
        switch kind {
        case .serviceAccount: accounts.map(\.json)
        case .authorizedUser: users.map(\.json)
        case .identityProvider: providers.map(\.json)
        }
    }
}

extension Decision {
    /// Registers an account; `json` is the account without its secrets.
    fileprivate static func registering(
        _ change: AuthorityChange,
        answer json: JSONValue
    ) -> Decision {
        Decision(
            answer: .success(json),
            effect: .authority(change),
            recorded: RecordedExchange(body: json.objectValue ?? [:], answer: json)
        )
    }
}

extension FreshKey {
    /// Returns a service account file in the format of the Google Cloud console.
    fileprivate func file(of account: ServiceAccount, tokenURL: String) -> JSONValue {
        [
            "type": "service_account", "project_id": .string(account.projectID),
            "private_key_id": .string(publicKey.id), "private_key": .string(privatePEM),
            "client_email": .string(account.email), "client_id": "100000000000000000000",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": .string(tokenURL),
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "universe_domain": "googleapis.com",
        ]
    }
}
