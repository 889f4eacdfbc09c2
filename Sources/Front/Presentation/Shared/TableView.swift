import JSON

package enum TableFormat: String, CaseIterable, Sendable {
    /// Fields separated by tabs.
    case text
    case csv
    /// One JSON object per line.
    case ndjson
    /// One JSON object with an array of rows.
    case json
}

/// An item of a table, with the values of user-defined columns.
struct TableRow<Item> {
    let item: Item
    let columns: [(name: String, value: String)]

    /// Returns the members of a row: those of the item, and an object with the columns.
    static func members(of item: [JSONMember<Item>]) -> [JSONMember<TableRow>] {
        item.reading(\TableRow.item) + [
            .required("columns", .dictionary(of: .text), about: "Columns of the list.") {
                $0.columns
            }
        ]
    }
}

/// Writes items one by one, with built-in fields and user-defined columns.
///
/// Escapes terminal control characters in text from files.
package struct TableView<Head: Sendable, Item>: Sendable {
    private let format: TableFormat
    private let table: Table<Head, Item>
    private let head: Head
    private let columns: [String]

    init(_ format: TableFormat, of table: Table<Head, Item>, head: Head, columns: [String]) {
        self.format = format
        self.table = table
        self.head = head
        self.columns = columns
    }

    package var begin: String {
        switch format {
        case .text, .ndjson: ""
        case .csv: Self.csv(table.fields.map(\.name) + columns)
        case .json: table.document.begin(head)
        }
    }

    /// `values`: the values of the user-defined columns.
    package func row(_ item: Item, columns values: [String], isFirst: Bool) -> String {
        switch format {
        case .text: (plain(item) + values).map(TextStyle.safe).joined(separator: "\t") + "\n"
        case .csv: Self.csv(plain(item) + values)
        case .ndjson: table.document.line(row(item, values)) + "\n"
        case .json: table.document.item(row(item, values), isFirst: isFirst)
        }
    }

    package func end(isEmpty: Bool) -> String {
        format == .json ? table.document.end(isEmpty: isEmpty) : ""
    }

    private func row(_ item: Item, _ values: [String]) -> TableRow<Item> {
        TableRow(item: item, columns: zip(columns, values).map { (name: $0, value: $1) })
    }

    private func plain(_ item: Item) -> [String] {
        table.fields.map { $0.json(of: item)?.plainText ?? "" }
    }

    /// A CSV line (RFC 4180).
    private static func csv(_ texts: [String]) -> String {
        texts.map(csv).joined(separator: ",") + "\n"
    }

    /// A CSV field, always on one line.
    private static func csv(_ text: String) -> String {
        let safe = TextStyle.safe(text)
        guard safe.contains(where: { $0 == "," || $0 == "\"" }) else { return safe }
        return "\""
            + safe.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}

/// Declares a table: its fields, and the JSON document with its rows.
struct Table<Head, Item>: Sendable {
    let fields: [JSONMember<Item>]
    let document: StreamedDocument<Head, TableRow<Item>>
}

extension JSONValue {
    /// The value of a field in text and CSV.
    fileprivate var plainText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool, .number, .array, .object: compactText
        }
    }
}
