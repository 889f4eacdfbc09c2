import SQLiteStore
import State

/// Rejects a state with another lineage than `herald.yaml` names, or with a serial below the
/// highest seen.
struct StateIdentityCheck {
    let path: String
    /// Nil if `herald.yaml` names no lineage.
    ///
    /// Then any lineage is accepted.
    let expected: StateLineage?
    let seen: KnownStateFile

    func open(_ keys: StateKeys = .none) throws(StateStoreError) -> SQLiteStore {
        // Read first, because another process may raise both while this one opens the state.
        let before = seen.serials()
        let store = try SQLiteStore.open(
            path: path,
            key: keys.key,
            previous: keys.previous,
            creating: expected == nil,
            didRewrap: Self.sayRewrapped
        )
        let identity = try store.identity()
        try check(identity, seen: before)
        seen.keep(identity, of: store)
        return store
    }

    private static func sayRewrapped() {
        Output.message("The state is under the new key; remove `previous`.\n")
    }

    func check(_ identity: StateIdentity, seen: KnownSerials) throws(StateStoreError) {
        if let expected, identity.lineage != expected {
            throw .foreign(path: path, expected: expected, found: identity.lineage)
        }
        if let seen = seen[identity.lineage], identity.serial < seen {
            throw .rolledBack(path: path, seen: seen, found: identity.serial)
        }
    }
}

extension Session {
    /// Records the serial of a state after a command.
    func noteSerial(of store: any StateStore) {
        guard let identity = try? store.identity() else { return }
        KnownStateFile(context.variables).keep(identity, of: store)
    }
}
