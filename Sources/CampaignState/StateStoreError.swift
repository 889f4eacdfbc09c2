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
