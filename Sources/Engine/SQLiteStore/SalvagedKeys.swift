import FoundationEssentials
import GRDB
import State
import StoreTables

/// The remaining keys of a damaged state.
enum SalvagedKeys {
    case plain
    case opened(StateVault)
    /// Nothing stored under them is readable.
    case lost

    var vault: StateVault? {
        if case .opened(let vault) = self { vault } else { nil }
    }

    /// Reads the copied keys, and repairs the content around keys that still open.
    ///
    /// `lineage`: the value in `herald.yaml`, which opens the keys if the state's own was changed.
    ///
    /// - Throws: `.encrypted` and `.wrongKey` if only the right key is missing.
    init(
        of db: Database,
        lineage: StateLineage?,
        keys: StateKeyring,
        path: String
    ) throws {
        guard let row = try db.row("SELECT lineage, keys FROM meta") else {
            self = .lost
            return
        }
        let stored = try? row.decode(String.self, atIndex: 0)
        guard let wrapped = try row.decode(Data?.self, atIndex: 1) else {
            self = .plain
            return
        }
        guard keys.key != nil else { throw StateStoreError.encrypted(path: path) }
        let lineages = [stored, lineage?.text].compactMap(\.self)
        let (found, right) = StateVault.salvage(wrapped, lineages: lineages, with: keys.keys)
        switch found {
        case .vault(let vault, let key):
            self = .opened(vault)
            guard let right else { return }
            try db.run(
                "UPDATE meta SET lineage = ?, keys = ?",
                arguments: [right, try vault.wrapped(under: key, lineage: right)]
            )
        case .wrongKey: throw StateStoreError.wrongKey(path: path)
        case .damaged: self = .lost
        }
    }
}
