import JSON

extension JSONValue {
    /// The value on one line, with terminal control characters escaped.
    var lineText: String {
        let compact = compactText
        if compact.utf8.allSatisfy({ $0 < 0x80 }) { return compact }
        // Line breaks in text are escaped. Any other line break, and the spaces after it, are
        // layout.
        return prettyText.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    }
}

extension JSONObject {
    /// Appends the members of `other`.
    func followed(by other: JSONObject) -> JSONObject { JSONObject(members + other.members) }
}

extension String {
    /// Indents every line except the first.
    func indented(by columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n" + String(repeating: " ", count: columns))
    }
}
