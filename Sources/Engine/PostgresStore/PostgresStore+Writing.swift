import Dispatch
import FoundationEssentials
import PostgresClient
package import State
package import StoreTables

/// The transaction has not happened and cannot happen any more.
struct NotCommitted: Error {
    let cause: PostgresError
}

extension PostgresStore {
    /// Attempts of a transaction whose connection is lost.
    static let mostAttempts = 3

    package func read<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try read(idle: .store, body)
    }

    /// `body`: may run several times.
    func read<Value>(
        idle: PostgresIdleLimit,
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try mapErrors {
            var attempt = 1
            while true {
                let pipeline = try connected()
                do {
                    let beginning = PostgresBeginning.reading
                        .statements(schema: place.schema, idle: idle)
                    let session = PostgresSession(on: pipeline, beginning: beginning)
                    let value = try body(session)
                    _ = try pipeline.send(
                        session.takeRest() + [PostgresStatement("COMMIT")],
                        within: PostgresLimit.patience(PostgresLimit.answer)
                    )
                    return value
                } catch let error as PostgresError where error.isOfConnection {
                    self.pipeline = nil
                    if attempt == Self.mostAttempts { throw error }
                    attempt += 1
                } catch {
                    rollBack(pipeline)
                    throw error
                }
            }
        }
    }

    package func write<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        try mapErrors {
            var attempt = 1
            while true {
                do {
                    return try attemptWrite(body)
                } catch let error as NotCommitted {
                    if attempt == Self.mostAttempts { throw error.cause }
                    attempt += 1
                }
            }
        }
    }

    /// Changes that wait for each other's commit gain nothing here: see `record`.
    package func writeTogether<Value: Sendable>(
        _ body: @escaping (any StateDatabase) throws -> Value
    ) async throws(StateStoreError) -> Value {
        try write(body)
    }

    private func attemptWrite<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws -> Value {
        let worker = try registered()
        let pipeline = try connected()
        let beginning = PostgresBeginning.writing.statements(schema: place.schema)
        let session = PostgresSession(on: pipeline, beginning: beginning)
        let value: Value
        do {
            value = try body(session)
        } catch let error as PostgresError where error.isOfConnection {
            // Nothing was asked to be committed, so the server rolls it back.
            self.pipeline = nil
            throw NotCommitted(cause: error)
        } catch {
            rollBack(pipeline)
            throw error
        }
        guard session.isChanged else {
            rollBack(pipeline)
            return value
        }
        // The transaction may have changed the outcomes of any unit.
        units = [:]
        do { _ = try commit(session.takeRest(), on: pipeline, by: worker) } catch is LostAnswers {}
        return value
    }

    /// Sends the last statements of a transaction with its fence and its commit, in one write.
    ///
    /// - Throws: `NotCommitted` if the answer was lost and the server tells that it did not happen.
    /// `pipeline`: the one that has the transaction, whose beginning may be among the statements.
    func commit(
        _ statements: [PostgresStatement],
        on pipeline: PostgresPipeline,
        by worker: RegisteredWorker
    ) throws -> [PostgresResult] {
        let warnings = pipeline.warnings
        do {
            let results = try pipeline.send(
                statements + [fence(of: worker), PostgresStatement("COMMIT")],
                within: PostgresLimit.patience(PostgresLimit.answer)
            )
            // A warning means that no standby has confirmed it: it counts as no answer.
            if pipeline.warnings == warnings {
                self.worker?.commits += 1
                return results
            }
            try settleCommit(of: worker, after: .timedOut)
            return results
        } catch let error as PostgresError {
            if !error.isOfConnection {
                rollBack(pipeline)
                guard error.state == "HRD01" else { throw error }
                // A failover lost commits of this process, or another process struck it off, because it had
                // not written for a day.
                noteCommits(of: worker)
                self.worker = nil
                throw NotCommitted(cause: error)
            }
            try settleCommit(of: worker, after: error)
            // It is committed, but the answers to its statements are lost.
            throw LostAnswers()
        }
    }

    private func fence(of worker: RegisteredWorker) -> PostgresStatement {
        let lease = lease?.fence
        return PostgresStatement(
            "SELECT fence($1, $2, $3, $4::bigint, $5::bytea)",
            [
                .bytes(worker.id), .integer(worker.incarnation), .integer(worker.commits),
                lease.map { .integer($0.epoch) } ?? .null,
                lease.map { .bytes($0.token) } ?? .null,
            ]
        )
    }

    func rollBack(_ pipeline: PostgresPipeline) {
        let rollback = [PostgresStatement("ROLLBACK")]
        let isDone = try? pipeline.send(
            rollback,
            within: PostgresLimit.patience(PostgresLimit.connect)
        )
        if isDone == nil { self.pipeline = nil }
    }
}

// MARK: - Commits without an answer

/// The transaction is committed, and the answers to its statements are lost.
struct LostAnswers: Error {}

extension PostgresStore {
    /// Finds out whether a commit happened whose answer is missing.
    ///
    /// The look-up raises the incarnation of the worker, which the transaction's fence compares. Then
    /// either the commit is visible, or it cannot happen any more.
    ///
    /// - Throws: `NotCommitted`, or that the server cannot be asked.
    private func settleCommit(
        of worker: RegisteredWorker,
        after cause: PostgresError
    ) throws {
        pipeline = nil
        self.worker = nil
        let deadline = ContinuousClock.now + PostgresLimit.settling
        while ContinuousClock.now < deadline {
            guard let row = try? raiseIncarnation(of: worker) else {
                pipeline = nil
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(200))
                continue
            }
            guard let row else {
                // A failover lost that it was registered, or another process struck it off.
                _ = try registered()
                break
            }
            if row.commits < worker.commits {
                failover.isSetBack = true
                throw NotCommitted(cause: cause)
            }
            self.worker = row
            if row.commits == worker.commits + 1 { return }
            throw NotCommitted(cause: cause)
        }
        throw StateStoreError.server(path: path, .uncertainCommit)
    }

    /// Nil if the worker was struck off.
    private func raiseIncarnation(of worker: RegisteredWorker) throws -> RegisteredWorker?? {
        let result = try perform(
            PostgresStatement(
                """
                UPDATE worker SET incarnation = incarnation + 1 WHERE id = $1
                RETURNING incarnation, commits
                """,
                [.bytes(worker.id)]
            )
        )
        guard result.rowCount == 1 else { return .some(nil) }
        let row = PostgresRow(result, 0)
        return RegisteredWorker(
            id: worker.id,
            incarnation: try row.decode(Int64.self, atIndex: 0),
            commits: try row.decode(Int64.self, atIndex: 1)
        )
    }

    /// Performs a statement that may happen twice, in a transaction without a fence.
    ///
    /// A warning means that no standby has confirmed its commit: it counts as no answer.
    func perform(_ statement: PostgresStatement) throws -> PostgresResult {
        var attempt = 1
        while true {
            let pipeline = try connected()
            let beginning = PostgresBeginning.appending.statements(schema: place.schema)
            let warnings = pipeline.warnings
            do {
                let results = try pipeline.send(
                    beginning + [statement, PostgresStatement("COMMIT")],
                    within: PostgresLimit.patience(PostgresLimit.answer)
                )
                guard pipeline.warnings == warnings else { throw PostgresError.timedOut }
                return results[beginning.count]
            } catch let error as PostgresError where error.isOfConnection {
                self.pipeline = nil
                if attempt == Self.mostAttempts { throw error }
                attempt += 1
            } catch {
                rollBack(pipeline)
                throw error
            }
        }
    }

    func connected() throws(PostgresError) -> PostgresPipeline {
        if let pipeline, pipeline.isUsable { return pipeline }
        let made = try PostgresPipeline(
            to: place.address,
            within: PostgresLimit.patience(PostgresLimit.connect)
        )
        pipeline = made
        return made
    }

    func mapErrors<Value>(_ work: () throws -> Value) throws(StateStoreError) -> Value {
        do {
            return try work()
        } catch {
            throw StateStoreError(postgres: error, path: path)
        }
    }
}
