import FoundationEssentials
package import State

// A state is either completely sealed or completely plain; a mixture is damage.
extension StateKeyring {
    /// Opens the keys that a state stores; nil for a plain state that stays plain.
    package func storedVault(
        in db: any StateDatabase,
        path: String
    ) throws -> (vault: StateVault, key: StateKey)? {
        let row = try db.row("SELECT lineage, keys FROM meta")
        guard let row else {
            throw StateStoreError.damaged(path: path, reason: "it has no lineage")
        }
        let lineage = try row.decode(String.self, atIndex: 0)
        guard let wrapped = try row.decode(Data?.self, atIndex: 1) else {
            guard key == nil else { throw StateStoreError.notEncrypted(path: path) }
            return nil
        }
        guard key != nil else { throw StateStoreError.encrypted(path: path) }
        switch StateVault.unwrap(wrapped, lineage: lineage, with: keys) {
        case .vault(let vault, let key): return (vault, key)
        case .wrongKey: throw StateStoreError.wrongKey(path: path)
        case .damaged:
            throw StateStoreError.damaged(path: path, reason: "its keys cannot be decrypted")
        }
    }

    /// Moves the keys that a state stores from the previous team key to the present one.
    ///
    /// - Returns: False if there is nothing to move.
    package func rewrap(in db: any StateDatabase, path: String) throws -> Bool {
        guard let key, let found = try storedVault(in: db, path: path) else { return false }
        guard let row = try db.row("SELECT lineage FROM meta") else { return false }
        let lineage = try row.decode(String.self, atIndex: 0)
        try db.run(
            "UPDATE meta SET keys = ?",
            arguments: [try found.vault.wrapped(under: key, lineage: lineage)]
        )
        return true
    }

    /// Whether the present team key wraps the keys that a state stores; true for a plain state.
    ///
    /// - Throws: If these keys are not the ones that are open.
    package func isRewrapped(in db: any StateDatabase, path: String) throws -> Bool {
        let found = try storedVault(in: db, path: path)
        guard isOpen(found?.vault) else {
            throw StateStoreError.failed(
                path: path,
                reason: "its keys were replaced; run the command again"
            )
        }
        return found.map { $0.key == key } ?? true
    }

    /// Whether the vault that was found is the one that is open.
    private func isOpen(_ found: StateVault?) -> Bool {
        guard let vault, let found else { return vault == nil && found == nil }
        return vault.isSame(as: found)
    }
}
