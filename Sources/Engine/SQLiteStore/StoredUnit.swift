import State
import GRDB

/// What is read of a unit's row wherever its outcomes are touched.
struct StoredUnit {
    let id: UnitID
    let count: Int
    /// How many outcomes a chunk has.
    let block: Int
    /// How many bytes of its file of message ids are committed; nil where none are kept.
    let ids: Int?
    /// Whether its single outcomes were dropped.
    let isCompacted: Bool
}

extension SQLiteStore {
    func stored(_ unit: UnitID, _ db: Database) throws -> StoredUnit {
        let row = try db.row(
            "SELECT count, block, ids, compacted IS NOT NULL FROM units WHERE id = ?",
            [unit.number]
        )
        guard let row else { throw failed("there is no unit \(unit.number)") }
        return StoredUnit(
            id: unit,
            count: try row.decode(Int.self, atIndex: 0),
            block: try row.decode(Int.self, atIndex: 1),
            ids: try row.decode(Int?.self, atIndex: 2),
            isCompacted: try row.decode(Bool.self, atIndex: 3)
        )
    }
}
