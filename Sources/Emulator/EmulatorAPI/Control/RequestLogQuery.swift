import JSON

/// A query of the request log.
///
/// The log may be long, so the query runs on another thread and does not block the emulator.
enum RequestLogQuery: Sendable {
    case requests(Page, RequestFilter)
    case counters(after: Int)
    case counter(digest: String, after: Int, path: String)

    /// Returns nil for all other queries.
    init?(_ look: ControlQuery, for target: RequestTarget) throws(GoogleError) {
        switch look {
        case .requests: self = .requests(try Page(target), try RequestFilter(target))
        case .counters: self = .counters(after: try Self.after(target))
        case .counter(let digest):
            let path = String(target.path)
            self = .counter(digest: digest, after: try Self.after(target), path: path)
        default: return nil
        }
    }

    private static func after(_ target: RequestTarget) throws(GoogleError) -> Int {
        try Page.number("after", of: target, from: 0) ?? 0
    }

    func answer(from lines: RecordedLines) -> RenderedAnswer {
        do throws(GoogleError) {
            switch self {
            case .requests(let page, let filter):
                guard let part = lines.elements(on: page, matching: filter) else {
                    throw .logUnreadable
                }
                return RenderedAnswer(
                    status: 200,
                    bytes: Array("{\"requests\":[".utf8) + part.elements
                        + Array("],\"last\":\(part.last)}".utf8)
                )
            case .counters(let after):
                let contents = try SendCounters(lines, after: after).contents
                return .success(["contents": .array(contents.map(\.json))], lines: lines)
            case .counter(let digest, let after, let path):
                let contents = try SendCounters(lines, after: after).contents
                guard let content = contents.first(where: { $0.digest == digest }) else {
                    throw .notFound(path: path)
                }
                var members = content.json.objectValue ?? [:]
                members["targets"] = .array(content.targets.map(\.json))
                return .success(members, lines: lines)
            }
        } catch {
            return error.answer.rendered
        }
    }
}

extension RenderedAnswer {
    fileprivate static func success(_ object: JSONObject, lines: RecordedLines) -> RenderedAnswer {
        var object = object
        object["last"] = .integer(Int64(lines.last))
        return EmulatorAnswer.success(.object(object)).rendered
    }
}

extension SendCounters {
    fileprivate init(_ lines: RecordedLines, after sequence: Int) throws(GoogleError) {
        self.init()
        var counters = self
        let isWhole = lines.forEach(after: sequence) { line in
            counters.count(line.value)
            return true
        }
        guard isWhole else { throw .logUnreadable }
        self = counters
    }
}
