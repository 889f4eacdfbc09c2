package import State

/// The columns of a unit that every access to its outcomes needs.
package struct StoredUnit {
    /// Number of outcomes in a chunk of a new unit: a row of its table then fits in a page of 4,096
    /// bytes.
    package static let block = 4_000

    package let id: UnitID
    package let count: Int
    /// Number of outcomes in a chunk.
    package let block: Int
    /// Number of committed bytes of its message IDs, which are in a file next to SQLite's state, and in a
    /// table of PostgreSQL; nil if none are kept.
    package let ids: Int?
    /// Number of records of its outcomes.
    package let commits: Int
    /// Whether its single outcomes were dropped.
    package let isCompacted: Bool
}

extension StoredUnit {
    /// The columns from which it is read.
    package static let columns = "units.id, count, block, ids, compacted IS NOT NULL, commits"

    package init(_ row: any StoredRow, from column: Int) throws {
        id = UnitID(number: try row.decode(Int64.self, atIndex: column))
        count = try row.decode(Int.self, atIndex: column + 1)
        block = try row.decode(Int.self, atIndex: column + 2)
        ids = try row.decode(Int?.self, atIndex: column + 3)
        isCompacted = try row.decode(Bool.self, atIndex: column + 4)
        commits = try row.decode(Int.self, atIndex: column + 5)
    }
}

extension StoredUnit {
    private init(_ unit: StoredUnit, commits: Int) {
        id = unit.id
        count = unit.count
        block = unit.block
        ids = unit.ids
        isCompacted = unit.isCompacted
        self.commits = commits
    }

    /// The unit after another record.
    package var committedAgain: StoredUnit { StoredUnit(self, commits: commits + 1) }
}

extension TableStore {
    package func stored(_ unit: UnitID, in db: any StateDatabase) throws -> StoredUnit {
        let row = try db.row(
            "SELECT \(StoredUnit.columns) FROM units WHERE id = ?",
            arguments: [unit.number]
        )
        guard let row else { throw failed("there is no unit \(unit.number)") }
        return try StoredUnit(row, from: 0)
    }
}
