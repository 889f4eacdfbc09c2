import State

/// The team's keys that opened a state, and the keys that they unwrapped.
struct StateKeyring: Sendable {
    var key: StateKey?
    /// The key before `key`.
    var previous: StateKey?
    /// Opens the state's registrations; nil if they are not encrypted.
    var vault: StateVault?

    var keys: [StateKey] { [key, previous].compactMap(\.self) }
}
