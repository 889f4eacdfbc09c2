package import CampaignModel
import FoundationEssentials
package import State

// Many short lists are read at once.
extension TableStore {
    package func beginnings(
        of lists: [ListID],
        count: Int
    ) throws(StateStoreError) -> [ListPage] {
        try read { db in
            let single = try db.singleValues(of: lists, atMost: count)
            return try lists.map { list in
                if let found = single[list], let page = try wholePage(of: found) { return page }
                return try page(of: list, from: 0, count: count, in: db)
            }
        }
    }

    /// Nil if the list is damaged.
    private nonisolated func wholePage(of single: SingleValueList) throws -> ListPage? {
        let list = single.list
        let packed = try opened(single.value, at: .list(list.name, first: 0))
        let columns = list.shape.columns.count
        let rows = packed.withUnsafeBytes {
            PackedRows.rows($0, range: 0..<list.count, columns: columns)
        }
        guard let rows, rows.count == list.count else { return nil }
        return ListPage(list.shape, rows: rows)
    }
}
