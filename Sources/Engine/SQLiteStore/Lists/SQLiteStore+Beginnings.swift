package import CampaignModel
import FoundationEssentials
import GRDB
package import State

// Many short lists are read at once.
extension SQLiteStore {
    package func beginnings(
        of lists: [ListID],
        count: Int
    ) throws(StateStoreError) -> [ListPage] {
        try read { db in
            try lists.map { list in
                if let page = try wholePage(of: list, atMost: count, in: db) { return page }
                return try page(of: list, from: 0, count: count, in: db)
            }
        }
    }

    /// Reads a list that has one chunk in one statement; nil if the list has more chunks or rows, or is
    /// damaged.
    private func wholePage(
        of list: ListID,
        atMost count: Int,
        in db: Database
    ) throws -> ListPage? {
        let rows = try db.rows(
            """
            SELECT lists.id, lists.count, kind, columns, name, file, first, list_chunks.count,
                \(StoredListChunk.columns)
            FROM lists JOIN list_chunks ON list = lists.id
            WHERE digest = ? ORDER BY first LIMIT 2
            """,
            arguments: [list.text]
        )
        guard let row = try rows.next() else { return nil }
        let stored = try storedList(list, in: row)
        let (first, length) = try (
            row.decode(Int.self, atIndex: 6), row.decode(Int.self, atIndex: 7)
        )
        guard first == 0, length == stored.count, length <= count else { return nil }
        let chunk = try StoredListChunk(row, from: 8)
        guard try rows.next() == nil,
            let value = chunk.value(in: self.lists, file: stored.file)
        else { return nil }
        let packed = try opened(value, at: .list(stored.name, first: 0))
        let columns = stored.shape.columns.count
        let found = packed.withUnsafeBytes {
            PackedRows.rows($0, range: 0..<length, columns: columns)
        }
        guard let found, found.count == length else { return nil }
        return ListPage(stored.shape, rows: found)
    }
}
