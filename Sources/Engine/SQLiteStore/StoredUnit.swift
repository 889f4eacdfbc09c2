import GRDB
import State

/// The columns of a unit that every access to its outcomes needs.
struct StoredUnit {
    let id: UnitID
    let count: Int
    /// Number of outcomes in a chunk.
    let block: Int
    /// Number of committed bytes in its file of message IDs; nil if none are kept.
    let ids: Int?
    /// Number of records of its outcomes.
    let commits: Int
    /// Whether its single outcomes were dropped.
    let isCompacted: Bool
}

extension SQLiteStore {
    func stored(_ unit: UnitID, in db: Database) throws -> StoredUnit {
        let row = try db.row(
            "SELECT count, block, ids, compacted IS NOT NULL, commits FROM units WHERE id = ?",
            arguments: [unit.number]
        )
        guard let row else { throw failed("there is no unit \(unit.number)") }
        return StoredUnit(
            id: unit,
            count: try row.decode(Int.self, atIndex: 0),
            block: try row.decode(Int.self, atIndex: 1),
            ids: try row.decode(Int?.self, atIndex: 2),
            commits: try row.decode(Int.self, atIndex: 4),
            isCompacted: try row.decode(Bool.self, atIndex: 3)
        )
    }
}
