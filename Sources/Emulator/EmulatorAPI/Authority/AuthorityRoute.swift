package import EmulatorAuth

/// The emulator's own routes for accounts and tokens.
package enum AuthorityRoute: Hashable, Sendable {
    /// `/emulator/v1/auth`
    case overview
    /// `/emulator/v1/auth/tokens`
    case tokens
    /// `/emulator/v1/auth/{accounts}`
    case accounts(AccountKind)
    /// `/emulator/v1/auth/{accounts}/{name}`
    case account(AccountKind, name: String)
}
