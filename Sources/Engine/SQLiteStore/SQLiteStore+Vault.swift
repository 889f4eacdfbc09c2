import FoundationEssentials
import GRDB
import State
import Synchronization

// A state is either completely sealed or completely plain; a mixture is damage.
extension SQLiteStore {
    /// Determines which keys the state needs, and keeps them.
    nonisolated func openVault() throws(StateStoreError) {
        let found = try read { db in try storedVault(db) }
        keyring.withLock { $0.vault = found?.vault }
    }

    /// Ensures, for the writer only, that it seals its content like the rest: the state may have
    /// changed between opening and locking.
    func checkVault() throws(StateStoreError) {
        let keys = keyring.withLock(\.self)
        let isRewrapped = try read { db in
            let found = try storedVault(db)
            guard isSame(found?.vault) else {
                throw failed("its keys were replaced; run the command again")
            }
            return found.map { $0.key == keys.key } ?? true
        }
        if !isRewrapped { try rewrap() }
        // If there is a reader, a later writer does it.
        _ = try sweep()
    }

    private func isSame(_ found: StateVault?) -> Bool {
        let vault = openedVault
        guard let vault, let found else { return vault == nil && found == nil }
        return vault.isSame(as: found)
    }

    private func rewrap() throws(StateStoreError) {
        let isDone = try write { db -> Bool in
            guard let key = keyring.withLock(\.key), let found = try storedVault(db) else {
                return false
            }
            let keys = try found.vault.wrapped(under: key, lineage: try lineage(db))
            try db.run("UPDATE meta SET keys = ?", arguments: [keys])
            return true
        }
        if isDone { events.didRewrap() }
    }

    /// Nil for a plain state that stays plain.
    nonisolated func storedVault(_ db: Database) throws -> (vault: StateVault, key: StateKey)? {
        let keys = keyring.withLock(\.self)
        guard let wrapped = try wrappedKeys(db) else {
            guard keys.key == nil else { throw StateStoreError.notEncrypted(path: path) }
            return nil
        }
        guard keys.key != nil else { throw StateStoreError.encrypted(path: path) }
        switch StateVault.unwrap(wrapped, lineage: try lineage(db), with: keys.keys) {
        case .vault(let vault, let key): return (vault, key)
        case .wrongKey: throw StateStoreError.wrongKey(path: path)
        case .damaged: throw damaged("its keys cannot be decrypted")
        }
    }

    nonisolated private func wrappedKeys(_ db: Database) throws -> Data? {
        try db.row("SELECT keys FROM meta")?.decode(Data?.self, atIndex: 0)
    }

    nonisolated func lineage(_ db: Database) throws -> String {
        guard let row = try db.row("SELECT lineage FROM meta") else {
            throw damaged("it has no lineage")
        }
        return try row.decode(String.self, atIndex: 0)
    }
}

// MARK: - Registrations

extension SQLiteStore {
    nonisolated var openedVault: StateVault? { keyring.withLock(\.vault) }

    /// Seals and opens content with the keys that the state had when it was opened.
    nonisolated var sealer: ContentSealer { ContentSealer(vault: openedVault, path: path) }

    func sealed(_ content: Data, at place: SealedPlace) throws -> Data {
        try sealer.seal(content, at: place)
    }

    func opened(_ content: Data, at place: SealedPlace) throws -> Data {
        try sealer.open(content, at: place)
    }
}
