package import State
import StoreTables

// Queries for user commands only.
extension SQLiteStore {
    /// Whether a state exists, in any condition.
    package static func isThere(path: String) throws(StateStoreError) -> Bool {
        try !StateFile.isMissing(path)
    }

    /// Whether its write-ahead log has content.
    package static func hasLog(path: String) -> Bool { (Files.size(of: path + "-wal") ?? 0) > 0 }

    package func currentWriter() throws(StateStoreError) -> CurrentWriter {
        try writerLock.holder()
    }

    nonisolated package func hasWaitingWriter() -> Bool { QueuePlace.isTaken(of: path) }

    package func version() throws(StateStoreError) -> StateVersion {
        // Without the file, this connection would never see a change again.
        try requirePlace()
        return try read { db in try db.version() }
    }
}
