import FoundationEssentials
import PostgresClient
package import State
package import StoreTables

// Moving whole states between a file and a server.
extension PostgresStore {
    /// Reads the whole state from one snapshot.
    ///
    /// `body`: may run several times.
    ///
    /// - Throws: `.failed` while the fleet has an occurrence, because its tables are not moved.
    package func readForMove(
        _ body: @Sendable (StateMove.Source) throws -> Void
    ) throws(StateStoreError) {
        try read(idle: .move) { db in
            if let row = try db.row("SELECT unit FROM fleet_occurrences LIMIT 1") {
                let unit = try row.decode(Int64.self, atIndex: 0)
                throw failed("the workers of a fleet are sending unit \(unit)")
            }
            let source = StateMove.Source(db, path: path) { [path] unit, visit in
                try Self.visitMessageIDs(of: unit, on: db, path: path, visit)
            }
            try body(source)
        }
    }

    /// Creates the tables of a state, filled in one transaction.
    ///
    /// - Parameters:
    ///   - place: The database and the schema.
    ///   - identity: The identity of the state that is moved. What an earlier move of it left there is
    ///     replaced.
    ///   - moved: The mark with which the copy is refused until the move is complete.
    ///   - fill: Fills the tables.
    /// - Returns: The mark of another state that is there and stays; nil if the tables are filled.
    /// - Throws: The problem with the server, or an error of `fill`; then nothing is changed. `.slow` if no
    ///   standby confirms the commit; then the copy is there with its mark, and the next move replaces it.
    package static func fill(
        _ place: PostgresPlace,
        with identity: StateIdentity,
        moved: String,
        fill: @Sendable (StateMove.Target) throws -> Void
    ) async throws(StateStoreError) -> StateMark? {
        try await closed(place).fill(with: identity, moved: moved, fill: fill)
    }

    private func fill(
        with identity: StateIdentity,
        moved: String,
        fill: (StateMove.Target) throws -> Void
    ) throws(StateStoreError) -> StateMark? {
        try checkServer()
        return try mapErrors {
            let pipeline = try connected()
            let session = PostgresSession(
                on: pipeline,
                beginning: PostgresBeginning.appending
                    .statements(schema: place.schema, idle: .move)
            )
            do {
                if let found = try lockedMark(session) {
                    guard found.isLeftOver(by: identity) else {
                        rollBack(pipeline)
                        return found
                    }
                    try session.run("DROP SCHEMA \(place.schema) CASCADE")
                }
                for statement in tables({ SystemRandom.bytes($0) }) { session.enqueue(statement) }
                try fill(target(session, moved: moved))
                try commit(session, on: pipeline)
                return nil
            } catch {
                rollBack(pipeline)
                throw error
            }
        }
    }

    /// Reads the mark of the state that is there, which no other process changes until the end of the
    /// transaction; nil if there is none.
    private func lockedMark(_ session: PostgresSession) throws -> StateMark? {
        let row = try session.row(
            "SELECT to_regclass(?) IS NOT NULL",
            arguments: ["\(place.schema).meta"]
        )
        guard try row?.decode(Bool.self, atIndex: 0) == true else { return nil }
        _ = try session.row("SELECT 1 FROM meta FOR UPDATE")
        return try StateMark.read(session, otherwise: damaged("it has no lineage"))
    }

    private func target(_ session: PostgresSession, moved: String) -> StateMove.Target {
        StateMove.Target(
            session,
            marks: [
                ("format", .integer(Int64(PostgresSchema.format))), ("moved", .text(moved)),
            ]
        ) { entries, unit, size in
            let block = MessageIDs(entries)
            try session.run(
                "INSERT INTO message_ids (unit, prefix, entries) VALUES (?, ?, ?)",
                arguments: [unit.number, block.prefix, block.entries]
            )
            return size + block.entries.count
        }
    }

    /// Marks the state as moved, unless it changed since a version; the caller has the lock.
    package func markMoved(
        to name: String,
        since version: StateVersion
    ) throws(StateStoreError) {
        try mapErrors {
            let pipeline = try connected()
            let session = PostgresSession(
                on: pipeline,
                beginning: PostgresBeginning.writing.statements(schema: place.schema)
            )
            do {
                guard try session.version() == version else {
                    throw failed(
                        "it changed while it was copied; stop all services and run the command again"
                    )
                }
                try session.run(
                    """
                    UPDATE meta SET moved = ?
                    WHERE EXISTS (SELECT 1 FROM writer WHERE epoch = ? AND token = ?)
                    """,
                    arguments: [name, lease?.fence.epoch ?? 0, lease?.fence.token ?? Data()]
                )
                guard try session.changes() == 1 else {
                    throw StateStoreError.server(path: path, .lostLock)
                }
                try commit(session, on: pipeline)
            } catch {
                rollBack(pipeline)
                throw error
            }
        }
    }

    /// Commits a copy, or the mark of a state.
    ///
    /// A warning means that no standby has confirmed the commit. Then another one must be confirmed,
    /// which confirms the commits before it.
    private func commit(_ session: PostgresSession, on pipeline: PostgresPipeline) throws {
        let warnings = pipeline.warnings
        _ = try pipeline.send(
            session.takeRest() + [PostgresStatement("COMMIT")],
            within: PostgresLimit.patience(PostgresLimit.answer)
        )
        guard pipeline.warnings != warnings else { return }
        _ = try perform(PostgresStatement("UPDATE meta SET moved = moved"))
    }

    /// Reads the mark of a state that may be moved.
    package static func mark(
        ofStateAt place: PostgresPlace
    ) async throws(StateStoreError) -> StateMark {
        try await closed(place).mark()
    }

    private func mark() throws(StateStoreError) -> StateMark {
        try checkServer()
        return try read { db in
            try StateMark.read(db, otherwise: damaged("it has no lineage"))
        }
    }

    /// Removes the mark of a state that was moved to a database.
    ///
    /// `mark`: another mark stays, because it is that of another state.
    package static func completeMove(
        to place: PostgresPlace,
        from mark: String
    ) async throws(StateStoreError) {
        try await closed(place).completeMove(from: mark)
    }

    private func completeMove(from mark: String) throws(StateStoreError) {
        try mapErrors {
            _ = try perform(
                PostgresStatement("UPDATE meta SET moved = NULL WHERE moved = $1", [.text(mark)])
            )
        }
    }
}
