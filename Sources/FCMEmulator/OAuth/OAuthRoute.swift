/// Where Google gives access tokens, on whichever of its hosts.
enum OAuthRoute: Hashable {
    /// `POST /token` and its two older paths (RFC 7523 assertions, refresh tokens).
    case token
    /// `POST /v1/token` of the Security Token Service (RFC 8693).
    case securityToken
    /// `POST /v1/projects/-/serviceAccounts/{email}:generateAccessToken`
    case generateAccessToken(email: String)
    /// The metadata server of a virtual machine, its path below `/computeMetadata/v1/`; nil for
    /// `/`, by which clients find out that there is one.
    case metadata(path: [String]?)

    static let tokenPaths = ["/token", "/oauth2/v4/token", "/o/oauth2/token"]

    /// `parts`: what lies between the slashes of the path, decoded.
    init?(_ parts: [String]) {
        switch parts.count {
        case 1 where parts[0].isEmpty: self = .metadata(path: nil)
        case 2 where parts == ["v1", "token"]: self = .securityToken
        case 3... where parts[0] == "computeMetadata" && parts[1] == "v1":
            self = .metadata(path: parts.dropFirst(2).filter { !$0.isEmpty })
        case 5 where parts[..<4] == ["v1", "projects", "-", "serviceAccounts"]:
            let name = parts[4].split(separator: ":", maxSplits: 1)
            guard name.count == 2, name[1] == "generateAccessToken" else { return nil }
            self = .generateAccessToken(email: String(name[0]))
        default:
            guard Self.tokenPaths.contains("/" + parts.joined(separator: "/")) else { return nil }
            self = .token
        }
    }

    var methods: [String] {
        switch self {
        case .token, .securityToken, .generateAccessToken: ["POST"]
        case .metadata: ["GET"]
        }
    }
}

/// What the emulator is told and asked about its accounts and tokens.
enum AuthorityRoute: Hashable {
    /// `/emulator/v1/auth`
    case overview
    /// `/emulator/v1/auth/tokens`
    case tokens
    /// `/emulator/v1/auth/{accounts}`
    case accounts(AccountKind)
    /// `/emulator/v1/auth/{accounts}/{name}`
    case account(AccountKind, name: String)

    /// `parts`: what follows `/emulator/v1/auth`, decoded.
    init?(_ parts: ArraySlice<String>) {
        guard let first = parts.first else {
            self = .overview
            return
        }
        guard let kind = AccountKind(rawValue: first) else {
            guard first == "tokens", parts.count == 1 else { return nil }
            self = .tokens
            return
        }
        switch parts.count {
        case 1: self = .accounts(kind)
        case 2: self = .account(kind, name: parts[parts.startIndex + 1])
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .overview: ["GET", "PATCH"]
        case .tokens: ["GET", "DELETE"]
        case .accounts: ["GET", "POST"]
        case .account: ["DELETE"]
        }
    }
}

/// Who can be given access tokens.
enum AccountKind: String, Hashable, CaseIterable {
    case serviceAccount = "service-accounts"
    case authorizedUser = "authorized-users"
    case identityProvider = "identity-providers"
}
