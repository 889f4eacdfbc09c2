import FoundationEssentials
import GRDB
package import State
import StoreTables

/// Copies the readable rows of a damaged state into a new one.
///
/// Each table is read forwards until it breaks, and then backwards from its end. Afterwards,
/// references and gaps are repaired, so that no request that may have been sent counts as unsent.
package struct Salvage {
    /// The result for one table.
    package struct Table: Hashable, Sendable {
        package let name: String
        package let rows: Int
        /// Whether a part of it could not be read; the size of the part is unknown.
        package let hasGap: Bool
    }

    package let tables: [Table]
    /// Whether lineage, serial and keys were readable: without them, nothing stored under
    /// fingerprints is usable.
    package let hasIdentity: Bool
    package let repairs: SalvageRepairs

    /// Whether nothing was readable.
    package var isEmpty: Bool { tables.allSatisfy { $0.rows == 0 } }

    /// Reads a copy of a damaged state, which is removed, and creates a new state from it at
    /// `draft`.
    ///
    /// `lineage` and `key` are for the new state if those of the old one cannot be read; `previous`
    /// can open the old one, too. `home`: the state's own path, next to which the files of long
    /// lists are.
    ///
    /// - Throws: `.otherFormat` if another version of Herald wrote it; `.wrongKey` or `.encrypted`
    ///   if the right key is missing.
    package init(
        of path: String,
        to draft: String,
        home: String,
        lineage: StateLineage?,
        key: StateKey?,
        previous: StateKey? = nil
    ) throws(StateStoreError) {
        defer { for part in ["", "-wal", "-shm"] { Files.remove(path + part) } }
        do {
            let old = try? DatabaseQueue(
                path: Connection.plainName(path),
                configuration: Self.configuration(isSealed: false)
            )
            guard let old, try Self.isReadable(old, path: path) else {
                try StateFile.createDraft(
                    draft,
                    lineage: lineage,
                    key: key,
                    randomBytes: SystemRandom.bytes
                )
                (tables, hasIdentity, repairs) = ([], false, SalvageRepairs())
                return
            }
            let new = try Self.empty(draft)
            tables = try Self.carry(from: old, to: new)
            let keyring = StateKeyring(key: key, previous: previous)
            let gaps = Set(tables.filter(\.hasGap).map(\.name))
            let lists = ListFolder(of: home)
            (hasIdentity, repairs) = try new.writeWithoutTransaction { db in
                try db.immediately { db in
                    let keys = try SalvagedKeys(of: db, lineage: lineage, keys: keyring, path: path)
                    guard case .lost = keys else {
                        return (
                            true,
                            try SalvageRepairs(of: db, keys: keys, gaps: gaps, lists: lists)
                        )
                    }
                    try Self.identify(db, lineage: lineage, key: key)
                    return (
                        false, try SalvageRepairs(of: db, keys: keys, gaps: gaps, lists: lists)
                    )
                }
            }
            try new.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try new.close()
            try? old.close()
        } catch {
            Files.remove(draft)
            throw StateStoreError(error, path: path)
        }
    }

    /// References are repaired at the end.
    private static func configuration(isSealed: Bool) -> Configuration {
        var configuration = Connection.configuration(isSealed: isSealed)
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// False if nothing in it can be read.
    ///
    /// - Throws: `.otherFormat` if it has another format.
    private static func isReadable(_ queue: DatabaseQueue, path: String) throws -> Bool {
        let format = try? queue.read { db -> Int? in
            guard try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_master") != nil else {
                return nil
            }
            return try Int.fetchOne(db, sql: "PRAGMA user_version")
        }
        guard let format, format > 0 else { return false }
        try Connection.checkFormat(format, path: path)
        return true
    }

    private static func empty(_ draft: String) throws -> DatabaseQueue {
        try Files.makeDraft(draft, of: draft)
        let queue = try DatabaseQueue(
            path: Connection.plainName(draft),
            configuration: configuration(isSealed: true)
        )
        try queue.writeWithoutTransaction { db in
            try db.immediately { try Schema.create($0) }
        }
        return queue
    }

    /// Keeps a readable lineage, because known serials are stored by lineage.
    private static func identify(
        _ db: Database,
        lineage: StateLineage?,
        key: StateKey?
    ) throws {
        let row = try db.row("SELECT lineage FROM meta")
        let stored = row.flatMap { try? $0.decode(String.self, atIndex: 0) }
        let identity = try StateFile.identity(
            lineage: lineage ?? stored.map { StateLineage(text: $0) },
            key: key,
            randomBytes: SystemRandom.bytes
        )
        guard row != nil else { return try StateFile.insert(identity, into: db) }
        try db.run(
            "UPDATE meta SET (lineage, fingerprint_key, keys) = (?, ?, ?)",
            arguments: identity
        )
    }
}

// MARK: - Rows

extension Salvage {
    private static func carry(
        from old: DatabaseQueue,
        to new: DatabaseQueue
    ) throws -> [Table] {
        let names = try new.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid
                    """
            )
        }
        return try names.map { name in
            try new.writeWithoutTransaction { target in
                try target.immediately { try carry(name, from: old, to: $0) }
            }
        }
    }

    private static func carry(
        _ name: String,
        from old: DatabaseQueue,
        to target: Database
    ) throws -> Table {
        let columns = try target.columns(in: name).map(\.name)
        let keys = try orderColumns(of: name, in: target)
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let list = columns.joined(separator: ", ")
        let insertion = "INSERT OR IGNORE INTO \(name) (\(list)) VALUES (\(marks))"
        var (rows, hasGap) = (0, false)
        for direction in ["", "DESC"] where direction.isEmpty || hasGap {
            let order = keys.map { "\($0) \(direction)" }.joined(separator: ", ")
            let sql =
                "SELECT \(list) FROM \(name)" + (direction.isEmpty ? "" : " ORDER BY \(order)")
            let isAtEnd = old.isReadable { db in
                let cursor = try Row.fetchCursor(db, sql: sql)
                while let row = try cursor.next() {
                    guard SalvagedRow(row, of: name).isSound else {
                        hasGap = true
                        continue
                    }
                    guard insert(row, sql: insertion, into: target) else {
                        hasGap = true
                        continue
                    }
                    if target.changesCount == 1 {
                        rows += 1
                    } else if direction.isEmpty {
                        hasGap = true
                    } else {
                        return
                    }
                }
            }
            if !isAtEnd { hasGap = true }
        }
        return Table(name: name, rows: rows, hasGap: hasGap)
    }

    /// Returns the columns that determine the order of the rows.
    private static func orderColumns(of table: String, in db: Database) throws -> [String] {
        let sql = try String.fetchOne(
            db,
            sql: "SELECT sql FROM sqlite_master WHERE name = ?",
            arguments: [table]
        )
        guard sql?.contains("WITHOUT ROWID") == true else { return ["rowid"] }
        return try db.primaryKey(table).columns
    }

    /// Returns false if the table rejects the row.
    private static func insert(_ row: Row, sql: String, into target: Database) -> Bool {
        (try? target.run(sql, arguments: StatementArguments(row.databaseValues))) != nil
    }
}

extension DatabaseQueue {
    /// Whether the body completed.
    fileprivate func isReadable(_ body: (Database) throws -> Void) -> Bool {
        (try? unsafeRead(body)) != nil
    }
}
