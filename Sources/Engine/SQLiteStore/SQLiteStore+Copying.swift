import GRDB
package import State
import StoreTables

// Copies of whole states.
extension SQLiteStore {
    /// Writes a copy of a snapshot of the state, while other connections read and write it.
    ///
    /// The copy is one file, which only the user can read; it is complete or absent. It contains
    /// the lists that the state keeps in other files, and not the message IDs of lists. It replaces
    /// an existing file.
    ///
    /// - Returns: The copy's serial.
    @discardableResult
    package func copy(to path: String) throws(StateStoreError) -> StateSerial {
        let draft = "\(path).new-\(UInt32.random(in: .min ... .max))"
        try Files.makeDraft(draft, of: path)
        let serial: Int64?
        do {
            let copy = try DatabaseQueue(
                path: Connection.plainName(draft),
                configuration: Connection.configuration()
            )
            try queue.backup(to: copy)
            try copy.write { db in
                try StoredLists(vault: nil, folder: lists).embed(
                    in: db,
                    otherwise: damaged("a part of a stored list is missing or damaged")
                )
            }
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            serial = try copy.read { try Int64.fetchOne($0, sql: "SELECT serial FROM meta") }
            try copy.close()
        } catch {
            Files.remove(draft)
            throw StateStoreError(error, path: path)
        }
        try Files.replace(path, with: draft)
        return StateSerial(number: serial ?? 0)
    }

    /// Replaces this state's content with another's in one transaction; open readers are not
    /// interrupted.
    ///
    /// The caller holds the write lock.
    package func replaceContent(with other: SQLiteStore) throws(StateStoreError) {
        do {
            try other.queue.backup(to: queue)
            try queue.read { sweepLists(neededBy: $0) }
        } catch {
            throw StateStoreError(error, path: path)
        }
        upkeep = MembershipUpkeep()
        try openVault()
    }

    /// Creates a state with a known lineage, under a name that no other process uses.
    package static func makeDraft(
        path: String,
        lineage: StateLineage?,
        key: StateKey?
    ) throws(StateStoreError) {
        try StateFile.createDraft(
            path,
            lineage: lineage,
            key: key,
            randomBytes: SystemRandom.bytes
        )
    }

    /// Closes the connection and leaves the whole state in one file.
    package func close() throws(StateStoreError) {
        do {
            try Connection.close(queue)
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    /// Checks the whole file, regardless of its size.
    ///
    /// - Throws: `.damaged` if a part of it cannot be read.
    package func verify() throws(StateStoreError) {
        _ = try appliedState()
        try readRows { db in
            guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                throw damaged("its pages are inconsistent")
            }
            for (table, content) in Self.checked {
                let rows = try db.rows("SELECT \(content), checksum FROM \(table)")
                while let row = try rows.next() {
                    guard SQLiteRow(row: row).isWhole else {
                        throw damaged("\(table) does not match its checksum")
                    }
                }
            }
            guard try StoredLists(vault: openedVault, folder: lists).broken(db).isEmpty else {
                throw damaged("a stored list cannot be read")
            }
            guard try StoredMembers(segmentTables(session(db))).damage().isEmpty else {
                throw damaged("a stored registration cannot be read")
            }
        }
    }

    /// Tables with checksums, and the columns that they cover.
    static let checked = [
        (table: "outcome_chunks", content: "outcomes"),
        (table: "membership_chunks", content: "records"),
        (table: "registration_pages", content: "registrations"),
        (table: "people_chunks", content: "keys"),
        (table: "exposure_chunks", content: "arms"),
    ]
}
