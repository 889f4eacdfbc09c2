/// A query that cannot change the database, and whose rows are read in blocks.
package struct PostgresQuery: Sendable {
    private let text: String
    /// The server stops each statement after this time.
    private let limit: Duration

    /// The number of rows of a block.
    private static let block = 10_000

    package init(_ text: String, limit: Duration) {
        self.text = text
        self.limit = limit
    }

    /// Visits the rows in order, holding one at a time.
    ///
    /// `begin` gets the names of the columns before the first row. Both functions return whether to
    /// continue. The text must be one `SELECT`, `VALUES`, `TABLE` or `WITH` that changes no data,
    /// because a cursor accepts no other statement. It runs in a transaction that is read only and
    /// ends with the connection.
    package func forEachRow(
        on connection: borrowing PostgresConnection,
        within patience: PostgresPatience,
        begin: ([String]) -> Bool,
        visit: (borrowing PostgresRow) -> Bool
    ) throws(PostgresError) {
        for statement in beginning { try connection.execute(statement, within: patience) }
        var hasBegun = false
        var count = Self.block
        while count == Self.block {
            count = try connection.forEachRow(of: Self.fetch, within: patience) { row in
                if !hasBegun {
                    hasBegun = true
                    guard begin(row.columns) else { return false }
                }
                return row.isPresent ? visit(row) : true
            }
        }
    }

    private static let fetch = "FETCH FORWARD \(block) FROM herald_rows"

    private var beginning: [String] {
        let milliseconds = max(1, Int(limit / .milliseconds(1)))
        return [
            "BEGIN READ ONLY", "SET LOCAL statement_timeout = \(milliseconds)",
            "DECLARE herald_rows NO SCROLL CURSOR FOR \(text)",
        ]
    }
}
