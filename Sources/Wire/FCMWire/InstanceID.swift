package import JSON
import Text

/// Changes topic memberships through the Instance ID API: `POST /iid/v1:batchAdd` and
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

    /// The maximum number of registrations per request (Firebase documentation, Topic messaging).
    package static let maximumRegistrations = 1_000

    package var path: String { "/iid/v1:" + change.rawValue }

    package func body(registrations: [String]) -> JSONValue {
        .object([
            "to": .string("/topics/" + topic),
            "registration_tokens": .array(registrations.map(JSONValue.string)),
        ])
    }
}

/// The Instance ID API's answer to a batch.
package enum InstanceIDAnswer: Hashable, Sendable {
    /// One result per registration, in the order of the request.
    ///
    /// nil is success; otherwise it is the error, such as `NOT_FOUND`.
    case verdicts([String?])
    case refused(status: Int, error: String)

    package init(status: Int, body: [UInt8], expected count: Int) {
        let json = JSONValue(parsing: body)
        if status == 200, let results = json?["results"]?.arrayValue, results.count == count {
            self = .verdicts(results.map { $0["error"]?.stringValue })
        } else {
            self = .refused(status: status, error: JSONValue.errorText(in: body))
        }
    }
}

/// Requests the subscriptions of a registration: `GET /iid/info/{token}?details=true` (Google
/// Developers, Instance ID server reference).
package struct InstanceIDInfo: Hashable, Sendable {
    package let registration: String

    package init(registration: String) {
        self.registration = registration
    }

    /// Includes the query; characters that could end the path segment are percent-encoded.
    package var path: String {
        "/iid/info/" + registration.percentEncoded + "?details=true"
    }
}

/// The Instance ID API's answer for one registration.
package enum InstanceIDInfoAnswer: Hashable, Sendable {
    /// The names of the subscribed topics.
    case topics(Set<String>)
    /// The registration is dead or invalid, so it is in no topic.
    case unknown(error: String)
    case refused(status: Int, error: String)

    /// A 404 "No information found about this instance id." means that the registration is dead.
    ///
    /// Any other 404 is about the API itself.
    package init(status: Int, body: [UInt8]) {
        let json = JSONValue(parsing: body)
        if status == 200, let info = json?.objectValue {
            let topics = info["rel"]?["topics"]?.objectValue?.members.map(\.key) ?? []
            self = .topics(Set(topics))
            return
        }
        let error = JSONValue.errorText(in: body)
        let isOwn = json?["error"]?.stringValue?.hasPrefix("No information found") ?? false
        switch status {
        case 400: self = .unknown(error: error)
        case 404 where isOwn: self = .unknown(error: error)
        default: self = .refused(status: status, error: error)
        }
    }
}

/// Answers that show that the Instance ID API is not available, or not for this project.
package enum InstanceIDAbsence {
    package static func isMeant(by status: Int) -> Bool { [403, 404, 410].contains(status) }
}
