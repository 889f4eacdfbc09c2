import DeliveryModel
import JSON

/// `GET /emulator/v1/requests/{seq}`: a recorded request with the parts of its message.
struct OneRequest: Sendable {
    private let sequence: Int
    private let path: String
    private let project: String
    /// The header fields, or nil if they are no longer stored.
    var headers: [(name: String, value: String)]?
    /// Number of devices that store a message of the request.
    var recipients = 0

    init(_ text: String, path: Substring, in project: String) throws(GoogleError) {
        guard let sequence = Int(text), sequence > 0 else {
            throw .notFound(path: String(path))
        }
        self.sequence = sequence
        self.path = String(path)
        self.project = project
    }

    func answer(from lines: RecordedLines) throws(GoogleError) -> JSONObject {
        var found: JSONValue?
        let isWhole = lines.forEach(after: sequence - 1) { line in
            if line.belongs(to: project) { found = line.value }
            return false
        }
        guard isWhole else { throw .logUnreadable }
        guard let line = found, var members = line.objectValue else { throw .notFound(path: path) }
        var details = RequestSummary(line).details
        // The line itself has the whole body and the fault.
        let text = details["body"]
        (details["body"], details["fault"]) = (nil, nil)
        for member in details.members { members[member.key] = member.value }
        members["message_body"] = text
        members["recipients"] = .integer(Int64(recipients))
        members["headers"] = headers.map { fields in
            .array(fields.map { [.string($0.name), .string($0.value)] })
        }
        return members
    }
}

extension EmulatorCore {
    /// Adds what only the memory has: header fields and recipients.
    func completed(_ query: RequestLogQuery) -> RequestLogQuery {
        guard case .one(var one) = query else { return query }
        let sequence = one.number
        one.headers = log.recent(of: projects.currentID).headers(of: sequence)
        var messages = MessageQuery()
        messages.allows = { $0.origin.request == sequence }
        one.recipients = state.model.search(messages, part: 0..<0, at: state.latest).total
        return .one(one)
    }
}

extension OneRequest {
    fileprivate var number: Int { sequence }
}
