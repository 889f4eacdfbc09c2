import DeliveryModel
import FCMWire
import JSON

/// What changes who is known, and what was given to whom.
///
/// It holds no secret, so that it can be recorded.
enum AuthorityChange: Sendable {
    case register(ServiceAccount)
    case registerUser(AuthorizedUser)
    case registerProvider(IdentityProvider)
    case forget(AccountKind, name: String)
    case issue(IssuedToken)
    case expireTokens
    case setTokenLifetime(seconds: Int64)
}

/// Who is known to the token endpoints, and the access tokens that they gave.
struct Authority: Sendable {
    /// Whether requests to FCM need a token that was issued here and has not expired.
    var requiresTokens: Bool
    /// In the order in which they were made known.
    private(set) var accounts: [ServiceAccount] = []
    private(set) var users: [AuthorizedUser] = []
    private(set) var providers: [IdentityProvider] = []
    private(set) var tokens: [SecretDigest: IssuedToken] = [:]
    /// The tokens in the order in which they were given.
    private var given: [SecretDigest] = []
    /// So many are remembered at least, and twice as many at most: one that is not counts as a
    /// token of somebody else's.
    static let tokenLimit = 10_000
    /// From issue to expiry; clients are told a second less.
    private(set) var tokenLifetime: Int64 = 3_600

    init(requiresTokens: Bool = false) {
        self.requiresTokens = requiresTokens
    }

    func account(_ email: String) -> ServiceAccount? {
        accounts.first { $0.email == email }
    }

    func token(_ text: some StringProtocol) -> IssuedToken? {
        tokens.isEmpty ? nil : tokens[SecretDigest(of: text)]
    }

    mutating func perform(_ change: AuthorityChange, at now: DeliveryMoment) {
        switch change {
        case .register(let account): register(account)
        case .registerUser(let user):
            users.removeAll { $0.clientID == user.clientID }
            users.append(user)
        case .registerProvider(let provider):
            providers.removeAll { $0.audience == provider.audience }
            providers.append(provider)
        case .forget(let kind, let name): forget(kind, name)
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

    /// A known account keeps its other keys.
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

    private mutating func forget(_ kind: AccountKind, _ name: String) {
        switch kind {
        case .serviceAccount: accounts.removeAll { $0.email == name }
        case .authorizedUser: users.removeAll { $0.clientID == name }
        case .identityProvider: providers.removeAll { $0.audience == name }
        }
    }

    func knows(_ kind: AccountKind, _ name: String) -> Bool {
        switch kind {
        case .serviceAccount: account(name) != nil
        case .authorizedUser: users.contains { $0.clientID == name }
        case .identityProvider: providers.contains { $0.audience == name }
        }
    }

    /// Whether registering the account would change nothing.
    func knows(_ account: ServiceAccount) -> Bool {
        let known = self.account(account.email)?.keys ?? []
        return account.keys.allSatisfy { key in
            known.contains { $0.id == key.id && $0.pem == key.pem }
        }
    }
}

extension IssuedToken {
    fileprivate func expired(at now: DeliveryMoment) -> IssuedToken {
        IssuedToken(
            digest: digest,
            account: account,
            scopes: scopes,
            expiry: min(expiry, now)
        )
    }
}
