import JSON

/// Writes rows one by one, with built-in fields and user-defined columns.
///
/// Escapes terminal control characters in text from files.
package struct TableView: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        /// Fields separated by tabs.
        case text
        case csv
        /// One JSON object per line.
        case ndjson
        /// One JSON object with an array of rows.
        case json
    }

    /// A value of a built-in field.
    package enum Value: Hashable, Sendable {
        case text(String?)
        case number(Int)
    }

    private let format: Format
    private let fields: [String]
    private let columns: [String]
    /// The JSON object's other members.
    private let head: JSONObject
    private let name: String

    /// `name`: the JSON name of the array.
    ///
    /// `run`: the run of the rows.
    package init(
        _ format: Format,
        fields: [String],
        columns: [String],
        name: String,
        run: Int64? = nil
    ) {
        self.format = format
        self.fields = fields
        self.columns = columns
        self.name = name
        var head: JSONObject = ["format_version": .string(HistoryJSONView.formatVersion)]
        if let run { head.append("run", value: .integer(run)) }
        self.head = head
    }

    package var begin: String {
        switch format {
        case .text, .ndjson: ""
        case .csv: (fields + columns).map(Self.csv).joined(separator: ",") + "\n"
        case .json:
            String(JSONValue.object(head).prettyText.dropLast(2)) + ",\n  \"\(name)\": ["
        }
    }

    package func row(_ values: [Value], texts: [String], isFirst: Bool) -> String {
        switch format {
        case .text:
            (values.map(\.plain) + texts).map(TextStyle.safe).joined(separator: "\t") + "\n"
        case .csv: (values.map(\.plain) + texts).map(Self.csv).joined(separator: ",") + "\n"
        case .ndjson: object(values, texts: texts).lineText + "\n"
        case .json: (isFirst ? "\n    " : ",\n    ") + object(values, texts: texts).lineText
        }
    }

    package func end(isEmpty: Bool) -> String {
        format == .json ? (isEmpty ? "" : "\n  ") + "]\n}\n" : ""
    }

    private func object(_ values: [Value], texts: [String]) -> JSONValue {
        var object = JSONObject()
        for (field, value) in zip(fields, values) { object.append(field, value: value.json) }
        let members = zip(columns, texts).map {
            JSONObject.Member(key: $0, value: .string($1))
        }
        object.append("columns", value: .object(JSONObject(members)))
        return .object(object)
    }

    /// A CSV field (RFC 4180), always on one line.
    private static func csv(_ text: String) -> String {
        let safe = TextStyle.safe(text)
        guard safe.contains(where: { $0 == "," || $0 == "\"" }) else { return safe }
        return "\""
            + safe.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}

extension TableView.Value {
    fileprivate var plain: String {
        switch self {
        case .text(let text): text ?? ""
        case .number(let number): String(number)
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .integer(Int64(number))
        }
    }
}
