import JSON

/// The answer to a wait or an assertion with a wrong number of matches.
struct UnmetExpectation: Sendable {
    let expectation: Expectation
    let matches: Int
    /// The matches, as a page of a search.
    private var found: JSONObject
    /// What the project has instead.
    private var remarks: [String] = []
    private var newest: (name: String, items: [JSONValue])?

    /// Maximum number of messages or requests that did not match.
    static let shownItems = 3

    init(_ expectation: Expectation, matches: Int, found: JSONObject = [:]) {
        self.expectation = expectation
        self.matches = matches
        self.found = found
    }

    /// Adds that the device of the conditions does not exist.
    mutating func addUnknown(device: String) {
        remarks.append(GoogleError.noDevice(named: device).message)
    }

    /// Adds the newest messages of the project.
    mutating func add(messages: [JSONValue], of total: Int) {
        newest = ("newest_messages", messages)
        let count = total == 1 ? "1 message" : "\(total) messages"
        remarks.append(
            "The project has \(count)" + Self.list(messages.map(\.messageLine), of: total)
        )
    }

    /// Adds the newest requests of the project.
    ///
    /// If the expectation is about messages, the project has none.
    mutating func add(requests: [RequestSummary]) {
        newest = ("newest_requests", requests.map { .object($0.json) })
        if case .messages = expectation.subject { remarks.append("The project has no messages.") }
        guard !requests.isEmpty else {
            remarks.append(
                "No request reached this project; a request with another project ID belongs to that project."
            )
            return
        }
        let count = requests.count == 1 ? "last request is" : "last requests are"
        remarks.append("Its \(count)" + Self.list(requests.map(\.line), of: requests.count))
    }

    private static func list(_ lines: [String], of total: Int) -> String {
        if lines.count == 1, total == 1 { return ": " + lines[0] }
        let start = total > lines.count ? ", the newest are:" : ":"
        return start + lines.map { "\n  " + $0 }.joined()
    }

    var rendered: RenderedAnswer {
        let isWait = expectation.patience > 0
        let count = "found \(matches)" + (isWait ? " after \(expectation.patience / 1_000)s." : ".")
        let error = GoogleError(
            code: 412,
            status: isWait ? "DEADLINE_EXCEEDED" : "FAILED_PRECONDITION",
            message: (["Expected \(expectation.wording), \(count)"] + remarks)
                .joined(separator: " ")
        )
        var answer = error.answer
        var members = answer.body.objectValue ?? [:]
        members["matches"] = .integer(Int64(matches))
        members["expected"] = .object(expectation.expected)
        for member in found.members { members[member.key] = member.value }
        if let newest { members[newest.name] = .array(newest.items) }
        answer.body = .object(members)
        return answer.rendered
    }
}

extension JSONValue {
    /// A message of a search on one line, without its registration.
    fileprivate var messageLine: String {
        var parts = [self["device"], self["how"] ?? self["outcome"]].compactMap { $0?.stringValue }
        parts.append(headline)
        parts += self["from"]?.stringValue.map { ["from \($0)"] } ?? []
        parts += ["condition", "sound", "badge"].compactMap { name in
            self[name].map { "\(name) \($0.compactText)" }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Title and body, or the data, of a message or a request.
    fileprivate var headline: String {
        let texts = ["title", "body"].compactMap { self[$0]?.stringValue }
        if !texts.isEmpty { return JSONValue.string(texts.joined(separator: " - ")).compactText }
        guard let data = self["data"], data != [:] else { return "" }
        return "data \(data.compactText)"
    }
}

extension RequestSummary {
    /// The request on one line, without registrations.
    fileprivate var line: String {
        let members = JSONValue.object(json)
        let code = members["error"]?.stringValue.map { " \($0)" } ?? ""
        let status = members["status"]?.integerValue.map(String.init) ?? ""
        let topic = members["target"]?["topic"]?.stringValue.map { "topic \($0)" }
        let parts = [
            "\(members["method"]?.stringValue ?? "") \(pathWithoutSecrets)", status + code,
            topic ?? "", members.headline,
        ]
        let reason = members["reason"]?.stringValue.map { " (\($0.firstLine))" } ?? ""
        return parts.filter { !$0.isEmpty }.joined(separator: ", ") + reason
    }
}

extension String {
    fileprivate var firstLine: String {
        split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    }
}
