package import State

/// The team's keys that opened a state, and the keys that they unwrapped.
package struct StateKeyring: Sendable {
    package var key: StateKey?
    /// The key before `key`.
    package var previous: StateKey?
    /// Opens the state's registrations; nil if they are not encrypted.
    package var vault: StateVault?

    package init(key: StateKey?, previous: StateKey? = nil, vault: StateVault? = nil) {
        self.key = key
        self.previous = previous
        self.vault = vault
    }

    package var keys: [StateKey] { [key, previous].compactMap(\.self) }
}
