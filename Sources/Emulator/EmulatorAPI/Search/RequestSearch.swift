import DeliveryModel
import JSON

/// `GET /emulator/v1/search/requests`: the request log, newest first.
///
/// The log may be long, so the search runs on another thread and does not block the emulator.
struct RequestSearch: Sendable {
    let terms: SearchTerms
    private let line: RequestFilter
    private let error: String?
    private let rule: String?
    /// Only lines with a lower number.
    private let before: Int
    private let limit: Int

    static let names =
        SearchTerms.names + ["method", "path", "status", "error", "fault", "control"]
    /// Number of lines that are read at once, newest part first.
    private static let partLines = 512

    init(_ target: RequestTarget, in project: String) throws(GoogleError) {
        terms = try SearchTerms(target)
        line = try RequestFilter(sendersAt: target, in: project)
        error = target.parameter("error")
        rule = target.parameter("fault")
        before = try Page.number("before", of: target, from: 1) ?? .max
        limit = try SearchPage.limit(target)
    }

    /// The newest requests of senders in a project, or in all if it is nil.
    init(newestIn project: String?, control: Bool = false) throws(GoogleError) {
        let query = "?limit=\(UnmetExpectation.shownItems)&control=\(control)"
        let target = RequestTarget(query + (project == nil ? "&project=*" : ""))
        try self.init(target, in: project ?? "")
    }

    var project: String? { line.project }
    var includesControl: Bool { line.includesControl }

    /// Returns the newest matching lines, and the number to continue before; 0 at the end.
    func answer(from lines: RecordedLines) throws(GoogleError) -> JSONObject {
        let (found, last) = try newest(in: lines)
        return [
            "requests": .array(found.map { .object($0.json) }), "last": .integer(Int64(last)),
        ]
    }

    /// Returns the newest matching lines, newest first, and the number to continue before.
    func newest(
        in lines: RecordedLines
    ) throws(GoogleError) -> (requests: [RequestSummary], last: Int) {
        var items: [RequestSummary] = []
        var end = min(lines.last, before - 1)
        while end > 0, items.count < limit {
            let start = max(0, end - Self.partLines)
            let part = try matches(in: lines, after: start, upTo: end)
            for (sequence, item) in part.reversed() {
                items.append(item)
                guard items.count == limit else { continue }
                return (items, sequence)
            }
            end = start
        }
        return (items, 0)
    }

    /// Returns the number of matching lines after a number.
    func count(in lines: RecordedLines, after sequence: Int) throws(GoogleError) -> Int {
        try matches(in: lines, after: sequence, upTo: lines.last).count
    }

    private func matches(
        in lines: RecordedLines,
        after start: Int,
        upTo end: Int
    ) throws(GoogleError) -> [(sequence: Int, request: RequestSummary)] {
        var found: [(sequence: Int, request: RequestSummary)] = []
        let isWhole = lines.forEach(after: start) { line in
            guard line.sequence <= end else { return false }
            if let request = match(line) { found.append((line.sequence, request)) }
            return true
        }
        guard isWhole else { throw .logUnreadable }
        return found
    }

    /// Returns the summary of a line that matches.
    private func match(_ line: LogLine) -> RequestSummary? {
        if let project = self.line.project, !line.belongs(to: project) { return nil }
        let isPossible = line.bytes.withUnsafeBufferPointer { bytes in
            terms.needles.allSatisfy { $0.occurs(inBytes: bytes) }
        }
        guard isPossible else { return nil }
        let value = line.value
        guard self.line.takes(value) else { return nil }
        let summary = RequestSummary(value)
        guard summary.matches(terms), error == nil || summary.error == error,
            rule == nil || summary.rule == rule
        else { return nil }
        return summary
    }
}
