import GRDB
import State
import StoreTables

extension StateStoreError {
    /// Converts an SQLite error.
    ///
    /// Its text contains only names of tables and columns: values are bound, never part of a
    /// statement.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as DatabaseError: self.init(database: error, path: path)
        // Its own description would show the row.
        case is RowDecodingError:
            self = .damaged(path: path, reason: "a value is not of its column's type")
        default: self.init(storing: error, path: path)
        }
    }

    private init(database error: DatabaseError, path: String) {
        let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        switch error.extendedResultCode {
        case .SQLITE_READONLY_DBMOVED:
            self = .unreachable(path: path, reason: "the file was moved or removed")
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY: self = .readOnly(path: path)
        case .SQLITE_NOTADB: self = .damaged(path: path, reason: "it is not a SQLite database")
        case .SQLITE_CORRUPT: self = .damaged(path: path, reason: reason)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = .unreachable(path: path, reason: reason)
        // SQLite reports a full disk only when it writes pages.
        case .SQLITE_IOERR where Files.isDiskFull(at: path): self = .diskFull(path: path)
        case .SQLITE_ERROR where reason.hasPrefix("no such column"):
            self = .ofUnreleasedVersion(path: path, reason: reason)
        default: self = .failed(path: path, reason: reason)
        }
    }
}
