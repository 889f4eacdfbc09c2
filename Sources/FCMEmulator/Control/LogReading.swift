import FCMWire

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

/// A line of the log and its number.
struct LogLine {
    let sequence: Int
    let bytes: ArraySlice<UInt8>

    /// What the line is as JSON; the request's body lies deeper in it than it did in the request.
    var value: JSONValue {
        JSONValue(parsing: Array(bytes), depthLimit: JSONValue.depthLimit + 2) ?? .null
    }
}

extension RequestLog {
    /// The lines of a page that a filter takes, as the elements of a JSON array, and the number of
    /// the line up to which was read; nil where the log can't be read.
    func elements(_ page: Page, _ filter: RequestFilter) -> (elements: [UInt8], last: Int)? {
        var elements: [UInt8] = []
        var count = 0
        var last = max(page.after, lastSequence)
        let isWhole = forEachLine(after: page.after) { line in
            guard filter.takesAll || filter.takes(line.value) else { return true }
            if count > 0 { elements.append(UInt8(ascii: ",")) }
            elements.append(contentsOf: line.bytes)
            count += 1
            guard count == page.limit else { return true }
            last = line.sequence
            return false
        }
        return isWhole ? (elements, last) : nil
    }

    /// Hands on the lines after a number until `body` says false; false where the log can't be
    /// read.
    func forEachLine(after sequence: Int, _ body: (LogLine) -> Bool) -> Bool {
        var next = sequence
        while next < lastSequence {
            let end = min(next + 1_000, lastSequence)
            guard let bytes = bytes(ofLines: next..<end) else { return false }
            for line in bytes.split(separator: 0x0A) {
                next += 1
                guard body(LogLine(sequence: next, bytes: line)) else { return true }
            }
            next = end
        }
        return true
    }
}
