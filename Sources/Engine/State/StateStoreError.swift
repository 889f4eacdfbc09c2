/// Why a state could not be read or written.
///
/// The path is shown to people.
package enum StateStoreError: Error, Hashable, Sendable {
    /// The file or its folder cannot be opened or created.
    case unreachable(path: String, reason: String)
    /// The file is not a Herald state, or is damaged.
    case damaged(path: String, reason: String)
    /// The file of message IDs is damaged, which only affects reading them.
    case damagedIDs(path: String, reason: String)
    case diskFull(path: String)
    case readOnly(path: String)
    /// Written by another version of Herald in an unsupported format.
    case otherFormat(path: String, found: Int, supported: Int)
    /// Another process holds the lock; nil if it has not described itself.
    case locked(holder: Worker?)
    /// Its registrations are encrypted, and there is no key.
    case encrypted(path: String)
    /// Its registrations are encrypted with another key.
    case wrongKey(path: String)
    /// There is a key, but the registrations are not encrypted.
    case notEncrypted(path: String)
    case failed(path: String, reason: String)
    /// There is no state. `required` is nil if a missing state is no loss.
    case missing(path: String, required: RequiredLineage? = nil)
    /// Its lineage differs from the required one.
    case foreign(path: String, required: RequiredLineage, found: StateLineage)
    /// Another file replaced it after it was opened.
    case replaced(path: String)
    /// The path cannot hold a state that only one process writes.
    case unsuitable(path: String, reason: UnsuitablePlace)
    /// A file of the state is no longer where this process opened it; nothing more is written.
    case displaced(path: String, what: DisplacedPart)
    /// This machine has seen a later serial of it.
    case rolledBack(path: String, seen: StateSerial, found: StateSerial)
    /// The whole state was moved to another place, which is named without a user or password.
    case moved(path: String, to: String)
    /// A problem with the database server that has the state; `path` names no user and no password.
    case server(path: String, StateServerProblem)
}

/// Why a database server cannot be used, or did not do what was asked.
///
/// Messages of the server are untrusted text.
package enum StateServerProblem: Hashable, Sendable {
    /// Its client library is not installed.
    case noLibrary(detail: String)
    /// The text is no connection string; it is not repeated, because it may contain a password.
    case malformedAddress
    /// Refused connections, unknown hosts.
    case unreachable(message: String)
    /// The server's certificate or its TLS is not acceptable.
    case untrusted(message: String)
    /// The server refuses the user, the password or the database.
    case rejected(message: String)
    /// No answer in time.
    case slow
    /// A standby, or a server that accepts no changes.
    case readOnly
    case diskFull
    /// An administrator or a time limit stopped the statement.
    case cancelled(message: String)
    case lacksPrivilege(message: String)
    case tooOld(version: String)
    /// A setting with which commits are not durable, such as `fsync`.
    case unsafeSetting(name: String)
    /// Another process took the lock of this one, whose lease had ended.
    case lostLock
    /// The answer to a commit was lost, and the server could not be asked about it.
    case uncertainCommit
    /// A failover lost commits of this process.
    ///
    /// `isRestored`: whether the state again has what this process sent itself.
    case lostCommits(isRestored: Bool)
}

extension StateStoreError {
    /// Returns the same error with another path, for errors about a copy.
    package func at(_ path: String) -> StateStoreError {
        switch self {
        case .unreachable(_, let reason): .unreachable(path: path, reason: reason)
        case .damaged(_, let reason): .damaged(path: path, reason: reason)
        case .damagedIDs(_, let reason): .damagedIDs(path: path, reason: reason)
        case .diskFull: .diskFull(path: path)
        case .readOnly: .readOnly(path: path)
        case .otherFormat(_, let found, let supported):
            .otherFormat(path: path, found: found, supported: supported)
        case .locked: self
        case .encrypted: .encrypted(path: path)
        case .wrongKey: .wrongKey(path: path)
        case .notEncrypted: .notEncrypted(path: path)
        case .failed(_, let reason): .failed(path: path, reason: reason)
        case .missing(_, let required): .missing(path: path, required: required)
        case .foreign(_, let required, let found):
            .foreign(path: path, required: required, found: found)
        case .replaced: .replaced(path: path)
        case .unsuitable(_, let reason): .unsuitable(path: path, reason: reason)
        case .displaced(_, let what): .displaced(path: path, what: what)
        case .rolledBack(_, let seen, let found):
            .rolledBack(path: path, seen: seen, found: found)
        case .moved(_, let place): .moved(path: path, to: place)
        case .server(_, let problem): .server(path: path, problem)
        }
    }
}

/// Why a path cannot hold a state.
package enum UnsuitablePlace: Hashable, Sendable {
    /// It is a symbolic link.
    case link
    /// It is not a plain file.
    case noFile
    /// The file has several names (hard links), each with its own write-ahead log.
    case severalNames(Int)
    /// A file is mounted there, without its write-ahead log.
    case mountPoint
    /// `type`: the kernel's name of the file system, such as `nfs4`.
    case network(type: String)
}

/// What happened to the files of an open state.
package enum DisplacedPart: Hashable, Sendable {
    /// The path leads to another file or to none.
    case state
    /// The write-ahead log or its index was moved, removed or replaced.
    case log
    /// The file got another name.
    case secondName
}
