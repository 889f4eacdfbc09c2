import CampaignModel
import FoundationEssentials
import GRDB
import State
import StoreTables

/// A pass over all stored lists, with only one row in memory.
struct StoredLists {
    /// Opens them; nil if they are not encrypted.
    let vault: StateVault?
    let folder: ListFolder

    /// The lists with an unreadable chunk.
    func broken(_ db: Database) throws -> Set<Int64> {
        var broken: Set<Int64> = []
        let chunks = try db.rows(
            """
            SELECT list, first, name, file, \(StoredListChunk.columns)
            FROM list_chunks JOIN lists ON lists.id = list
            """
        )
        while let row = try chunks.next() {
            if !isChunk(row) { broken.insert(try row.decode(Int64.self, atIndex: 0)) }
        }
        return broken
    }

    private func isChunk(_ row: Row) -> Bool {
        do {
            let first = try row.decode(Int.self, atIndex: 1)
            let name = try row.decode(String.self, atIndex: 2)
            let file = try row.decode(String?.self, atIndex: 3)
            let chunk = try StoredListChunk(row, from: 4)
            guard first >= 0, let value = chunk.value(in: folder, file: file) else { return false }
            guard let vault else { return value.first != StateVault.mark }
            return vault.open(value, at: .list(name, first: first)) != nil
        } catch {
            return false
        }
    }

    /// Stores the chunks of all files in the state's own file.
    ///
    /// `change`: Returns the new value of a chunk; it gets the stored one, and its place in the
    /// list.
    ///
    /// - Throws: `damage` if a chunk is missing or damaged.
    func embed(
        in db: Database,
        otherwise damage: StateStoreError,
        changing change: (Data, SealedPlace) throws -> Data = { value, _ in value }
    ) throws {
        var last: (list: Int64, first: Int) = (.min, 0)
        while let row = try db.row(
            """
            SELECT list, first, name, file, \(StoredListChunk.columns)
            FROM list_chunks JOIN lists ON lists.id = list
            WHERE (list, first) > (?, ?) ORDER BY list, first LIMIT 1
            """,
            arguments: [last.list, last.first]
        ) {
            last = (try row.decode(Int64.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
            let place = SealedPlace.list(try row.decode(String.self, atIndex: 2), first: last.first)
            let stored = try StoredListChunk(row, from: 4)
                .value(in: folder, file: try row.decode(String?.self, atIndex: 3))
            guard let stored else { throw damage }
            let value = try change(stored, place)
            try db.run(
                """
                UPDATE list_chunks SET registrations = ?, start = NULL, length = NULL, checksum = ?
                WHERE list = ? AND first = ?
                """,
                arguments: [value, Checksum.of(value), last.list, last.first]
            )
        }
        try db.run("UPDATE lists SET file = NULL WHERE file IS NOT NULL")
    }
}
