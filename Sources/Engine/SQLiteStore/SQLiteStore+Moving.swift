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
    /// If it fails, nothing is left. `home`: its later path, next to which its message IDs are stored;
    /// the caller has the lock of that path. `moved`: the mark with which it is refused until the move is
    /// complete.
    package static func fillDraft(
        _ draft: String,
        home: String,
        moved: String,
        with fill: (StateMove.Target) throws -> Void
    ) throws(StateStoreError) {
        try Files.makeFolder(Files.parent(of: draft))
        TemporaryStateFile.remove(draft)
        try Files.makeDraft(draft, of: draft)
        var units: Set<UnitID> = []
        do {
            let queue = try draftQueue(draft)
            try queue.writeWithoutTransaction { db in
                try db.immediately { db in
                    try Schema.create(db)
                    let session = SQLiteSession(db, lists: ListFolder(of: home))
                    try fill(
                        StateMove.Target(session, marks: [("moved", .text(moved))]) {
                            entries,
                            unit,
                            size in
                            units.insert(unit)
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
            TemporaryStateFile.remove(draft)
            for unit in units { Files.remove(MessageIDFile(of: unit, state: home).path) }
            throw StateStoreError(error, path: home)
        }
    }

    private static func draftQueue(_ draft: String) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: Connection.plainName(draft),
            configuration: Connection.configuration()
        )
    }

    /// Removes a draft that was not published, with its message IDs.
    ///
    /// `home`: as for `fillDraft`; the caller has the lock of that path.
    package static func discardDraft(_ draft: String, home: String) {
        guard Files.size(of: draft) != nil else { return }
        let units = try? draftQueue(draft).read { db in
            try Int64.fetchAll(db, sql: "SELECT id FROM units WHERE ids > 0")
        }
        for unit in (units ?? []).map(UnitID.init(number:)) {
            Files.remove(MessageIDFile(of: unit, state: home).path)
        }
        TemporaryStateFile.remove(draft)
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
