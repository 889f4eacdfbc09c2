import JSON

/// Which requests of the log are asked for.
struct RequestFilter {
    /// In whatever case.
    let method: String?
    /// How the path begins.
    let path: String?
    let status: Int?

    init(_ target: RequestTarget) throws(GoogleError) {
        method = target.parameter("method")?.uppercased()
        path = target.parameter("path")
        status = try Page.number("status", of: target, from: 0)
    }

    var takesAll: Bool { method == nil && path == nil && status == nil }

    func takes(_ line: JSONValue) -> Bool {
        if let method, line["method"]?.stringValue != method { return false }
        if let path, line["path"]?.stringValue?.hasPrefix(path) != true { return false }
        if let status, line["status"]?.integerValue != Int64(status) { return false }
        return true
    }
}

extension RecordedLines {
    /// So many lines, and bytes of them, are shown at once unless fewer are asked for.
    private static let pageLines = 1_000
    private static let pageBytes = 16 * 1_048_576

    /// The lines of a page that a filter takes, as the elements of a JSON array, and the number of
    /// the line up to which was read; nil where the log can't be read.
    func elements(_ page: Page, _ filter: RequestFilter) -> (elements: [UInt8], last: Int)? {
        var elements: [UInt8] = []
        var count = 0
        var last = max(page.after, self.last)
        let limit = page.limit ?? Self.pageLines
        let isWhole = forEach(after: page.after) { line in
            guard filter.takesAll || filter.takes(line.value) else { return true }
            if count > 0 { elements.append(UInt8(ascii: ",")) }
            elements.append(contentsOf: line.bytes)
            count += 1
            guard count == limit || elements.count >= Self.pageBytes else { return true }
            last = line.sequence
            return false
        }
        return isWhole ? (elements, last) : nil
    }
}
