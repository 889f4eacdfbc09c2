import GRDB
package import State
package import StoreTables

/// A change that waits for the next commit.
struct PendingChange {
    /// Makes the change in a transaction, and returns what to call when it is on disk.
    let perform: (Database) throws -> () -> Void
    let fail: (StateStoreError) -> Void
}

// One commit for the changes of several sends, because each commit waits for the disk.
extension SQLiteStore {
    package func writeTogether<Value: Sendable>(
        _ body: @escaping (any StateDatabase) throws -> Value
    ) async throws(StateStoreError) -> Value {
        try await writeTogetherRows { [self] db in try body(session(db)) }
    }

    /// Writes everything or nothing, together with the changes that arrive while an earlier commit
    /// waits for the disk; the changes are on disk when it returns.
    ///
    /// Errors of other changes have no effect. `body` may run several times; only the last result
    /// counts.
    func writeTogetherRows<Value: Sendable>(
        _ body: @escaping (Database) throws -> Value
    ) async throws(StateStoreError) -> Value {
        let result = await withCheckedContinuation {
            (caller: CheckedContinuation<Result<Value, StateStoreError>, Never>) in
            let change = PendingChange(
                perform: { db in
                    let value = try body(db)
                    return { caller.resume(returning: .success(value)) }
                },
                fail: { caller.resume(returning: .failure($0)) }
            )
            pendingChanges.append(change)
            // Calls that are already waiting for the store run before the commit.
            if pendingChanges.count == 1 { Task { commitTogether() } }
        }
        return try result.get()
    }

    private func commitTogether() {
        let changes = pendingChanges
        pendingChanges = []
        guard changes.count > 1 else { return changes.forEach(commit) }
        if !commitWithoutErrors(changes) { commitWithSavepoints(changes) }
    }

    /// Commits changes, and saves the time for their savepoints.
    ///
    /// - Returns: False if one of them threw; then none was made.
    private func commitWithoutErrors(_ changes: [PendingChange]) -> Bool {
        var isComplete = false
        do throws(StateStoreError) {
            let ends = try writeRows { db in
                let ends = try changes.map { try $0.perform(db) }
                isComplete = true
                return ends
            }
            for end in ends { end() }
        } catch {
            guard isComplete else { return false }
            // After an error of the commit, the state on disk is uncertain for all of them.
            for change in changes { change.fail(error) }
        }
        return true
    }

    /// Commits changes, each in a savepoint, because some of them may throw.
    private func commitWithSavepoints(_ changes: [PendingChange]) {
        var isComplete = false
        do throws(StateStoreError) {
            let results = try writeRows { db in
                let results = try changes.map { try attempt($0, in: db) }
                isComplete = true
                return results
            }
            for (change, result) in zip(changes, results) {
                switch result {
                case .success(let end): end()
                case .failure(let error): change.fail(StateStoreError(error, path: path))
                }
            }
        } catch {
            // After an error of the commit, the state on disk is uncertain for all of them. Before
            // it, the error may be of one of them only.
            for change in changes {
                if isComplete { change.fail(error) } else { commit(change) }
            }
        }
    }

    private func commit(_ change: PendingChange) {
        do throws(StateStoreError) {
            let end = try writeRows { db in try change.perform(db) }
            end()
        } catch {
            change.fail(error)
        }
    }

    /// Makes one of several changes of a transaction; if it fails, the transaction does not contain it.
    ///
    /// Throws if the error ended the transaction.
    private func attempt(
        _ change: PendingChange,
        in db: Database
    ) throws -> Result<() -> Void, any Error> {
        try db.run("SAVEPOINT change")
        do {
            let end = try change.perform(db)
            try db.run("RELEASE SAVEPOINT change")
            return .success(end)
        } catch {
            guard db.isInsideTransaction else { throw error }
            try db.run("ROLLBACK TO SAVEPOINT change")
            try db.run("RELEASE SAVEPOINT change")
            return .failure(error)
        }
    }
}
