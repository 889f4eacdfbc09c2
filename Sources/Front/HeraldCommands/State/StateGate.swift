import State
import SQLiteStore

/// Lets nobody at a state but the one that `herald.yaml` names, no older than it was seen here.
struct StateGate {
    let path: String
    /// Nil where `herald.yaml` names no state: then whatever is there is the right one.
    let expected: StateLineage?
    let seen: SeenFile

    func open(_ keys: StateKeys = .none) throws(StateStoreError) -> SQLiteStore {
        // Looked up first: somebody may raise both while the state is opened.
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

    func check(_ identity: StateIdentity, seen: SeenSerials) throws(StateStoreError) {
        if let expected, identity.lineage != expected {
            throw .foreign(path: path, expected: expected, found: identity.lineage)
        }
        if let seen = seen[identity.lineage], identity.serial < seen {
            throw .rolledBack(path: path, seen: seen, found: identity.serial)
        }
    }
}

extension Pipeline {
    /// Notes what a command made of a state that it opened.
    func noteSerial(of store: any StateStore) {
        guard let identity = try? store.identity() else { return }
        SeenFile(surroundings.variables).keep(identity, of: store)
    }
}
