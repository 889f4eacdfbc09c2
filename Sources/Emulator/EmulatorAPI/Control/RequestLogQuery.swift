import JSON

/// A query of the request log.
///
/// The log may be long, so the query runs on another thread and does not block the emulator.
enum RequestLogQuery: Sendable {
    case requests(Page, RequestFilter)
    case search(RequestSearch)
    case one(OneRequest)
    case counters(LogPart)
    case counter(digest: String, LogPart, path: String)

    /// Returns nil for all other queries.
    ///
    /// `project` is the current project, whose lines the answer contains.
    init?(
        _ look: ControlQuery,
        for target: RequestTarget,
        in project: String
    ) throws(GoogleError) {
        switch look {
        case .requests:
            self = .requests(try Page(target), try RequestFilter(target, in: project))
        case .searchRequests: self = .search(try RequestSearch(target, in: project))
        case .request(let text): self = .one(try OneRequest(text, path: target.path, in: project))
        case .counters: self = .counters(try LogPart(target, in: project))
        case .counter(let digest):
            let path = String(target.path)
            self = .counter(digest: digest, try LogPart(target, in: project), path: path)
        default: return nil
        }
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
            case .search(let search):
                let found = try search.answer(from: lines)
                return EmulatorAnswer.success(.object(found)).rendered
            case .one(let one):
                return EmulatorAnswer.success(.object(try one.answer(from: lines))).rendered
            case .counters(let part):
                let contents = try SendCounters(lines, in: part).contents
                return .success(["contents": .array(contents.map(\.json))], lines: lines)
            case .counter(let digest, let part, let path):
                let contents = try SendCounters(lines, in: part).contents
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

/// The lines of a project after a number.
struct LogPart {
    let after: Int
    /// Nil for all projects; empty for the default project.
    let project: String?

    init(_ target: RequestTarget, in project: String) throws(GoogleError) {
        after = try Page.number("after", of: target, from: 0) ?? 0
        self.project = target.parameter("project") == "*" ? nil : project
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
    fileprivate init(_ lines: RecordedLines, in part: LogPart) throws(GoogleError) {
        self.init()
        var counters = self
        let isWhole = lines.forEach(after: part.after) { line in
            if let project = part.project, !line.belongs(to: project) { return true }
            counters.count(line.value)
            return true
        }
        guard isWhole else { throw .logUnreadable }
        self = counters
    }
}
