package import CampaignModel
import FoundationEssentials
package import State
import Time

// A list's ID is the digest of its content: lists with the same ID are equal.
extension TableStore {
    package func keepStoredList(_ list: ListID) throws(StateStoreError) -> Bool {
        guard try read({ db in try isInUse(list, in: db) }) else { return false }
        return try write { db in try keepUsed(list, in: db) }
    }

    /// Returns false unless the list is stored and in use.
    package func keepUsed(_ list: ListID, in db: any StateDatabase) throws -> Bool {
        guard try isInUse(list, in: db) else { return false }
        try db.run("UPDATE lists SET pending = 1 WHERE digest = ?", arguments: [list.text])
        return try db.changes() > 0
    }

    /// Drops lists that no definition or occurrence uses at the end of a run: a list is stored
    /// before them, so these lists come from interrupted runs or failed steps.
    package func dropAbandonedLists(_ db: any StateDatabase) throws {
        let rows = try db.allRows("SELECT digest FROM lists WHERE pending = 1")
        for row in rows {
            let list = ListID(text: try row.decode(String.self, atIndex: 0))
            let sql =
                try isInUse(list, in: db)
                ? "UPDATE lists SET pending = 0 WHERE digest = ?"
                : "DELETE FROM lists WHERE digest = ?"
            try db.run(sql, arguments: [list.text])
        }
    }

    /// Stores rows of a list in the tables.
    func storeChunk(
        _ rows: [RegistrationRow],
        of list: StoredList,
        first: Int,
        in db: any StateDatabase
    ) throws {
        let packed = PackedRows(rows, columns: list.shape.columns.count)
        for value in try sealer.values(of: [packed], in: list.name, from: first) {
            try db.insert(value, into: list.row)
        }
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
        in db: any StateDatabase
    ) throws -> [RegistrationRow] {
        try page(of: list, from: first, count: count, in: db).rows
    }

    func page(
        of list: ListID,
        from first: Int,
        count: Int,
        in db: any StateDatabase
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
    private nonisolated func content<Element>(
        of list: StoredList,
        from first: Int,
        count: Int,
        in db: any StateDatabase,
        unpack: (UnsafeRawBufferPointer, Range<Int>) -> [Element]?
    ) throws -> [Element] {
        let total = list.count
        guard try length(of: list.row, in: db) == total else {
            throw damaged("a stored list has the wrong length")
        }
        guard first >= 0, count > 0, first < total else { return [] }
        let end = min(total, first + min(count, total))
        var found: [Element] = []
        found.reserveCapacity(end - first)
        let missing = damaged("a part of a stored list is missing or damaged")
        try db.visitValues(of: list, in: first..<end, otherwise: missing) { start, value in
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

extension TableStore {
    package func find(_ list: ListID, in db: any StateDatabase) throws -> StoredList {
        guard
            let row = try db.row(
                "SELECT \(StoredList.columns) FROM lists WHERE digest = ?",
                arguments: [list.text]
            )
        else { throw missing(list) }
        guard let stored = try StoredList(list, in: row, from: 0) else {
            throw damaged("the columns of a stored list are invalid")
        }
        return stored
    }

    private func missing(_ list: ListID) -> StateStoreError {
        failed("there is no list \(list.text)")
    }

    /// Returns the number of registrations according to the list's chunks.
    private nonisolated func length(of list: Int64, in db: any StateDatabase) throws -> Int {
        let last = try db.row(
            "SELECT first + count FROM list_chunks WHERE list = ? ORDER BY first DESC LIMIT 1",
            arguments: [list]
        )
        return try last?.decode(Int.self, atIndex: 0) ?? 0
    }

    /// The recall of an occurrence uses its list before it has a unit, too.
    package func isInUse(_ list: ListID, in db: any StateDatabase) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM occurrences JOIN units ON units.id = unit
            WHERE kind = 2 AND target = ?1
                AND (status = ?2 OR hold IS NOT NULL OR unknown > 0 OR ids IS NOT NULL
                    OR kept IS NOT NULL)
            UNION ALL
            SELECT 1 FROM units JOIN occurrences ON occurrences.unit = units.id
                JOIN occurrences AS recalls ON recalls.campaign = occurrences.campaign
                    AND recalls.slot = '\(Slot.recallMark)' || occurrences.slot
                    AND recalls.revision = occurrences.revision
            WHERE kind = 2 AND target = ?1 AND recalls.status = ?3
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
    func dropUnusedLists(_ db: any StateDatabase) throws {
        let rows = try db.allRows("SELECT digest FROM lists WHERE pending = 0")
        for row in rows {
            let list = ListID(text: try row.decode(String.self, atIndex: 0))
            guard try !isInUse(list, in: db) else { continue }
            try db.run("DELETE FROM lists WHERE digest = ?", arguments: [list.text])
        }
    }

    /// Drops the lists that were kept for recalls until now.
    func dropKeptLists(at now: Instant, in db: any StateDatabase) throws {
        try db.run(
            "UPDATE occurrences SET kept = NULL WHERE kept <= ?",
            arguments: [now.secondsSince1970]
        )
        if try db.changes() > 0 { try dropUnusedLists(db) }
    }

    /// Drops the list of a campaign's definition after its last use.
    func dropUnusedList(of campaign: CampaignID, in db: any StateDatabase) throws {
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
    func takeList(_ list: ListID, of count: Int?, in db: any StateDatabase) throws {
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

    /// Keeps lists that were stored for a later occurrence.
    ///
    /// The list of an occurrence of a part is a copy of rows of the definition's list.
    func dropListNobodyNeeds(of occurrence: OccurrenceID, in db: any StateDatabase) throws {
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

/// The operating system's random generator.
package enum SystemRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
