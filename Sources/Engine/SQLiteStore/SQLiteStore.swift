import GRDB
package import State
import Synchronization

/// A state in one SQLite file, written through one connection.
///
/// The journal is a write-ahead log that is synced at every commit (SQLite documentation,
/// `PRAGMA synchronous`: FULL). An actor, because it owns the connection and, while it is the
/// writer, the descriptor of the lock. Its calls run one after the other, in the order in which
/// they are made, on a separate serial queue: a commit that waits for the disk blocks no thread that
/// runs other tasks.
package actor SQLiteStore: StateStore {
    nonisolated package let path: String
    nonisolated let queue: DatabaseQueue
    nonisolated let keyring: Mutex<StateKeyring>
    nonisolated let didRewrap: @Sendable () -> Void
    nonisolated let didBeginRun: @Sendable (SQLiteStore) async -> Void
    nonisolated private let writerLock: WriterLock
    /// The open file.
    nonisolated private let file: FileIdentity?
    nonisolated private let executor = StoreExecutor()

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        path: String,
        file: FileIdentity?,
        queue: DatabaseQueue,
        keyring: StateKeyring = StateKeyring(),
        didRewrap: @escaping @Sendable () -> Void = {},
        didBeginRun: @escaping @Sendable (SQLiteStore) async -> Void = { _ in }
    ) {
        self.path = path
        self.file = file
        self.queue = queue
        self.keyring = Mutex(keyring)
        self.didRewrap = didRewrap
        self.didBeginRun = didBeginRun
        writerLock = WriterLock(path: path + ".lock")
    }

    /// Opens the state at a path, and creates it and its folder if they are missing.
    ///
    /// A state that is not writable can be read. If its folder is not writable either, no process
    /// may have it open.
    ///
    /// - Parameters:
    ///   - path: The path of the state's file.
    ///   - key: Opens an encrypted state and encrypts a new one; nil for a plain one.
    ///   - previous: Opens a state that does not use `key` yet; the next writer moves it to `key`.
    ///   - creating: Whether to create a missing state.
    ///   - randomBytes: Returns as many bytes as requested, suitable for keys.
    ///   - didRewrap: Called when the state has moved to `key`.
    ///   - didBeginRun: Called when the beginning of a run is committed, before its first effect.
    /// - Returns: The store, which closes the file in its deinitializer.
    /// - Throws: The problem with the file, its folder or the keys; a file that is not a state
    ///   stays unchanged.
    package static func open(
        path: String,
        key: StateKey? = nil,
        previous: StateKey? = nil,
        creating: Bool = true,
        randomBytes: (Int) -> [UInt8] = SQLiteStore.systemRandomBytes,
        didRewrap: @escaping @Sendable () -> Void = {},
        didBeginRun: @escaping @Sendable (SQLiteStore) async -> Void = { _ in }
    ) throws(StateStoreError) -> SQLiteStore {
        if try StateFile.isMissing(path) {
            guard creating else { throw .missing(path: path) }
            try StateFile.create(path, key: key, randomBytes: randomBytes)
        }
        // Read this first: if the file is replaced before it is open, the lock is refused.
        let file = Files.identity(of: path)
        let store = SQLiteStore(
            path: path,
            file: file,
            queue: try Connection.open(path, isSealed: key != nil),
            keyring: StateKeyring(key: key, previous: previous),
            didRewrap: didRewrap,
            didBeginRun: didBeginRun
        )
        try store.openVault()
        return store
    }

    /// Returns bytes from the operating system's generator.
    package static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await writerLock.acquire(for: worker, waiting: waiting)
        do throws(StateStoreError) {
            // An earlier holder of the lock may have replaced the file.
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
    /// Reads from a snapshot, unaffected by concurrent writes.
    nonisolated func read<Value>(
        _ body: (Database) throws -> Value
    ) throws(StateStoreError) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    /// Writes everything or nothing; the changes are on disk when it returns.
    func write<Value>(_ body: (Database) throws -> Value) throws(StateStoreError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in try db.immediately(body) }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    nonisolated func failed(_ reason: String) -> StateStoreError {
        .failed(path: path, reason: reason)
    }

    nonisolated func damaged(_ reason: String) -> StateStoreError {
        .damaged(path: path, reason: reason)
    }
}
