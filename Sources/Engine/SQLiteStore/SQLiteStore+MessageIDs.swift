package import State
package import StoreTables

extension SQLiteStore {
    package func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [(request: Int, id: String)] {
        let committed = try readRows { db in try stored(unit, in: session(db)).ids ?? 0 }
        let (end, isBeyond) = first.addingReportingOverflow(max(0, count))
        let file = MessageIDFile(of: unit, state: path)
        let found = try file.read(first..<(isBeyond ? .max : end), committed: committed)
        // A resent request has the ID of its last message.
        var ids: [Int: String] = [:]
        for entry in found { ids[entry.request] = entry.id }
        return ids.sorted { $0.key < $1.key }.map { (request: $0.key, id: $0.value) }
    }

    /// Writes the IDs to disk before they are committed with their outcomes.
    package func keepIDs(
        of outcomes: [RequestOutcome],
        in unit: StoredUnit,
        on db: any StateDatabase
    ) throws -> StateStoreError? {
        guard let committed = unit.ids else { return nil }
        let entries = outcomes.compactMap { outcome in
            outcome.messageID.map { (request: outcome.index, id: $0) }
        }
        guard !entries.isEmpty else { return nil }
        do {
            let size = try MessageIDFile(of: unit.id, state: path).append(entries, after: committed)
            guard let size else { return nil }
            try db.run("UPDATE units SET ids = ? WHERE id = ?", arguments: [size, unit.id.number])
            return nil
        } catch let error as StateStoreError {
            return error
        }
    }
}
