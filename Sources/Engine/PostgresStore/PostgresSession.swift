import FoundationEssentials
import PostgresClient
import State
import StoreTables

/// A transaction on the tables in PostgreSQL.
///
/// Statements without rows wait for the next one with rows, or for the commit, and are sent together
/// with it. A class, because the tables' code shares it.
final class PostgresSession: StateDatabase {
    private let pipeline: PostgresPipeline
    private var waiting: [PostgresStatement]
    private var waitingSize = 0
    /// The rows that the last statement of `run` changed, if it was sent.
    private var sentChanges: Int?
    private var cursors = 0
    private(set) var isChanged = false
    private var lastPage: Int64?
    private var isPageAdded = false

    /// Bytes of statements that are sent at the latest.
    private static let mostWaiting = 1 << 22

    init(on pipeline: PostgresPipeline, beginning: [PostgresStatement]) {
        self.pipeline = pipeline
        waiting = beginning
    }

    var dialect: SQLDialect { .postgres }

    // MARK: Sending

    /// The statements that were not sent, with those that belong to the commit.
    func takeRest() -> [PostgresStatement] {
        if isPageAdded, let lastPage {
            enqueue(PostgresStatement("UPDATE page_number SET last = $1", [.integer(lastPage)]))
        }
        defer { waiting = [] }
        return waiting
    }

    /// Sends the waiting statements and this one, and returns its answer.
    func ask(_ statement: PostgresStatement) throws -> PostgresResult {
        enqueue(statement)
        guard let result = try flush() else { throw UnexpectedValue() }
        return result
    }

    func enqueue(_ statement: PostgresStatement) {
        waiting.append(statement)
        waitingSize += statement.size
    }

    private func flush() throws -> PostgresResult? {
        let statements = waiting
        (waiting, waitingSize) = ([], 0)
        return try pipeline.send(statements, within: PostgresLimit.patience(PostgresLimit.answer))
            .last
    }

    // MARK: Statements

    func run(_ sql: String, arguments: StatementValues) throws {
        isChanged = true
        sentChanges = nil
        enqueue(statement(sql, arguments))
        if waitingSize > Self.mostWaiting { sentChanges = try flush()?.changes }
    }

    func changes() throws -> Int {
        if let sentChanges { return sentChanges }
        let changes = try flush()?.changes ?? 0
        sentChanges = changes
        return changes
    }

    func insert(_ sql: String, arguments: StatementValues) throws -> Int64 {
        isChanged = true
        let result = try ask(statement(sql + " RETURNING id", arguments))
        return try PostgresRow(result, 0).decode(Int64.self, atIndex: 0)
    }

    func row(_ sql: String, arguments: StatementValues) throws -> (any StoredRow)? {
        let result = try ask(statement(sql, arguments))
        return result.rowCount == 0 ? nil : PostgresRow(result, 0)
    }

    func allRows(_ sql: String, arguments: StatementValues) throws -> [any StoredRow] {
        let result = try ask(statement(sql, arguments))
        return (0..<result.rowCount).map { PostgresRow(result, $0) }
    }

    func rows(_ sql: String, arguments: StatementValues) throws -> any StoredRows {
        let statement = statement(sql, arguments)
        cursors += 1
        let name = "rows_\(cursors)"
        enqueue(
            PostgresStatement(
                "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.text)",
                statement.parameters
            )
        )
        return try PostgresRows(name, in: self)
    }

    private func statement(_ sql: String, _ arguments: StatementValues) -> PostgresStatement {
        PostgresStatement(Placeholders.numbered(sql), arguments.list.map(\.postgresValue))
    }

    // MARK: Numbers

    /// The commits of all workers, and the timeline, because a failover may lose commits; this
    /// transaction's own commit is one of them.
    func version() throws -> StateVersion {
        let isChanged = isChanged
        let result = try ask(
            PostgresStatement(
                """
                SELECT retired + (SELECT coalesce(sum(commits), 0)::bigint FROM worker),
                    fleet_timeline()
                FROM meta WHERE id = 1
                """
            )
        )
        guard result.rowCount == 1 else { throw UnexpectedValue() }
        let row = PostgresRow(result, 0)
        let commits = try row.decode(Int.self, atIndex: 0)
        let timeline = try row.decode(Int.self, atIndex: 1)
        return StateVersion(numbers: [commits + (isChanged ? 1 : 0), timeline])
    }

    func lastRegistrationPage() throws -> Int64 {
        if let lastPage { return lastPage }
        let row = try row("SELECT last FROM page_number", arguments: [])
        let last = try row?.decode(Int64.self, atIndex: 0) ?? 0
        lastPage = last
        return last
    }

    func lastNumber(of table: String) throws -> Int64 {
        guard table != Self.pages else { return try lastRegistrationPage() }
        let row = try row(
            """
            SELECT greatest((SELECT coalesce(max(id), 0) FROM \(table)),
                coalesce(pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass), 0))
            """,
            arguments: [table]
        )
        return try row?.decode(Int64.self, atIndex: 0) ?? 0
    }

    func reserveNumbers(upTo last: Int64, of table: String) throws {
        guard table != Self.pages else { return didInsertRegistrationPage(last) }
        guard last > 0 else { return }
        _ = try row(
            "SELECT setval(pg_get_serial_sequence(?, 'id')::regclass, ?)",
            arguments: [table, last]
        )
    }

    /// Their numbers are in `page_number`.
    private static let pages = "registration_pages"

    func didInsertRegistrationPage(_ number: Int64) {
        isPageAdded = true
        lastPage = max(lastPage ?? 0, number)
    }
}

extension PostgresStatement {
    fileprivate var size: Int {
        text.utf8.count + parameters.reduce(0) { $0 + $1.size }
    }
}

extension PostgresValue {
    fileprivate var size: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .bytes(let data): data.count
        case .integers(let numbers): numbers.count * 12
        case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count + 4 }
        }
    }
}

extension StatementValue {
    fileprivate var postgresValue: PostgresValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .blob(let data): .bytes(data)
        }
    }
}
