import FoundationEssentials
import GRDB
import GRDBSQLite
import State
import Text

/// Opens connections and rejects files that are not states, or settings that are not durable.
enum Connection {
    /// Larger files are not checked on opening, because every command would then read the data of all campaigns.
    ///
    /// Damage in them is found on reading.
    private static let largestChecked = 4 << 20

    static func open(
        _ path: String,
        isSealed: Bool = false
    ) throws(StateStoreError) -> DatabaseQueue {
        do {
            let queue = try connect(to: path, configuration: configuration(isSealed: isSealed))
            try queue.writeWithoutTransaction { try verify($0, path: path) }
            return queue
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    private static func connect(
        to path: String,
        configuration: Configuration
    ) throws -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: plainName(path), configuration: configuration)
        } catch let error as DatabaseError where mayLackSharedMemory(error, path: path) {
            var readOnly = configuration
            readOnly.readonly = true
            guard let queue = try? DatabaseQueue(path: frozenName(path), configuration: readOnly)
            else { throw error }
            return queue
        }
    }

    /// Closes a connection, and keeps the write-ahead log if a run has not ended.
    ///
    /// A state without it would otherwise look like one whose log was lost.
    static func close(_ queue: DatabaseQueue) throws {
        try? queue.inDatabase { db in
            var isKept: CInt = try SQLiteStore.unfinishedRun(in: db) == nil ? 0 : 1
            sqlite3_file_control(
                db.sqliteConnection,
                "main",
                SQLITE_FCNTL_PERSIST_WAL,
                &isKept
            )
        }
        try queue.close()
    }

    static func configuration(isSealed: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.label = "herald.state"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        // GRDB's setting for write-ahead logs is NORMAL, which may lose the last commits.
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA synchronous = \(synchronous);
                    PRAGMA wal_autocheckpoint = \(checkpointPages)
                    """
            )
            if isSealed { try forgetful(db) }
        }
        return configuration
    }

    /// Overwrites deleted content, and keeps it out of temporary files and memory maps.
    static func forgetful(_ db: Database) throws {
        try db.execute(
            sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0"
        )
    }

    /// 2 is FULL.
    private static let synchronous = 2
    /// 16 MiB: each checkpoint waits for the disk twice.
    private static let checkpointPages = 4_096

    /// Whether the error means that SQLite cannot create its log's index, because the folder is not
    /// writable.
    ///
    /// A state that no process has open has no log, and can be read as an immutable file.
    private static func mayLackSharedMemory(_ error: DatabaseError, path: String) -> Bool {
        let primary = error.resultCode
        let isLacking = primary == .SQLITE_CANTOPEN || primary == .SQLITE_READONLY
        return isLacking && Files.size(of: path) != nil && (Files.size(of: path + "-wal") ?? 0) == 0
    }

    /// Returns a plain path, because SQLite interprets `:memory:` and names that begin with
    /// `file:`.
    static func plainName(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    private static func frozenName(_ path: String) -> String {
        "file:" + plainName(path).percentEncoded(keeping: "/") + "?immutable=1"
    }
}

extension Connection {
    private static func verify(_ db: Database, path: String) throws {
        try checkFormat(of: db, path: path)
        try checkPages(of: db, path: path)
        guard try Row.fetchOne(db, sql: "SELECT 1 FROM meta") != nil else {
            throw StateStoreError.damaged(path: path, reason: "it has no lineage")
        }
        try checkDurability(of: db, path: path)
    }

    private static func checkFormat(of db: Database, path: String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
            throw StateStoreError.damaged(path: path, reason: "it is not a Herald state")
        }
        try checkFormat(try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, path: path)
    }

    static func checkFormat(_ found: Int, path: String) throws {
        guard found != Schema.formatVersion else { return }
        // A state is created atomically, so format 0 does not exist.
        guard found > 0 else {
            throw StateStoreError.damaged(path: path, reason: "its format is unknown")
        }
        throw StateStoreError.otherFormat(
            path: path,
            found: found,
            supported: Schema.formatVersion
        )
    }

    private static func checkPages(of db: Database, path: String) throws {
        guard let size = Files.size(of: path), size < largestChecked else { return }
        let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard verdict == "ok" else {
            throw StateStoreError.damaged(path: path, reason: "its pages are inconsistent")
        }
    }

    private static func checkDurability(of db: Database, path: String) throws {
        guard !db.configuration.readonly else { return }
        let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let foreignKeys = try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
        guard journal == "wal", synchronous == Self.synchronous, foreignKeys == 1 else {
            throw StateStoreError.failed(
                path: path,
                reason: "SQLite does not provide the durability that a state requires"
            )
        }
    }
}
