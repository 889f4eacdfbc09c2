import FoundationEssentials
package import PostgresClient

/// The schema of a database that has a state.
package struct PostgresPlace: Sendable {
    package let address: PostgresAddress
    /// The schema with the state's tables.
    package let schema: String

    /// `schema`: lower-case letters, digits and underscores.
    package init(_ address: PostgresAddress, schema: String = PostgresSchema.name) {
        self.address = address
        self.schema = schema
    }

    /// Names the state in errors, without a user or password.
    package var name: String {
        schema == PostgresSchema.name ? address.place : "\(address.place)#\(schema)"
    }
}

/// How long a store waits for the server.
enum PostgresLimit {
    static let connect = Duration.seconds(15)
    /// Longer than the server's own limits.
    static let answer = Duration.seconds(75)
    /// How long to look up a commit without an answer.
    static let settling = Duration.seconds(60)

    static func patience(_ limit: Duration) -> PostgresPatience {
        PostgresPatience(until: .now + limit, isStopped: { false })
    }
}

/// How long the server keeps a transaction whose client sends nothing, in PostgreSQL's units.
///
/// It ends the transactions of processes that vanished.
enum PostgresIdleLimit: String {
    case store = "15s"
    /// Commits, syncs and long reads of the file on the other side take place in between.
    case move = "1h"
}

/// The beginning of a transaction.
///
/// A pool of connections keeps no setting, so that every transaction has its own (`SET LOCAL`).
enum PostgresBeginning {
    case reading
    /// Waits until no other transaction of this kind is open, like `BEGIN IMMEDIATE` of SQLite.
    case writing
    /// Appends to the ledger, or changes the lock.
    case appending

    /// `idle`: how long the server waits for the next statement.
    func statements(
        schema: String,
        idle: PostgresIdleLimit = .store
    ) -> [PostgresStatement] {
        let begin =
            switch self {
            case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .writing, .appending: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            }
        let settings = PostgresStatement(
            """
            SELECT set_config('search_path', $1, true),
                set_config('synchronous_commit', 'on', true),
                set_config('statement_timeout', '60s', true),
                set_config('lock_timeout', '5s', true),
                set_config('idle_in_transaction_session_timeout', $2, true)
            """,
            [.text(schema), .text(idle.rawValue)]
        )
        let lock = PostgresStatement("SELECT 1 FROM meta WHERE id = 1 FOR UPDATE")
        switch self {
        case .reading, .appending: return [PostgresStatement(begin), settings]
        case .writing: return [PostgresStatement(begin), settings, lock]
        }
    }
}
