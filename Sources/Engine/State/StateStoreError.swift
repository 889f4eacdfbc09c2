/// Why a state could not be read or written.
///
/// The path is shown to people.
package enum StateStoreError: Error, Hashable, Sendable {
    /// The file or its folder cannot be opened or made.
    case unreachable(path: String, reason: String)
    /// What is there is not a state of Herald, or is broken.
    case damaged(path: String, reason: String)
    /// The file of message ids, which only a reader of them needs.
    case damagedIDs(path: String, reason: String)
    case diskFull(path: String)
    case readOnly(path: String)
    /// Written by a later Herald.
    case newerFormat(path: String, found: Int, supported: Int)
    /// Somebody else is writing; nil where the holder did not say who he is.
    case locked(holder: Worker?)
    /// Its registrations are encrypted, and no key is there.
    case encrypted(path: String)
    /// Encrypted under another key than those that are there.
    case wrongKey(path: String)
    /// A key is there, and the registrations are not encrypted.
    case notEncrypted(path: String)
    case failed(path: String, reason: String)
    /// Nothing is there, where `herald.yaml` says which state is.
    case missing(path: String)
    /// It is another state than `herald.yaml` says.
    case foreign(path: String, expected: StateLineage, found: StateLineage)
    /// Another file took its place after it was opened.
    case replaced(path: String)
    /// This machine has seen a later serial of it.
    case rolledBack(path: String, seen: StateSerial, found: StateSerial)
}

extension StateStoreError {
    /// The same of another file, for what happened to a copy of it.
    package func at(_ path: String) -> StateStoreError {
        switch self {
        case .unreachable(_, let reason): .unreachable(path: path, reason: reason)
        case .damaged(_, let reason): .damaged(path: path, reason: reason)
        case .damagedIDs(_, let reason): .damagedIDs(path: path, reason: reason)
        case .diskFull: .diskFull(path: path)
        case .readOnly: .readOnly(path: path)
        case .newerFormat(_, let found, let supported):
            .newerFormat(path: path, found: found, supported: supported)
        case .locked: self
        case .encrypted: .encrypted(path: path)
        case .wrongKey: .wrongKey(path: path)
        case .notEncrypted: .notEncrypted(path: path)
        case .failed(_, let reason): .failed(path: path, reason: reason)
        case .missing: .missing(path: path)
        case .foreign(_, let expected, let found):
            .foreign(path: path, expected: expected, found: found)
        case .replaced: .replaced(path: path)
        case .rolledBack(_, let seen, let found):
            .rolledBack(path: path, seen: seen, found: found)
        }
    }
}
