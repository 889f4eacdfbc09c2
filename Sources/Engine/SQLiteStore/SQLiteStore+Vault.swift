import FoundationEssentials
import GRDB
import State
package import StoreTables
import Synchronization

extension SQLiteStore {
    /// Determines which keys the state needs, and keeps them.
    nonisolated func openVault() throws(StateStoreError) {
        let keys = keyring.withLock(\.self)
        let found = try read { db in try keys.storedVault(in: db, path: path) }
        keyring.withLock { $0.vault = found?.vault }
    }

    /// Ensures, for the writer only, that it seals its content like the rest: the state may have
    /// changed between opening and locking.
    func checkVault() throws(StateStoreError) {
        let keys = keyring.withLock(\.self)
        let isRewrapped = try read { db in try keys.isRewrapped(in: db, path: path) }
        if !isRewrapped, try write({ db in try keys.rewrap(in: db, path: path) }) {
            events.didRewrap()
        }
        // If there is a reader, a later writer does it.
        _ = try sweep()
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
    nonisolated package var openedVault: StateVault? { keyring.withLock(\.vault) }
}
