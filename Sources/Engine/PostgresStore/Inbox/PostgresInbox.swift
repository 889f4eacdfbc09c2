import CampaignModel
import FoundationEssentials
package import Inbox
import PostgresClient
package import State
import StoreTables
package import Time

/// The inbox of a state in PostgreSQL: tables of the same schema.
///
/// Any number of listeners store messages at the same time. Their transactions do not count as commits
/// of workers, because a message changes no plan. An actor, because it owns a separate connection: a
/// listener never waits for a send.
package actor PostgresInbox: InboxStore {
    nonisolated package let path: String
    nonisolated private let place: PostgresPlace
    nonisolated private let tables: InboxTables
    nonisolated private let executor = StoreExecutor()
    /// Nil until it is needed, and after it was lost.
    private var pipeline: PostgresPipeline?

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Opens the inbox of an open state.
    package init(of state: PostgresStore) async throws(StateStoreError) {
        let identity = try await state.identity()
        path = state.path
        place = state.place
        tables = InboxTables(
            hasher: InboxHasher(key: identity.fingerprintKey),
            vault: state.openedVault,
            path: state.path
        )
    }
}

// MARK: - Transactions

extension PostgresInbox {
    private static let mostAttempts = 5

    /// Performs a transaction, again if its answer was lost: each of them may happen twice.
    ///
    /// A warning means that no standby has confirmed the commit: it counts as no answer. The repetition
    /// commits too, which confirms the commits before it.
    private func perform<Value>(
        _ beginning: PostgresBeginning,
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        do {
            var attempt = 1
            while true {
                do {
                    return try self.attempt(beginning, body)
                } catch let error as PostgresError where error.isOfConnection {
                    pipeline = nil
                    if attempt == Self.mostAttempts { throw error }
                    attempt += 1
                }
            }
        } catch {
            throw StateStoreError(postgres: error, path: path)
        }
    }

    private func attempt<Value>(
        _ beginning: PostgresBeginning,
        _ body: (any StateDatabase) throws -> Value
    ) throws -> Value {
        let pipeline = try connected()
        let session = PostgresSession(
            on: pipeline,
            beginning: beginning.statements(schema: place.schema)
        )
        do {
            try checkPlace(session)
            let value = try body(session)
            let warnings = pipeline.warnings
            _ = try pipeline.send(
                session.takeRest() + [PostgresStatement("COMMIT")],
                within: PostgresLimit.patience(PostgresLimit.answer)
            )
            guard pipeline.warnings == warnings else { throw PostgresError.timedOut }
            return value
        } catch let error as PostgresError where error.isOfConnection {
            throw error
        } catch {
            let rollback = [PostgresStatement("ROLLBACK")]
            let patience = PostgresLimit.patience(PostgresLimit.connect)
            if (try? pipeline.send(rollback, within: patience)) == nil { self.pipeline = nil }
            throw error
        }
    }

    /// - Throws: `.moved` if the whole state is in another place now.
    private func checkPlace(_ session: PostgresSession) throws {
        guard let row = try session.row("SELECT moved FROM meta", arguments: []) else {
            throw StateStoreError.damaged(path: path, reason: "it has no lineage")
        }
        if let moved = try row.decode(String?.self, atIndex: 0) {
            throw StateStoreError.moved(path: path, to: moved)
        }
    }

    private func connected() throws(PostgresError) -> PostgresPipeline {
        if let pipeline, pipeline.isUsable { return pipeline }
        let made = try PostgresPipeline(
            to: place.address,
            within: PostgresLimit.patience(PostgresLimit.connect)
        )
        pipeline = made
        return made
    }
}

extension PostgresInbox {
    package func store(_ messages: [UpstreamMessage]) throws(StateStoreError) -> [InboxResult] {
        guard !messages.isEmpty else { return [] }
        return try perform(.appending) { db in try tables.store(messages, in: db) }
    }

    package func messages(
        after position: InboxPosition?,
        limit: Int
    ) throws(StateStoreError) -> [InboxMessage] {
        try perform(.reading) { db in
            try tables.messages(after: position, limit: limit, in: db)
        }
    }

    package func confirm(upTo position: InboxPosition) throws(StateStoreError) {
        try perform(.appending) { db in try tables.confirm(upTo: position, in: db) }
    }

    package func confirmed() throws(StateStoreError) -> Int64 {
        try perform(.reading) { db in try tables.confirmed(in: db) }
    }

    package func removeMessages(before time: Instant) throws(StateStoreError) -> Int {
        try perform(.appending) { db in try tables.removeMessages(before: time, in: db) }
    }

    package func summary() throws(StateStoreError) -> InboxSummary {
        try perform(.reading) { db in try tables.summary(in: db) }
    }
}
