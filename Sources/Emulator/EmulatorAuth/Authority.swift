/// A change of accounts or issued tokens.
///
/// It contains no secrets, so the log can record it.
package enum AuthorityChange: Sendable {
    case register(ServiceAccount)
    case registerUser(AuthorizedUser)
    case registerProvider(IdentityProvider)
    case forget(AccountKind, name: String)
    case issue(IssuedToken)
    case expireTokens
    case setTokenLifetime(seconds: Int64)
}

/// The accounts of the token endpoints, and the access tokens that they issued.
package struct Authority: Sendable {
    /// Whether requests to FCM require an unexpired token that this emulator issued.
    package var requiresTokens: Bool
    /// In order of registration.
    package private(set) var accounts: [ServiceAccount] = []
    package private(set) var users: [AuthorizedUser] = []
    package private(set) var providers: [IdentityProvider] = []
    package private(set) var tokens: [SecretDigest: IssuedToken] = [:]
    /// The tokens in order of issue.
    private var given: [SecretDigest] = []
    /// Minimum number of stored tokens; at most twice as many are stored.
    ///
    /// A token that is no longer stored is treated as unknown.
    static let tokenLimit = 10_000
    /// Seconds from issue to expiry; clients see one second less.
    package private(set) var tokenLifetime: Int64 = 3_600

    package init(requiresTokens: Bool = false) {
        self.requiresTokens = requiresTokens
    }

    func account(_ email: String) -> ServiceAccount? {
        accounts.first { $0.email == email }
    }

    func token(_ text: Substring) -> IssuedToken? {
        tokens.isEmpty ? nil : tokens[SecretDigest(of: text)]
    }

    package mutating func perform(_ change: AuthorityChange, at now: TokenTime) {
        switch change {
        case .register(let account): register(account)
        case .registerUser(let user):
            users.removeAll { $0.clientID == user.clientID }
            users.append(user)
        case .registerProvider(let provider):
            providers.removeAll { $0.audience == provider.audience }
            providers.append(provider)
        case .forget(let kind, let name): forget(kind, named: name)
        case .issue(let token): add(token)
        case .expireTokens: tokens = tokens.mapValues { $0.expired(at: now) }
        case .setTokenLifetime(let seconds): tokenLifetime = seconds
        }
    }

    private mutating func add(_ token: IssuedToken) {
        if given.count >= 2 * Self.tokenLimit {
            for digest in given.prefix(Self.tokenLimit) { tokens[digest] = nil }
            given.removeFirst(Self.tokenLimit)
        }
        given.append(token.digest)
        tokens[token.digest] = token
    }

    /// Registers an account; a known account keeps its other keys.
    private mutating func register(_ account: ServiceAccount) {
        guard let index = accounts.firstIndex(where: { $0.email == account.email }) else {
            accounts.append(account)
            return
        }
        let new = Set(account.keys.map(\.id))
        let kept = accounts[index].keys.filter { !new.contains($0.id) }
        accounts[index] = ServiceAccount(
            email: account.email,
            projectID: account.projectID,
            keys: kept + account.keys
        )
    }

    private mutating func forget(_ kind: AccountKind, named name: String) {
        switch kind {
        case .serviceAccount: accounts.removeAll { $0.email == name }
        case .authorizedUser: users.removeAll { $0.clientID == name }
        case .identityProvider: providers.removeAll { $0.audience == name }
        }
    }

    package func knows(_ kind: AccountKind, named name: String) -> Bool {
        switch kind {
        case .serviceAccount: account(name) != nil
        case .authorizedUser: users.contains { $0.clientID == name }
        case .identityProvider: providers.contains { $0.audience == name }
        }
    }

    /// Returns whether registering the account would change nothing.
    package func knows(_ account: ServiceAccount) -> Bool {
        let known = self.account(account.email)?.keys ?? []
        return account.keys.allSatisfy { key in
            known.contains { $0.id == key.id && $0.pem == key.pem }
        }
    }
}

extension IssuedToken {
    fileprivate func expired(at now: TokenTime) -> IssuedToken {
        IssuedToken(
            digest: digest,
            account: account,
            scopes: scopes,
            expiry: min(expiry, now)
        )
    }
}
