/// A change of topic membership over the Instance ID API: `POST /iid/v1:batchAdd` and
/// `/iid/v1:batchRemove`.
package struct InstanceIDBatch: Hashable, Sendable {
    package enum Change: String, Hashable, Sendable {
        case add = "batchAdd"
        case remove = "batchRemove"
    }

    package let change: Change
    package let topic: String

    package init(change: Change, topic: String) {
        self.change = change
        self.topic = topic
    }

    /// The most registrations that one request takes (Firebase documentation, Topic messaging).
    package static let maximumRegistrations = 1_000

    package var path: String { "/iid/v1:" + change.rawValue }

    package func body(registrations: [String]) -> JSONValue {
        .object([
            "to": .string("/topics/" + topic),
            "registration_tokens": .array(registrations.map(JSONValue.string)),
        ])
    }
}

/// What the Instance ID API answered to a batch.
package enum InstanceIDAnswer: Hashable, Sendable {
    /// One verdict for each registration, in the order of the request: nil is success, else the
    /// error's word, such as `NOT_FOUND`.
    case verdicts([String?])
    case refused(status: Int, error: String)

    package init(status: Int, body: [UInt8], expected count: Int) {
        let json = JSONValue(parsing: body)
        if status == 200, let results = json?["results"]?.arrayValue, results.count == count {
            self = .verdicts(results.map { $0["error"]?.stringValue })
        } else {
            let text = json?["error"]?.stringValue ?? json?["error"]?["message"]?.stringValue
            self = .refused(status: status, error: text ?? "the answer can't be read")
        }
    }
}
