import JSON

/// A filter for requests in the log.
struct RequestFilter {
    /// The method, in upper case.
    let method: String?
    /// The prefix of the path.
    let path: String?
    let status: Int?
    /// Nil for all projects; empty for the default project.
    let project: String?
    /// Whether requests to the emulator's own routes match, too.
    let includesControl: Bool

    static let controlPrefix = "/emulator/"

    /// Reads a filter for all requests of the log.
    init(_ target: RequestTarget, in project: String) throws(GoogleError) {
        method = target.parameter("method")?.uppercased()
        path = target.parameter("path")
        self.project = target.parameter("project") == "*" ? nil : project
        status = try Page.number("status", of: target, from: 0)
        includesControl = true
    }

    /// Reads a filter for the requests of senders.
    ///
    /// Requests to the emulator's own routes match only if `control` or `path` asks for them: a test makes them
    /// itself, and they would change the numbers that it checks.
    init(sendersAt target: RequestTarget, in project: String) throws(GoogleError) {
        let all = try RequestFilter(target, in: project)
        (method, path, status, self.project) = (all.method, all.path, all.status, all.project)
        let isAsked = try SearchPage.flag("control", of: target)
        includesControl = isAsked ?? path?.hasPrefix(Self.controlPrefix) ?? false
    }

    var takesAll: Bool { includesControl && method == nil && path == nil && status == nil }

    func takes(_ line: JSONValue) -> Bool {
        if !includesControl,
            line["path"]?.stringValue?.hasPrefix(Self.controlPrefix) == true
        {
            return false
        }
        if let method, line["method"]?.stringValue != method { return false }
        if let path, line["path"]?.stringValue?.hasPrefix(path) != true { return false }
        if let status, line["status"]?.integerValue != Int64(status) { return false }
        return true
    }
}

extension RecordedLines {
    /// Default limits of one page, in lines and bytes.
    private static let pageLines = 1_000
    private static let pageBytes = 16 * 1_048_576

    /// Returns the matching lines of a page as the elements of a JSON array, and the number of the
    /// last line that was read.
    ///
    /// Returns nil if the log cannot be read.
    func elements(on page: Page, matching filter: RequestFilter) -> (elements: [UInt8], last: Int)?
    {
        var elements: [UInt8] = []
        var count = 0
        var last = max(page.after, self.last)
        let limit = page.limit ?? Self.pageLines
        let isWhole = forEach(after: page.after) { line in
            if let project = filter.project, !line.belongs(to: project) { return true }
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
