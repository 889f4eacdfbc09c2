package import CampaignModel
package import FoundationEssentials
package import State

/// A transaction on the tables of a state, in the SQL that SQLite and PostgreSQL have in common.
///
/// Parameters are `?`, or `?1` and so on. A class, because its identity is the open transaction.
package protocol StateDatabase: AnyObject {
    var dialect: SQLDialect { get }

    /// Executes a statement without rows; an error may only appear at the next call.
    func run(_ sql: String, arguments: StatementValues) throws

    /// The number of rows that the last statement of `run` changed.
    func changes() throws -> Int

    /// Inserts a row and returns its `id`, which the database chooses.
    func insert(_ sql: String, arguments: StatementValues) throws -> Int64

    /// The first row; it is valid until the next call.
    func row(_ sql: String, arguments: StatementValues) throws -> (any StoredRow)?

    /// The rows one by one, each valid until the next one; other statements may run in between.
    func rows(_ sql: String, arguments: StatementValues) throws -> any StoredRows

    func allRows(_ sql: String, arguments: StatementValues) throws -> [any StoredRow]

    /// Counts the writes of all processes.
    func version() throws -> StateVersion

    /// The number of the page of registrations that was added last; no number is used twice.
    func lastRegistrationPage() throws -> Int64

    /// The last number that a table gave to a row, which may be removed.
    func lastNumber(of table: String) throws -> Int64

    /// The next row of a table gets a higher number.
    func reserveNumbers(upTo last: Int64, of table: String) throws

    /// A page of registrations was added.
    func didInsertRegistrationPage(_ number: Int64)

    // MARK: Outcomes

    /// Replaces outcomes and returns the previous one of each; nil if the stored ones cannot be
    /// read.
    ///
    /// All indexes are in the unit.
    func replaceOutcomes(
        _ outcomes: [RequestOutcome],
        of unit: StoredUnit
    ) throws -> [Outcome]?

    /// Visits the outcomes of a range in order until the body returns false.
    ///
    /// - Returns: False if the stored outcomes cannot be read.
    func walkOutcomes(
        of unit: StoredUnit,
        over range: Range<Int>,
        body: (Int, StoredOutcome) -> Bool
    ) throws -> Bool

    /// Stores the outcomes of a part of a unit, in the form of `StoredOutcome`; none of them is
    /// stored.
    ///
    /// `chunk`: the number of the part, which has as many outcomes as the unit's block or the rest.
    func insertOutcomes(_ bytes: [UInt8], of unit: StoredUnit, chunk: Int) throws

    /// An occurrence ended: its outcomes seldom change from now on.
    func settleOutcomes(of occurrence: OccurrenceID) throws

    /// Drops the single outcomes of a unit, and what is stored about its message IDs.
    func dropOutcomes(of unit: UnitID) throws

    // MARK: Lists

    /// Visits the stored values of a list that contain any of `rows`, in order, with the number of each
    /// value's first row.
    ///
    /// - Throws: `damage` if a value is missing or damaged.
    func visitValues(
        of list: StoredList,
        in rows: Range<Int>,
        otherwise damage: StateStoreError,
        visit: (Int, Data) throws -> Void
    ) throws

    /// Returns the lists that are stored as a single value and have at most `count` rows.
    ///
    /// The result lacks missing and damaged lists.
    func singleValues(
        of lists: [ListID],
        atMost count: Int
    ) throws -> [ListID: SingleValueList]

    /// Stores a value of a list.
    ///
    /// `list`: the number of its row in `lists`.
    func insert(_ value: ListValue, into list: Int64) throws
}

extension StateDatabase {
    package func run(_ sql: String) throws { try run(sql, arguments: []) }

    package func row(_ sql: String) throws -> (any StoredRow)? { try row(sql, arguments: []) }

    package func rows(_ sql: String) throws -> any StoredRows { try rows(sql, arguments: []) }

    package func allRows(_ sql: String) throws -> [any StoredRow] {
        try allRows(sql, arguments: [])
    }

    /// Returns the rows whose column has one of these values; few statements ask for many values.
    ///
    /// `query`: up to the condition about the values, which is appended. All statements have the same
    /// text, so that they are prepared once.
    package func rows(
        _ query: String,
        arguments: StatementValues,
        where column: String,
        isAmong values: [StatementValue]
    ) throws -> [any StoredRow] {
        let size = 64
        let marks = Array(repeating: "?", count: size).joined(separator: ", ")
        var rows: [any StoredRow] = []
        for start in stride(from: 0, to: values.count, by: size) {
            let part = values[start..<min(start + size, values.count)]
            let padding = Array(repeating: values[start], count: size - part.count)
            rows += try allRows(
                "\(query) \(column) IN (\(marks))",
                arguments: arguments + StatementValues(part + padding)
            )
        }
        return rows
    }

    /// The integers in the first column.
    package func numbers(_ sql: String, arguments: StatementValues = []) throws -> [Int64] {
        try allRows(sql, arguments: arguments).map { try $0.decode(Int64.self, atIndex: 0) }
    }

    /// The texts in the first column.
    package func texts(_ sql: String, arguments: StatementValues = []) throws -> [String] {
        try allRows(sql, arguments: arguments).map { try $0.decode(String.self, atIndex: 0) }
    }
}

/// What SQLite and PostgreSQL name differently.
package struct SQLDialect: Sendable {
    /// The function that returns the greatest of its arguments.
    package let greatest: String
    /// Whether a row of `outcome_details` belongs to a repeated request; an index contains exactly
    /// these rows.
    package let isRepeat: String

    package static let sqlite = SQLDialect(
        greatest: "max",
        isRepeat: "instr(detail, '\(OutcomeDetail.mark)') > 0"
    )
    package static let postgres = SQLDialect(
        greatest: "greatest",
        isRepeat: "strpos(detail, '\(OutcomeDetail.mark)') > 0"
    )
}
