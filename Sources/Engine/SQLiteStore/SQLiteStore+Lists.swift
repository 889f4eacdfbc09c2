package import CampaignModel
import FoundationEssentials
import GRDB
import JSON
package import State

// A list's name is the digest of its content: lists with the same name are equal, and a partially
// stored list is the beginning of the complete one.
extension SQLiteStore {
    /// Keeps a list that a definition or an occurrence uses.
    package func beginList(_ list: ListID, shape: ListShape) throws(StateStoreError) {
        let columns = JSONValue.array(shape.columns.map(JSONValue.string)).compactText
        try write { db in
            if try !isInUse(list, in: db) {
                try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
            }
            try db.run(
                """
                INSERT INTO lists (digest, kind, columns, count, pending) VALUES (?, ?, ?, 0, 1)
                ON CONFLICT (digest) DO UPDATE SET pending = 1
                """,
                arguments: [list.text, shape.kind.rawValue, columns]
            )
        }
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

    /// Skips content that is already stored.
    package func append(
        _ rows: [RegistrationRow],
        to list: ListID,
        first: Int
    ) throws(StateStoreError) {
        try write { db in
            let stored = try find(list, in: db)
            let count = stored.count
            guard (0...count).contains(first) else {
                throw failed("list \(list.text) has \(count) registrations, not \(first)")
            }
            guard rows.allSatisfy({ $0.values.count == stored.shape.columns.count }) else {
                throw failed("list \(list.text) has \(stored.shape.columns.count) columns")
            }
            let missing = Array(rows.dropFirst(count - first))
            try storeChunks(missing, of: stored, first: count, in: db)
            try db.run(
                "UPDATE lists SET count = ? WHERE id = ?",
                arguments: [count + missing.count, stored.row]
            )
        }
    }

    func storeChunks(
        _ rows: [RegistrationRow],
        of list: StoredList,
        first: Int,
        in db: Database
    ) throws {
        var next = first
        for chunk in ListChunk.split(rows[...]) {
            let content = ListChunk.pack(chunk, columns: list.shape.columns.count)
            let packed = try sealed(content, at: .list(list.id, first: next))
            try db.run(
                """
                INSERT INTO list_chunks (list, first, count, registrations, checksum)
                VALUES (?, ?, ?, ?, ?)
                """,
                arguments: [list.row, next, chunk.count, packed, Checksum.of(packed)]
            )
            next += chunk.count
        }
    }

    package func shape(of list: ListID) throws(StateStoreError) -> ListShape {
        try read { db in try find(list, in: db).shape }
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
        let stored = try find(list, in: db)
        return try content(of: stored, from: first, count: count, in: db) { data, range in
            ListChunk.rows(data, range: range, columns: stored.shape.columns.count)
        }
    }

    package func registrations(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [Registration] {
        try read { db in
            let stored = try find(list, in: db)
            return try content(of: stored, from: first, count: count, in: db) { data, range in
                ListChunk.registrations(data, range: range)
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
        unpack: (Data, Range<Int>) -> [Element]?
    ) throws -> [Element] {
        let total = list.count
        guard try length(of: list.row, in: db) == total else {
            throw damaged("a stored list has the wrong length")
        }
        guard first >= 0, count > 0, first < total else { return [] }
        let end = min(total, first + min(count, total))
        let chunks = try db.rows(
            """
            SELECT first, registrations, checksum FROM list_chunks
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
            let blob = try chunk.decode(Data.self, atIndex: 1)
            guard try chunk.decode(Int64.self, atIndex: 2) == Checksum.of(blob) else {
                throw damaged("a stored list does not match its checksum")
            }
            let packed = try opened(blob, at: .list(list.id, first: start))
            guard let part = unpack(packed, max(0, first - start)..<end - start) else {
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
                "SELECT id, count, kind, columns FROM lists WHERE digest = ?",
                arguments: [list.text]
            )
        else { throw failed("there is no list \(list.text)") }
        let names = JSONValue(stored: try row.decode(String.self, atIndex: 3))?.arrayValue
        guard let columns = names.map({ $0.compactMap(\.stringValue) }),
            let kind = RegistrationFile.Kind(rawValue: try row.decode(String.self, atIndex: 2))
        else { throw damaged("the columns of a stored list are invalid") }
        return StoredList(
            id: list,
            row: try row.decode(Int64.self, atIndex: 0),
            count: try row.decode(Int.self, atIndex: 1),
            shape: ListShape(kind, columns: columns)
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

    /// A definition or an occurrence uses the list from now on.
    ///
    /// `count`: the number of its registrations; an occurrence starts only with the complete list.
    func takeList(_ list: ListID, of count: Int?, in db: Database) throws {
        let found = try find(list, in: db)
        guard found.count == count ?? found.count else {
            throw failed(
                "list \(list.text) has \(found.count) registrations, not \(count ?? 0)"
            )
        }
        try db.run("UPDATE lists SET pending = 0 WHERE id = ?", arguments: [found.row])
    }

    /// Keeps lists that were stored for a later occurrence.
    func dropListNobodyNeeds(of occurrence: OccurrenceID, in db: Database) throws {
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
}
