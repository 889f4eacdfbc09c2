package import CampaignModel
package import State

// Queries for user commands only.
extension TableStore {
    package func details(
        of unit: UnitID,
        in range: Range<Int>
    ) throws(StateStoreError) -> [Int: String] {
        try read { db in
            var details: [Int: String] = [:]
            let rows = try db.rows(
                """
                SELECT request, detail FROM outcome_details
                WHERE unit = ? AND request >= ? AND request < ?
                """,
                arguments: [unit.number, range.lowerBound, range.upperBound]
            )
            while let row = try rows.next() {
                let request = try row.decode(Int.self, atIndex: 0)
                details[request] = try row.decode(String.self, atIndex: 1)
            }
            let stored = try stored(unit, in: db)
            guard !stored.isCompacted else { return details }
            try walk(stored, over: range.clamped(to: 0..<stored.count), in: db) {
                request,
                outcome in
                if let detail = outcome.detail { details[request] = detail }
                return true
            }
            return details
        }
    }

    /// Counted with an index that contains exactly these rows.
    package func repeatCount(of unit: UnitID) throws(StateStoreError) -> Int {
        try read { db in
            try db.row(
                "SELECT count(*) FROM outcome_details WHERE unit = ? AND \(db.dialect.isRepeat)",
                arguments: [unit.number]
            )?.decode(Int.self, atIndex: 0) ?? 0
        }
    }

    package func storedLists() throws(StateStoreError) -> Set<ListID> {
        try read { db in
            var lists: Set<ListID> = []
            let rows = try db.rows("SELECT digest FROM lists")
            while let row = try rows.next() {
                lists.insert(ListID(text: try row.decode(String.self, atIndex: 0)))
            }
            return lists
        }
    }

    package func hasList(_ list: ListID) throws(StateStoreError) -> Bool {
        try read { db in
            try db.row("SELECT 1 FROM lists WHERE digest = ?", arguments: [list.text]) != nil
        }
    }
}
