import FoundationEssentials
import GRDB
package import State
package import StoreTables

// Moving whole states between a file and a server.
extension SQLiteStore {
    /// Reads the whole state from one snapshot.
    nonisolated package func readForMove(
        _ body: (StateMove.Source) throws -> Void
    ) throws(StateStoreError) {
        try readRows { db in
            let session = session(db)
            let source = StateMove.Source(session, path: path) { [path] unit, visit in
                try MessageIDFile(of: unit.id, state: path)
                    .visit(committed: unit.ids ?? 0, visit)
            }
            try body(source)
        }
    }

    /// Creates a state under a name that no other process uses, filled in one transaction.
    ///
    /// `home`: its later path, next to which its message IDs are stored. `moved`: the mark with which
    /// it is refused until the move is complete.
    package static func fillDraft(
        _ draft: String,
        home: String,
        moved: String,
        with fill: (StateMove.Target) throws -> Void
    ) throws(StateStoreError) {
        try Files.makeFolder(Files.parent(of: draft))
        TemporaryStateFile.remove(draft)
        try Files.makeDraft(draft, of: draft)
        do {
            let queue = try DatabaseQueue(
                path: Connection.plainName(draft),
                configuration: Connection.configuration()
            )
            try queue.writeWithoutTransaction { db in
                try db.immediately { db in
                    try Schema.create(db)
                    let session = SQLiteSession(db, lists: ListFolder(of: home))
                    try fill(
                        StateMove.Target(session, marks: [("moved", .text(moved))]) {
                            entries,
                            unit,
                            size in
                            let file = MessageIDFile(of: unit, state: home)
                            return try file.append(entries, after: size) ?? size
                        }
                    )
                }
                // Persistent: it is written into the file's header.
                try db.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try queue.close()
        } catch {
            Files.remove(draft)
            throw StateStoreError(error, path: home)
        }
    }

    /// Gives a finished draft its name; the caller has the lock of the path.
    ///
    /// `aside`: the new name of the file that it replaces; nil if there is none.
    package static func publishDraft(
        _ draft: String,
        as path: String,
        replacing aside: DisplacedStateFile?,
        under lock: StateLock
    ) throws(StateStoreError) {
        guard let aside else { return try Files.replace(path, with: draft) }
        try aside.keep()
        try aside.replace(with: draft, under: lock)
    }

    /// Marks the state as moved, unless it changed since a version; the caller has the lock.
    package func markMoved(
        to place: String,
        since version: StateVersion
    ) throws(StateStoreError) {
        try write { db in
            guard try db.version() == version else {
                throw failed(
                    "it changed while it was copied; stop all services and run the command again"
                )
            }
            try db.run("UPDATE meta SET moved = ?", arguments: [place])
        }
    }

    /// Reads the mark of a state that may be moved.
    package static func mark(ofStateAt path: String) throws(StateStoreError) -> StateMark {
        try withConnection(to: path) { db in
            try StateMark.read(
                SQLiteSession(db, lists: ListFolder(of: path)),
                otherwise: .damaged(path: path, reason: "it has no lineage")
            )
        }
    }

    /// Removes the mark of a state that was moved to a path; the caller has the lock of the path.
    ///
    /// `mark`: another mark stays, because it is that of another state.
    package static func completeMove(
        to path: String,
        from mark: String
    ) throws(StateStoreError) {
        try withConnection(to: path) { db in
            try db.run("UPDATE meta SET moved = NULL WHERE moved = ?", arguments: [mark])
        }
    }

    private static func withConnection<Value>(
        to path: String,
        _ body: (Database) throws -> Value
    ) throws(StateStoreError) -> Value {
        try StatePlace.checkSuitable(path)
        // Released after the connection; see `StateDescriptor`.
        let descriptor = try StateDescriptor(path)
        defer { withExtendedLifetime(descriptor) {} }
        let queue = try Connection.open(path)
        do {
            let value = try queue.writeWithoutTransaction { try $0.immediately(body) }
            try Connection.close(queue)
            return value
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    // MARK: Moved states

    nonisolated func requireUnmoved() throws(StateStoreError) {
        try readRows { try requireUnmoved($0) }
    }

    nonisolated func requireUnmoved(_ db: Database) throws {
        let row = try db.row("SELECT moved FROM meta")
        guard let place = try row?.decode(String?.self, atIndex: 0) else { return }
        throw StateStoreError.moved(path: path, to: place)
    }
}
