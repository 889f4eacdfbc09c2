import GRDB
import State
import StoreTables

/// Opens connections to inboxes and rejects files that are none.
enum InboxConnection {
    static func open(_ path: String, isSealed: Bool) throws(StateStoreError) -> DatabaseQueue {
        do {
            let queue = try DatabaseQueue(
                path: Connection.plainName(path),
                configuration: Connection.configuration(isSealed: isSealed)
            )
            try queue.writeWithoutTransaction { try verify($0, path: path) }
            return queue
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    private static func verify(_ db: Database, path: String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == InboxSchema.applicationID else {
            throw StateStoreError.damaged(path: path, reason: "it is not a Herald inbox")
        }
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard format == InboxSchema.formatVersion else {
            throw StateStoreError.otherFormat(
                path: path,
                found: format,
                supported: InboxSchema.formatVersion
            )
        }
        let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        // 2 is FULL: a commit is synced before it returns.
        guard journal == "wal", try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 else {
            throw StateStoreError.failed(
                path: path,
                reason: "SQLite does not provide the durability that an inbox requires"
            )
        }
    }
}
