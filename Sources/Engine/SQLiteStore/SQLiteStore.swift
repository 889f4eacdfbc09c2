package import State
import GRDB
import Synchronization

/// A state in one SQLite file, written through one connection.
///
/// The journal is a write-ahead log that is synced at every commit (SQLite documentation,
/// `PRAGMA synchronous`: FULL). A class, because it owns the connection and, while it is the
/// writer, the descriptor of the lock.
package final class SQLiteStore: StateStore, Sendable {
    package let path: String
    let queue: DatabaseQueue
    let keyring: Mutex<StateKeyring>
    let didRewrap: @Sendable () -> Void
    private let writerLock: WriterLock
    /// The file that is open.
    private let file: FileIdentity?

    init(
        path: String,
        file: FileIdentity?,
        queue: DatabaseQueue,
        keyring: StateKeyring = StateKeyring(),
        didRewrap: @escaping @Sendable () -> Void = {}
    ) {
        self.path = path
        self.file = file
        self.queue = queue
        self.keyring = Mutex(keyring)
        self.didRewrap = didRewrap
        writerLock = WriterLock(path: path + ".lock")
    }

    /// Opens the state at a path, making it and its folder where they are missing.
    ///
    /// A state that cannot be written can be read: where even the folder cannot be written, as
    /// long as nobody has it open.
    ///
    /// - Parameters:
    ///   - path: Where the state's file is or will be.
    ///   - key: With which an encrypted state opens, and a new one is encrypted; nil for a plain one.
    ///   - previous: Opens a state too that is not under `key` yet; the next writer brings it there.
    ///   - creating: Whether a state is made where there is none.
    ///   - randomBytes: Gives as many bytes as asked for, fit for keys.
    ///   - didRewrap: Called when the state was brought under `key`.
    /// - Returns: The store, which closes the file when it is dropped.
    /// - Throws: What is wrong with the file, its folder or the keys; a file that is no state stays as
    ///   it is.
    package static func open(
        path: String,
        key: StateKey? = nil,
        previous: StateKey? = nil,
        creating: Bool = true,
        randomBytes: (Int) -> [UInt8] = SQLiteStore.systemRandomBytes,
        didRewrap: @escaping @Sendable () -> Void = {}
    ) throws(StateStoreError) -> SQLiteStore {
        if try StateFile.isMissing(path) {
            guard creating else { throw .missing(path: path) }
            try StateFile.create(path, key: key, randomBytes: randomBytes)
        }
        // Looked at first: where it is replaced before it is open, the lock is refused.
        let file = Files.identity(of: path)
        let store = SQLiteStore(
            path: path,
            file: file,
            queue: try Connection.open(path, isSealed: key != nil),
            keyring: StateKeyring(key: key, previous: previous),
            didRewrap: didRewrap
        )
        try store.openVault()
        return store
    }

    /// Bytes of the operating system's generator.
    package static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await writerLock.acquire(for: worker, waiting: waiting)
        do throws(StateStoreError) {
            // Whoever had the lock before may have put another file there.
            guard Files.identity(of: path) == file else {
                throw .replaced(path: path)
            }
            try checkVault()
        } catch {
            writerLock.release()
            throw error
        }
    }

    package func unlock() {
        writerLock.release()
    }
}

extension SQLiteStore {
    /// Reads from one moment of the state, whatever is written meanwhile.
    func read<Value>(_ body: (Database) throws -> Value) throws(StateStoreError) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    /// Writes all or nothing; what is written is on disk on return.
    func write<Value>(_ body: (Database) throws -> Value) throws(StateStoreError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in try db.immediately(body) }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    func failed(_ reason: String) -> StateStoreError {
        .failed(path: path, reason: reason)
    }

    func damaged(_ reason: String) -> StateStoreError {
        .damaged(path: path, reason: reason)
    }
}
