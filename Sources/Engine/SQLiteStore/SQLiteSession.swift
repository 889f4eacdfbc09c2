import CampaignModel
import FoundationEssentials
import GRDB
import State
import StoreTables

/// A transaction on a state's file.
///
/// A class, because the tables' code shares it.
final class SQLiteSession: StateDatabase {
    let db: Database
    private let lists: ListFolder

    /// `lists`: the files of long lists.
    init(_ db: Database, lists: ListFolder) {
        self.db = db
        self.lists = lists
    }

    var dialect: SQLDialect { .sqlite }

    func run(_ sql: String, arguments: StatementValues) throws {
        try db.run(sql, arguments: StatementArguments(arguments))
    }

    func changes() -> Int { db.changesCount }

    func insert(_ sql: String, arguments: StatementValues) throws -> Int64 {
        try run(sql, arguments: arguments)
        return db.lastInsertedRowID
    }

    func row(_ sql: String, arguments: StatementValues) throws -> (any StoredRow)? {
        try db.row(sql, arguments: StatementArguments(arguments)).map(SQLiteRow.init)
    }

    func rows(_ sql: String, arguments: StatementValues) throws -> any StoredRows {
        SQLiteRows(try db.rows(sql, arguments: StatementArguments(arguments)))
    }

    func allRows(_ sql: String, arguments: StatementValues) throws -> [any StoredRow] {
        let statement = try db.cachedStatement(sql: sql)
        return try Row.fetchAll(statement, arguments: StatementArguments(arguments))
            .map(SQLiteRow.init)
    }

    /// The first number counts the commits of other connections, and the second one the changes of
    /// this connection.
    func version() throws -> StateVersion {
        guard let others = try db.row("PRAGMA data_version")?.decode(Int.self, atIndex: 0) else {
            throw UnexpectedValue()
        }
        return StateVersion(numbers: [others, db.totalChangesCount])
    }

    func lastRegistrationPage() throws -> Int64 {
        let row = try db.row("SELECT seq FROM sqlite_sequence WHERE name = 'registration_pages'")
        return try row?.decode(Int64.self, atIndex: 0) ?? 0
    }

    func lastNumber(of table: String) throws -> Int64 {
        let row = try db.row(
            """
            SELECT max(coalesce((SELECT max(id) FROM \(table)), 0),
                coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0))
            """,
            arguments: [table]
        )
        return try row?.decode(Int64.self, atIndex: 0) ?? 0
    }

    /// Tables without AUTOINCREMENT use the numbers of removed rows again.
    func reserveNumbers(upTo last: Int64, of table: String) throws {
        let row = try db.row(
            "SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'",
            arguments: [table]
        )
        guard row != nil, last > 0 else { return }
        try db.run("DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
        try db.run(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
            arguments: [table, last]
        )
    }

    /// SQLite counts by itself.
    func didInsertRegistrationPage(_ number: Int64) {}
}

// MARK: - Outcomes

extension SQLiteSession {
    func replaceOutcomes(
        _ outcomes: [RequestOutcome],
        of unit: StoredUnit
    ) throws -> [Outcome]? {
        var chunks = OutcomeChunks(of: unit)
        var replaced: [Outcome] = []
        replaced.reserveCapacity(outcomes.count)
        for new in outcomes {
            let stored = StoredOutcome(new)
            guard let before = try chunks.replace(new.index, with: stored, in: db) else {
                return nil
            }
            replaced.append(before)
        }
        try chunks.save(db)
        return replaced
    }

    func walkOutcomes(
        of unit: StoredUnit,
        over range: Range<Int>,
        body: (Int, StoredOutcome) -> Bool
    ) throws -> Bool {
        try OutcomeChunks(of: unit).walk(range, in: db, body: body)
    }

    func insertOutcomes(_ bytes: [UInt8], of unit: StoredUnit, chunk: Int) throws {
        try db.run(
            "INSERT INTO outcome_chunks (unit, chunk, outcomes, checksum) VALUES (?, ?, ?, ?)",
            arguments: [unit.id.number, chunk, Data(bytes), Checksum.of(bytes)]
        )
    }

    func settleOutcomes(of occurrence: OccurrenceID) {}

    func dropOutcomes(of unit: UnitID) throws {
        try db.run("DELETE FROM outcome_chunks WHERE unit = ?", arguments: [unit.number])
    }
}

// MARK: - Lists

extension SQLiteSession {
    func visitValues(
        of list: StoredList,
        in rows: Range<Int>,
        otherwise damage: StateStoreError,
        visit: (Int, Data) throws -> Void
    ) throws {
        let chunks = try db.rows(
            """
            SELECT first, file, \(StoredListChunk.columns)
            FROM list_chunks JOIN lists ON lists.id = list
            WHERE list = ?1 AND first < ?3 AND first >= (
                SELECT max(first) FROM list_chunks WHERE list = ?1 AND first <= ?2)
            ORDER BY first
            """,
            arguments: [list.row, rows.lowerBound, rows.upperBound]
        )
        while let chunk = try chunks.next() {
            let start = try chunk.decode(Int.self, atIndex: 0)
            let file = try chunk.decode(String?.self, atIndex: 1)
            let value = try StoredListChunk(chunk, from: 2).value(in: lists, file: file)
            guard let value else { throw damage }
            try visit(start, value)
        }
    }

    func singleValues(
        of lists: [ListID],
        atMost count: Int
    ) throws -> [ListID: SingleValueList] {
        var found: [ListID: SingleValueList] = [:]
        for list in lists where found[list] == nil {
            found[list] = try singleValue(of: list, atMost: count)
        }
        return found
    }

    /// Reads a list and its value in one statement.
    private func singleValue(of list: ListID, atMost count: Int) throws -> SingleValueList? {
        let rows = try db.rows(
            """
            SELECT \(StoredList.columns), file, first, list_chunks.count, \(StoredListChunk.columns)
            FROM lists JOIN list_chunks ON list = lists.id
            WHERE digest = ? ORDER BY first LIMIT 2
            """,
            arguments: [list.text]
        )
        guard let row = try rows.next(),
            let stored = try StoredList(list, in: SQLiteRow(row: row), from: 0)
        else { return nil }
        let file = try row.decode(String?.self, atIndex: 5)
        let (first, length) = try (
            row.decode(Int.self, atIndex: 6), row.decode(Int.self, atIndex: 7)
        )
        guard first == 0, length == stored.count, length <= count else { return nil }
        let chunk = try StoredListChunk(row, from: 8)
        guard try rows.next() == nil, let value = chunk.value(in: self.lists, file: file)
        else { return nil }
        return SingleValueList(stored, value: value)
    }

    func insert(_ value: ListValue, into list: Int64) throws {
        try DraftedChunk(value).insert(into: list, in: db)
    }
}

// MARK: - Rows

/// A row of a result; it is valid until the next one.
struct SQLiteRow: StoredRow {
    let row: Row

    func integer(at column: Int) throws -> Int64? { try row.decode(Int64?.self, atIndex: column) }

    func real(at column: Int) throws -> Double? { try row.decode(Double?.self, atIndex: column) }

    func text(at column: Int) throws -> String? { try row.decode(String?.self, atIndex: column) }

    func blob(at column: Int) throws -> Data? { try row.decode(Data?.self, atIndex: column) }

    func value(at column: Int) -> StatementValue {
        let value: DatabaseValue = row[column]
        return switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let data): .blob(data)
        }
    }
}

/// A class, because a cursor is one.
private final class SQLiteRows: StoredRows {
    private let cursor: RowCursor

    init(_ cursor: RowCursor) {
        self.cursor = cursor
    }

    func next() throws -> (any StoredRow)? { try cursor.next().map(SQLiteRow.init) }
}

extension StatementArguments {
    init(_ values: StatementValues) {
        // GRDB reads other sequences through a key path, which takes longer than some statements.
        self.init(values.list.map(\.argument))
    }
}

extension StatementValue {
    fileprivate var argument: (any DatabaseValueConvertible)? {
        switch self {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .blob(let data): data
        }
    }
}
