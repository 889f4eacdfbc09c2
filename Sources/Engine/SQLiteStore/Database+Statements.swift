import GRDB

extension Database {
    /// Runs a statement that is prepared once for all uses.
    func run(_ sql: String, arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, arguments: StatementArguments = []) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Takes SQLite's write lock at once, so that no later statement finds the database busy.
    func immediately<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN IMMEDIATE TRANSACTION", body)
    }

    /// Reads one snapshot.
    ///
    /// Unlike GRDB's `read`, it sets no pragma: after `PRAGMA query_only`, SQLite compiles each
    /// statement again, which costs more than most reads.
    func snapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN DEFERRED TRANSACTION", body)
    }

    private func transaction<Value>(
        _ beginning: String,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        try run(beginning)
        do {
            let value = try body(self)
            try run("COMMIT TRANSACTION")
            return value
        } catch {
            // Some errors have already rolled back the transaction.
            if isInsideTransaction { try? run("ROLLBACK TRANSACTION") }
            throw error
        }
    }
}
