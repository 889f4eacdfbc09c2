import JSON
import State

/// Rows whose content is in the chain.
///
/// New columns are added here. An entry is compared only by the columns that it has.
struct ChainedTable {
    let name: String
    /// The columns that identify a row; for a run's rows, without the run.
    let key: [String]
    let columns: [String]
    /// The column with the run of a row.
    let run: String?
    /// Columns of which the chain contains only the SHA-256, because their content may be erased.
    var hashed: Set<String> = []

    private static let outcomes = OutcomeColumns.names

    /// The columns of a run that are known at its start.
    static let beginnings = ChainedTable(
        name: "runs",
        key: [],
        columns: [
            "command", "user", "host", "process", "began", "commit_id", "dirty", "ci_run",
            "ci_actor", "digest", "bypasses", "serial", "approvals",
        ],
        run: "id"
    )

    static let endings = ChainedTable(
        name: "runs",
        key: [],
        columns: ["status", "ended", "cause"] + outcomes,
        run: "id"
    )

    static let sendings = ChainedTable(
        name: "run_sendings",
        key: ["campaign", "slot", "revision"],
        columns: ["campaign", "slot", "revision"] + outcomes + ["repeated", "capped", "problems"],
        run: "run",
        hashed: ["problems"]
    )

    static let memberships = ChainedTable(
        name: "run_memberships",
        key: ["audience", "topic"],
        columns: ["audience", "topic", "joins", "leaves", "refusals", "upstream"],
        run: "run"
    )

    static let pauses = ChainedTable(
        name: "pauses",
        key: ["campaign"],
        columns: ["campaign", "since", "user", "host"],
        run: nil
    )

    static let resolutions = ChainedTable(
        name: "resolutions",
        key: ["campaign", "slot", "revision"],
        columns: [
            "campaign", "slot", "revision", "resolution", "unknown", "user", "host", "at",
        ],
        run: nil
    )

    /// The columns in quotes, because `user` is a keyword of PostgreSQL.
    private var selection: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// Returns all rows, or those of a run.
    func rows(of run: Int64? = nil, in db: any StateDatabase) throws -> ChainedRows {
        let condition = run == nil ? "" : " WHERE \(self.run ?? "") = ?"
        let found = try db.rows(
            "SELECT \(selection) FROM \(name)\(condition)",
            arguments: run.map { [$0] } ?? []
        )
        var rows = ChainedRows(of: self)
        while let row = try found.next() { rows.put(try content(of: row)) }
        return rows
    }

    /// Returns one row by its key, which is one of this table.
    func row(at key: ChainedRowKey, in db: any StateDatabase) throws -> JSONObject? {
        let names = (key.run == nil ? [] : [run ?? ""]) + self.key
        let condition = names.map { "\($0) = ?" }.joined(separator: " AND ")
        let values = (key.run.map { [$0 as any StatementConvertible] } ?? []) + key.values
        return try db.row(
            "SELECT \(selection) FROM \(name) WHERE \(condition)",
            arguments: StatementValues(values)
        ).map(content)
    }

    private func content(of row: any StoredRow) throws -> JSONObject {
        var content = JSONObject()
        for (place, column) in columns.enumerated() {
            let json = try row.value(at: place).json
            let isHashed = hashed.contains(column)
            content.append(
                column,
                value: isHashed ? .string(ChainEntry.digest(json.compactText)) : json
            )
        }
        return content
    }
}

/// The key of a row of a chained table.
struct ChainedRowKey {
    let table: ChainedTable
    let run: Int64?
    /// The values of the table's key columns.
    let values: [any StatementConvertible]

    init(
        in table: ChainedTable,
        of run: Int64? = nil,
        at values: [any StatementConvertible] = []
    ) {
        self.table = table
        self.run = run
        self.values = values
    }
}

/// The columns of a tally.
enum OutcomeColumns {
    static let names = OutcomeTally.columns.split(separator: ", ").map(String.init)
}

/// Rows of a table by their keys.
struct ChainedRows {
    let table: ChainedTable
    private(set) var byKey: [String: JSONObject] = [:]

    init(of table: ChainedTable) {
        self.table = table
    }

    mutating func put(_ row: JSONObject) { byKey[key(of: row)] = row }

    mutating func remove(_ row: JSONObject) { byKey[key(of: row)] = nil }

    /// Renames a campaign in the rows, as in the table.
    mutating func rename(_ old: JSONValue, to new: JSONValue) {
        for row in byKey.values where row["campaign"] == old {
            var renamed = row
            renamed["campaign"] = new
            remove(row)
            put(renamed)
        }
    }

    private func key(of row: JSONObject) -> String {
        table.key.map { row[$0]?.plainText ?? "" }.joined(separator: "/")
    }
}

extension JSONValue {
    /// Nil for null.
    var plainText: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .integer(let number): String(number)
        default: compactText
        }
    }
}

extension StatementValue {
    /// Chained columns contain integers, text or null; Herald writes no other value.
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        case .real(let number): .number(number)
        case .blob(let data): .string("\(data.count) bytes")
        }
    }
}
