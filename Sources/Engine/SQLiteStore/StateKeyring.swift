import State

/// The team's keys that a state was opened with, and what they opened.
struct StateKeyring: Sendable {
    var key: StateKey?
    /// The one before `key`.
    var previous: StateKey?
    /// What opens the state's registrations; nil where they are not encrypted.
    var vault: StateVault?

    var keys: [StateKey] { [key, previous].compactMap(\.self) }
}
