package import Fleet
import PostgresClient
import State
import StoreTables

/// Performs the transactions of a worker on PostgreSQL (decision 75).
///
/// It has one connection, which a stuck commit blocks, so that each lane has a store of its own. An
/// actor, because it owns the connection; its calls run one after the other on a separate queue, as
/// those of `PostgresStore`.
package actor FleetStore: FleetConnection {
    nonisolated private let place: PostgresPlace
    nonisolated private let address: PostgresAddress
    nonisolated private let executor = StoreExecutor()
    /// Nil until it is needed, and after it was lost.
    private var pipeline: PostgresPipeline?

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// How long a worker waits for an answer.
    ///
    /// The server's limit for statements does not end a wait for a standby.
    private static let patience = Duration.seconds(4)

    /// Makes a store that has no connection yet.
    ///
    /// `place`: has the state's tables. `lane`: names the connection, so that the server shows what it is
    /// for.
    package init(at place: PostgresPlace, for lane: FleetTicket.Lane = .ledger) {
        self.place = place
        address = place.address.named(lane.rawValue)
    }

    package func perform(
        _ transaction: FleetTransaction,
        notes: [UnitNotes] = []
    ) -> FleetReply {
        let patience = PostgresLimit.patience(Self.patience)
        let pipeline: PostgresPipeline
        do {
            pipeline = try connected(within: patience)
        } catch {
            return .failed(.notCommitted, cause: problem(error))
        }
        do {
            let exchange = FleetExchange(transaction, notes: notes)
            return try send(exchange, of: transaction, on: pipeline, within: patience)
        } catch let error as NotCurrent {
            return .failed(.fenced, cause: problem(error))
        } catch {
            self.pipeline = nil
            return .failed(.inDoubt, cause: problem(error))
        }
    }

    package func stop(_ occurrence: OccurrenceNumber, because problem: String) -> Bool {
        let patience = PostgresLimit.patience(Self.patience)
        let update = PostgresStatement(
            """
            UPDATE fleet_occurrences SET recalled = 1, problem = coalesce(problem, $2) WHERE unit = $1
            """,
            [.number(occurrence.number), .text(problem)]
        )
        do {
            let pipeline = try connected(within: patience)
            let statements = beginning(isDurable: true) + [update, PostgresStatement("COMMIT")]
            let answers = try pipeline.answers(to: statements, within: patience)
            guard answers.failure == nil else {
                rollBack()
                return false
            }
            return true
        } catch {
            self.pipeline = nil
            return false
        }
    }

    /// Sends a transaction in one write, and reads its answer.
    ///
    /// - Throws: `NotCurrent`, or why the answer is missing.
    private func send(
        _ exchange: FleetExchange,
        of transaction: FleetTransaction,
        on pipeline: PostgresPipeline,
        within patience: PostgresPatience
    ) throws -> FleetReply {
        let beginning = beginning(isDurable: transaction.isDurable, exchange.pass)
        let before = beginning + exchange.statements
        let after = exchange.told == nil ? [observation] : []
        let warnings = pipeline.warnings
        let answers = try pipeline.answers(
            to: before + [PostgresStatement("COMMIT")] + after,
            within: patience
        )
        if let error = answers.failure {
            return end(transaction, error, hasReached: answers.results.count - before.count)
        }
        // No standby has confirmed it.
        guard pipeline.warnings == warnings else { throw PostgresError.timedOut }
        let changes = exchange.pass?.changes.count ?? 0
        let results = Array(answers.results[(beginning.count - changes)..<before.count])
        guard let last = answers.results.last else { throw UnexpectedValue() }
        let server = try exchange.told?(results) ?? ServerState(PostgresRow(last, 0))
        return .answered(try exchange.answer(results, server))
    }

    /// The reply to a transaction with a statement that failed.
    ///
    /// `place`: of that statement; 0 is the `COMMIT`, and lower numbers are before it.
    private func end(
        _ transaction: FleetTransaction,
        _ error: PostgresError,
        hasReached place: Int
    ) -> FleetReply {
        guard place < 0 || place == 0 && !error.isOfConnection else {
            pipeline = nil
            return .failed(.inDoubt, cause: problem(error))
        }
        rollBack()
        guard error.state == "HRD01" else { return .failed(.notCommitted, cause: problem(error)) }
        if case .divide = transaction { return .answered(.divided(nil)) }
        return .failed(.fenced, cause: problem(error))
    }

    // MARK: Statements

    private func beginning(
        isDurable: Bool,
        _ pass: FleetExchange.Pass? = nil
    ) -> [PostgresStatement] {
        let durability = PostgresValue.text(isDurable ? "on" : "off")
        let settings = [PostgresValue.text(place.schema), durability]
        let begin = PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        guard let pass else {
            return [
                begin, PostgresStatement("SELECT \(place.schema).fleet_begin($1, $2)", settings),
            ]
        }
        // No statement that needs a path follows a change.
        let values =
            (pass.changes.isEmpty ? settings : [durability]) + [
                .worker(pass.fence.worker), .number(pass.fence.incarnation),
                .number(pass.fence.commits), .number(pass.fence.timeline.number),
                .number(pass.returnedPermits),
            ] + (pass.changes.first ?? [])
        let function = pass.changes.isEmpty ? "fleet_pass" : "fleet_commit"
        return [begin, call(function, values)]
            + pass.changes.dropFirst().map { call("fleet_change_next", $0) }
    }

    private func call(_ function: String, _ values: [PostgresValue]) -> PostgresStatement {
        let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return PostgresStatement("SELECT \(place.schema).\(function)(\(places))", values)
    }

    /// What the server has after the commit.
    private var observation: PostgresStatement {
        PostgresStatement("SELECT timeline, place, safe FROM \(place.schema).fleet_server()")
    }

    // MARK: The connection

    private func connected(
        within patience: PostgresPatience
    ) throws(PostgresError) -> PostgresPipeline {
        if let pipeline, pipeline.isUsable { return pipeline }
        let made = try PostgresPipeline(to: address, within: patience)
        pipeline = made
        return made
    }

    private func rollBack() {
        let rollback = [PostgresStatement("ROLLBACK")]
        let isDone = try? pipeline?.send(rollback, within: PostgresLimit.patience(Self.patience))
        if isDone == nil { pipeline = nil }
    }

    private func problem(_ error: any Error) -> StateStoreError {
        StateStoreError(postgres: error, path: place.name)
    }
}

/// A fence that is not current, in a transaction that changed nothing.
struct NotCurrent: Error {}

extension ServerState {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            timeline: Timeline(try row.decode(Int.self, atIndex: 0)),
            position: LogPosition(try row.decode(Int.self, atIndex: 1)),
            safe: LogPosition(try row.decode(Int.self, atIndex: 2))
        )
    }
}
