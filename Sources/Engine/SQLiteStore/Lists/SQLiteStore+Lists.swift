package import CampaignModel
import FoundationEssentials
import GRDB
import JSON
package import State
import Synchronization

// A list's ID is the digest of its content: lists with the same ID are equal.
extension SQLiteStore {
    nonisolated package func draftList(_ shape: ListShape) -> any ListDraft {
        StoredListDraft(of: shape, in: self)
    }

    /// Returns the file of the present drafts, which is created if there is none.
    nonisolated func listFile() throws(StateStoreError) -> ListFile {
        try draftFile.withLock { (draft) throws(StateStoreError) in
            if let file = draft.file { return file }
            let file = try ListFile(in: lists)
            draft.file = file
            return file
        }
    }

    package func keepStoredList(_ list: ListID) throws(StateStoreError) -> Bool {
        guard try read({ db in try isInUse(list, in: db) }) else { return false }
        return try write { db in try keepUsed(list, in: db) }
    }

    private func keepUsed(_ list: ListID, in db: Database) throws -> Bool {
        guard try isInUse(list, in: db) else { return false }
        try db.run("UPDATE lists SET pending = 1 WHERE digest = ?", arguments: [list.text])
        return db.changesCount > 0
    }

    func keep(_ draft: DraftedList, as list: ListID) throws(StateStoreError) {
        try write { db in
            guard try !keepUsed(list, in: db) else { return }
            try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
            let row = try insert(draft, as: list, in: db)
            for chunk in draft.chunks { try insert(chunk, of: row, in: db) }
        }
        try read { sweepLists(neededBy: $0) }
    }

    /// Drops lists that no definition or occurrence uses at the end of a run: a list is stored
    /// before them, so these lists come from interrupted runs or failed steps.
    func dropAbandonedLists(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT digest FROM lists WHERE pending = 1")
        for row in rows {
            let list = ListID(text: try row.decode(String.self, atIndex: 0))
            let sql =
                try isInUse(list, in: db)
                ? "UPDATE lists SET pending = 0 WHERE digest = ?"
                : "DELETE FROM lists WHERE digest = ?"
            try db.run(sql, arguments: [list.text])
        }
    }

    private func insert(_ draft: DraftedList, as list: ListID, in db: Database) throws -> Int64 {
        let columns = JSONValue.array(draft.shape.columns.map(JSONValue.string)).compactText
        try db.run(
            """
            INSERT INTO lists (digest, kind, columns, count, pending, name, file)
            VALUES (?, ?, ?, ?, 1, ?, ?)
            """,
            arguments: [
                list.text, draft.shape.kind.rawValue, columns, draft.count, draft.name, draft.file,
            ]
        )
        return db.lastInsertedRowID
    }

    private func insert(_ chunk: DraftedChunk, of list: Int64, in db: Database) throws {
        var values: StatementArguments = [list, chunk.first, chunk.count, chunk.checksum]
        switch chunk.place {
        case .memory(let value): values += [nil, nil, Data(value)]
        case .file(let start, let length): values += [start, length, nil]
        }
        try db.run(
            """
            INSERT INTO list_chunks (list, first, count, checksum, start, length, registrations)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            arguments: values
        )
    }

    /// Stores rows of a list in the state's own file.
    func storeChunk(
        _ rows: [RegistrationRow],
        of list: StoredList,
        first: Int,
        in db: Database
    ) throws {
        let packed = PackedRows(rows, columns: list.shape.columns.count)
        let value = try sealer.seal(packed.bytes, at: .list(list.name, first: first))
        let chunk = DraftedChunk(
            first: first,
            count: rows.count,
            checksum: Checksum.of(value),
            place: .memory(value)
        )
        try insert(chunk, of: list.row, in: db)
    }

    /// Removes the files of lists that the state does not need; if that is not possible, a later
    /// writer does it.
    func sweepLists(neededBy db: Database) {
        let sql = "SELECT file FROM lists WHERE file IS NOT NULL"
        guard let needed = try? String.fetchSet(db, sql: sql) else { return }
        lists.sweep(keeping: needed)
    }

    package func shape(of list: ListID) throws(StateStoreError) -> ListShape {
        try read { db in try find(list, in: db).shape }
    }

    package func page(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> ListPage {
        try read { db in try page(of: list, from: first, count: count, in: db) }
    }

    package func rows(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [RegistrationRow] {
        try read { db in try rows(of: list, from: first, count: count, in: db) }
    }

    func rows(
        of list: ListID,
        from first: Int,
        count: Int,
        in db: Database
    ) throws -> [RegistrationRow] {
        try page(of: list, from: first, count: count, in: db).rows
    }

    func page(
        of list: ListID,
        from first: Int,
        count: Int,
        in db: Database
    ) throws -> ListPage {
        let stored = try find(list, in: db)
        let rows = try content(of: stored, from: first, count: count, in: db) { bytes, range in
            PackedRows.rows(bytes, range: range, columns: stored.shape.columns.count)
        }
        return ListPage(stored.shape, rows: rows)
    }

    package func registrations(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [Registration] {
        try read { db in
            let stored = try find(list, in: db)
            return try content(of: stored, from: first, count: count, in: db) { bytes, range in
                PackedRows.registrations(bytes, range: range)
            }
        }
    }

    /// `unpack`: returns the part of a chunk in a range, which may exceed both ends; nil if the
    /// chunk is damaged.
    private func content<Element>(
        of list: StoredList,
        from first: Int,
        count: Int,
        in db: Database,
        unpack: (UnsafeRawBufferPointer, Range<Int>) -> [Element]?
    ) throws -> [Element] {
        let total = list.count
        guard try length(of: list.row, in: db) == total else {
            throw damaged("a stored list has the wrong length")
        }
        guard first >= 0, count > 0, first < total else { return [] }
        let end = min(total, first + min(count, total))
        let chunks = try db.rows(
            """
            SELECT first, \(StoredListChunk.columns) FROM list_chunks
            WHERE list = ?1 AND first < ?3 AND first >= (
                SELECT max(first) FROM list_chunks WHERE list = ?1 AND first <= ?2)
            ORDER BY first
            """,
            arguments: [list.row, first, end]
        )
        var found: [Element] = []
        found.reserveCapacity(end - first)
        while let chunk = try chunks.next() {
            let start = try chunk.decode(Int.self, atIndex: 0)
            let value = try StoredListChunk(chunk, from: 1).value(in: lists, file: list.file)
            guard let value else { throw damaged("a part of a stored list is missing or damaged") }
            let packed = try opened(value, at: .list(list.name, first: start))
            let range = max(0, first - start)..<end - start
            guard let part = packed.withUnsafeBytes({ unpack($0, range) }) else {
                throw damaged("a stored list contains invalid registrations")
            }
            found += part
        }
        guard found.count == end - first else { throw damaged("a stored list has gaps") }
        return found
    }
}

extension SQLiteStore {
    func find(_ list: ListID, in db: Database) throws -> StoredList {
        guard
            let row = try db.row(
                "SELECT id, count, kind, columns, name, file FROM lists WHERE digest = ?",
                arguments: [list.text]
            )
        else { throw missing(list) }
        return try storedList(list, in: row)
    }

    /// `row`: it begins with the columns of `find`.
    func storedList(_ list: ListID, in row: Row) throws -> StoredList {
        let names = JSONValue(stored: try row.decode(String.self, atIndex: 3))?.arrayValue
        guard let columns = names.map({ $0.compactMap(\.stringValue) }),
            let kind = RegistrationFile.Kind(rawValue: try row.decode(String.self, atIndex: 2))
        else { throw damaged("the columns of a stored list are invalid") }
        return StoredList(
            id: list,
            row: try row.decode(Int64.self, atIndex: 0),
            count: try row.decode(Int.self, atIndex: 1),
            shape: ListShape(kind, columns: columns),
            name: try row.decode(String.self, atIndex: 4),
            file: try row.decode(String?.self, atIndex: 5)
        )
    }

    /// Returns the number of registrations according to the list's chunks.
    private func length(of list: Int64, in db: Database) throws -> Int {
        let last = try db.row(
            "SELECT first + count FROM list_chunks WHERE list = ? ORDER BY first DESC LIMIT 1",
            arguments: [list]
        )
        return try last?.decode(Int.self, atIndex: 0) ?? 0
    }

    private func isInUse(_ list: ListID, in db: Database) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM occurrences JOIN units ON units.id = unit
            WHERE kind = 2 AND target = ?1
                AND (status = ?2 OR hold IS NOT NULL OR unknown > 0 OR ids IS NOT NULL)
            UNION ALL
            SELECT 1 FROM definitions JOIN occurrences USING (campaign)
            WHERE list = ?1 AND status = ?3
            """,
            arguments: [
                list.text, OccurrenceStatus.dispatching.rawValue,
                OccurrenceStatus.scheduled.rawValue,
            ]
        ) != nil
    }

    /// Drops stored lists after their last use.
    func dropUnusedLists(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT digest FROM lists WHERE pending = 0")
        for row in rows {
            let list = ListID(text: try row.decode(String.self, atIndex: 0))
            guard try !isInUse(list, in: db) else { continue }
            try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
        }
    }

    /// Drops the list of a campaign's definition after its last use.
    func dropUnusedList(of campaign: CampaignID, in db: Database) throws {
        let row = try db.row(
            """
            SELECT digest FROM definitions JOIN lists ON digest = list
            WHERE campaign = ? AND pending = 0
            """,
            arguments: [campaign.rawValue]
        )
        guard let row else { return }
        let list = ListID(text: try row.decode(String.self, atIndex: 0))
        guard try !isInUse(list, in: db) else { return }
        try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
    }

    /// A definition or an occurrence uses the list from now on.
    ///
    /// `count`: the number of its registrations; an occurrence starts only with the complete list.
    func takeList(_ list: ListID, of count: Int?, in db: Database) throws {
        let row = try db.row(
            "SELECT count, pending FROM lists WHERE digest = ?",
            arguments: [list.text]
        )
        guard let row else { throw missing(list) }
        let found = try row.decode(Int.self, atIndex: 0)
        guard found == count ?? found else {
            throw failed("list \(list.text) has \(found) registrations, not \(count ?? 0)")
        }
        guard try row.decode(Bool.self, atIndex: 1) else { return }
        try db.run("UPDATE lists SET pending = 0 WHERE digest = ?", arguments: [list.text])
    }

    private func missing(_ list: ListID) -> StateStoreError {
        failed("there is no list \(list.text)")
    }

    /// Keeps lists that were stored for a later occurrence.
    ///
    /// The list of an occurrence of a part is a copy of rows of the definition's list.
    func dropListNobodyNeeds(of occurrence: OccurrenceID, in db: Database) throws {
        if occurrence.slot.part != nil { try dropUnusedList(of: occurrence.campaign, in: db) }
        let target = try db.row(
            """
            SELECT target FROM occurrences JOIN units ON units.id = unit
            WHERE campaign = ? AND slot = ? AND revision = ? AND kind = 2
            """,
            arguments: occurrence.arguments
        )
        guard let target else { return }
        let list = ListID(text: try target.decode(String.self, atIndex: 0))
        guard try !isInUse(list, in: db) else { return }
        try db.run("DELETE FROM lists WHERE digest = ? AND pending = 0", arguments: [list.text])
    }
}

/// A row of `lists`.
struct StoredList {
    let id: ListID
    let row: Int64
    /// Number of stored rows.
    let count: Int
    let shape: ListShape
    /// In its encrypted values.
    let name: String
    /// The name of the file with its chunks; nil if they are in the state's own file.
    let file: String?
}
