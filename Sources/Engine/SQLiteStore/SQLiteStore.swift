import GRDB
package import State
package import StoreTables
import Synchronization

/// A state in one SQLite file, written through one connection.
///
/// The journal is a write-ahead log that is synced at every commit (SQLite documentation,
/// `PRAGMA synchronous`: FULL). An actor, because it owns the connection and, while it is the
/// writer, the descriptor of the lock. Its calls run one after the other, in the order in which
/// they are made, on a separate serial queue: a commit that waits for the disk blocks no thread that
/// runs other tasks.
package actor SQLiteStore: TableStore {
    nonisolated package let path: String
    nonisolated let queue: DatabaseQueue
    nonisolated let keyring: Mutex<StateKeyring>
    nonisolated let events: Events
    nonisolated let writerLock: WriterLock
    /// The files of long lists.
    nonisolated let lists: ListFolder
    nonisolated let draftFile = Mutex(DraftFile())
    /// Open for as long as the connection.
    nonisolated private let descriptor: StateDescriptor
    /// Nil for a copy that no other process uses.
    nonisolated private let place: StatePlace?
    nonisolated private let executor = StoreExecutor()
    /// The notes about the requests of the units that are being sent.
    var flights: [UnitID: FlightFile] = [:]
    /// The number of units of the run that have had notes.
    var flightCount = 0
    /// The files of short units, by their numbers; empty until there were many.
    var shelves: [Int64: FlightShelf] = [:]
    /// The changes for the next commit.
    var pendingChanges: [PendingChange] = []
    package var upkeep = MembershipUpkeep()

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The file of the present drafts of lists.
    struct DraftFile {
        weak var file: ListFile?
    }

    /// Uses a file that is open.
    ///
    /// `queue`: a connection to the file of `descriptor`. `home`: the path next to which the state's
    /// other files are.
    init(
        _ descriptor: StateDescriptor,
        place: StatePlace?,
        queue: DatabaseQueue,
        path: String,
        home: String,
        keyring: StateKeyring,
        events: Events
    ) {
        self.path = path
        self.descriptor = descriptor
        self.place = place
        self.queue = queue
        self.keyring = Mutex(keyring)
        self.events = events
        writerLock = WriterLock(of: descriptor, path: path)
        lists = ListFolder(of: home)
    }

    deinit {
        try? Connection.close(queue)
    }

    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await writerLock.acquire(for: worker, waiting: waiting)
        upkeep.segmentCounts = [:]
        do throws(StateStoreError) {
            // An earlier holder of the lock may have replaced the file.
            guard Files.identity(of: path) == descriptor.identity else {
                throw .replaced(path: path)
            }
            try requireUnmoved()
            try checkVault()
        } catch {
            writerLock.release()
            throw error
        }
    }

    package func unlock() {
        writerLock.release()
    }

    /// - Throws: `.displaced` if another file is in the state's place, or none.
    func requirePlace() throws(StateStoreError) {
        guard place == nil || Files.identity(of: path) == descriptor.identity else {
            throw .displaced(path: path, what: .state)
        }
    }
}

extension SQLiteStore {
    nonisolated func session(_ db: Database) -> SQLiteSession { SQLiteSession(db, lists: lists) }

    nonisolated package func read<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try readRows { db in try body(session(db)) }
    }

    package func write<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try writeRows { db in try body(session(db)) }
    }

    /// The erased content is also overwritten in the file; `sweep` rewrites its pages later.
    package func writeErasing<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in
                try Connection.forgetful(db)
                let value = try db.immediately { db in
                    try requireUnmoved(db)
                    let value = try body(session(db))
                    try db.run("UPDATE meta SET unswept = 1")
                    return value
                }
                sweepLists(neededBy: db)
                return value
            }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    package func removeFiles(of units: [UnitID]) {
        for unit in units { Files.remove(MessageIDFile(of: unit, state: path).path) }
    }

    /// Reads from a snapshot, unaffected by concurrent writes.
    nonisolated func readRows<Value>(
        _ body: (Database) throws -> Value
    ) throws(StateStoreError) -> Value {
        do {
            return try queue.unsafeRead { db in try db.snapshot(body) }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    /// Writes everything or nothing; the changes are on disk when it returns.
    ///
    /// - Throws: `.displaced` before it writes if the state's files are no longer in their place.
    func writeRows<Value>(_ body: (Database) throws -> Value) throws(StateStoreError) -> Value {
        try place?.check(descriptor)
        do {
            return try queue.writeWithoutTransaction { db in
                try db.immediately { db in
                    try requireUnmoved(db)
                    return try body(db)
                }
            }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }
}
