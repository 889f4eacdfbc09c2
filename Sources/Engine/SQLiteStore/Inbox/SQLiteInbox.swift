import CampaignModel
import FoundationEssentials
import GRDB
package import Inbox
package import State
import StoreTables
import Text
package import Time

/// The inbox of a state in a file: `ENV.inbox.sqlite` next to `ENV.sqlite`.
///
/// It is a separate database, because a run holds the lock of the state while messages arrive. A listener
/// holds the lock of the inbox; runs read it and note what they acted on without the lock. An actor,
/// because it owns the connection. Its calls run one after the other on a separate serial queue.
package actor SQLiteInbox: InboxStore {
    nonisolated package let path: String
    nonisolated private let queue: DatabaseQueue
    nonisolated private let tables: InboxTables
    nonisolated private let writerLock: WriterLock
    nonisolated private let place: StatePlace
    /// Open for as long as the connection.
    nonisolated private let descriptor: StateDescriptor
    nonisolated private let executor = StoreExecutor()

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private init(
        _ descriptor: StateDescriptor,
        queue: DatabaseQueue,
        tables: InboxTables,
        path: String
    ) {
        self.path = path
        self.queue = queue
        self.tables = tables
        self.descriptor = descriptor
        writerLock = WriterLock(of: descriptor, path: path)
        place = StatePlace(of: path, file: descriptor.identity)
    }

    deinit {
        try? queue.close()
    }

    /// The path of a state's inbox: `.herald/dev.sqlite` has `.herald/dev.inbox.sqlite`.
    package static func path(ofStateAt state: String) -> String {
        let stem = state.hasSuffix(".sqlite") ? String(state.dropLast(7)) : state
        return "\(stem).inbox.sqlite"
    }

    // MARK: Opening

    /// Opens the inbox of an open state.
    ///
    /// - Parameters:
    ///   - state: Its lineage and keys are those of the inbox.
    ///   - creates: Whether to create a missing inbox.
    ///   - randomBytes: Returns as many bytes as requested, suitable for keys.
    /// - Returns: Nil if there is none and none is created.
    /// - Throws: `.foreign` if the inbox belongs to another state.
    package static func open(
        of state: SQLiteStore,
        creates: Bool,
        randomBytes: @Sendable (Int) -> [UInt8] = { SystemRandom.bytes($0) }
    ) async throws(StateStoreError) -> SQLiteInbox? {
        let path = path(ofStateAt: state.path)
        let identity = try await state.identity()
        let vault = state.openedVault
        if try Files.isMissing(path) {
            guard creates else { return nil }
            try create(path, lineage: identity.lineage, vault: vault, randomBytes: randomBytes)
        }
        try StatePlace.checkSuitable(path)
        // Before the connection: if the file is replaced in between, the lock is refused.
        let descriptor = try StateDescriptor(path)
        let inbox = SQLiteInbox(
            descriptor,
            queue: try InboxConnection.open(path, isSealed: vault != nil),
            tables: InboxTables(
                hasher: InboxHasher(key: identity.fingerprintKey),
                vault: vault,
                path: path
            ),
            path: path
        )
        try await inbox.checkOwner(identity.lineage)
        return inbox
    }

    private static func create(
        _ path: String,
        lineage: StateLineage,
        vault: StateVault?,
        randomBytes: (Int) -> [UInt8]
    ) throws(StateStoreError) {
        let draft = "\(path).new-\(Hexadecimal.text(of: randomBytes(4)))"
        try StatePlace.checkFolder(of: path)
        try Files.makeDraft(draft, of: path)
        do {
            let queue = try DatabaseQueue(
                path: Connection.plainName(draft),
                configuration: Connection.configuration()
            )
            try queue.writeWithoutTransaction { db in
                try db.immediately { db in
                    try InboxSchema.create(
                        db,
                        name: Hexadecimal.text(of: randomBytes(16)),
                        lineage: lineage.text,
                        isSealed: vault != nil
                    )
                }
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.close()
        } catch {
            Files.remove(draft)
            throw StateStoreError(error, path: path)
        }
        try Files.publish(draft, as: path)
    }

    /// Seals the messages of an inbox whose state was encrypted since then.
    private func checkOwner(_ lineage: StateLineage) throws(StateStoreError) {
        let (found, isSealed) = try read { db -> (String, Bool) in
            guard let row = try db.row("SELECT lineage, sealed FROM inbox_meta") else {
                throw StateStoreError.damaged(path: path, reason: "it has no lineage")
            }
            return (
                try row.decode(String.self, atIndex: 0), try row.decode(Bool.self, atIndex: 1)
            )
        }
        guard found == lineage.text else {
            throw .foreign(
                path: path,
                required: RequiredLineage(lineage, by: .machine),
                found: StateLineage(text: found)
            )
        }
        switch (isSealed, tables.vault != nil) {
        case (true, false): throw .encrypted(path: path)
        case (false, true): try sealMessages()
        case (true, true), (false, false): return
        }
    }

    private func sealMessages() throws(StateStoreError) {
        try write { db in
            try tables.sealMessages(in: db)
            try db.run("UPDATE inbox_meta SET sealed = 1")
        }
        do {
            // Free pages may contain the readable messages.
            try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    // MARK: Lock

    /// Makes this process the only listener of the inbox.
    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await writerLock.acquire(for: worker, waiting: waiting)
        guard Files.identity(of: path) == descriptor.identity else {
            writerLock.release()
            throw .replaced(path: path)
        }
    }

    package func unlock() {
        writerLock.release()
    }

    // MARK: Transactions

    private func read<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        do {
            return try queue.unsafeRead { db in try db.snapshot { try body(session($0)) } }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    /// Writes everything or nothing; the changes are on disk when it returns.
    private func write<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try place.check(descriptor)
        do {
            return try queue.writeWithoutTransaction { db in
                try db.immediately { try body(session($0)) }
            }
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    private func session(_ db: Database) -> SQLiteSession {
        SQLiteSession(db, lists: ListFolder(of: path))
    }
}

extension SQLiteInbox {
    package func store(_ messages: [UpstreamMessage]) throws(StateStoreError) -> [InboxResult] {
        guard !messages.isEmpty else { return [] }
        return try write { db in try tables.store(messages, in: db) }
    }

    package func messages(
        after position: InboxPosition?,
        limit: Int
    ) throws(StateStoreError) -> [InboxMessage] {
        try read { db in try tables.messages(after: position, limit: limit, in: db) }
    }

    package func confirm(upTo position: InboxPosition) throws(StateStoreError) {
        try write { db in try tables.confirm(upTo: position, in: db) }
    }

    package func confirmed() throws(StateStoreError) -> Int64 {
        try read { db in try tables.confirmed(in: db) }
    }

    package func removeMessages(before time: Instant) throws(StateStoreError) -> Int {
        try write { db in try tables.removeMessages(before: time, in: db) }
    }

    package func summary() throws(StateStoreError) -> InboxSummary {
        try read { db in try tables.summary(in: db) }
    }
}
