import JSON
import Text

/// Changes one registration's subscription to one topic through the v1 API (Firebase reference,
/// REST resource projects.registrations.topicSubscriptions).
package struct TopicSubscriptionChange: Hashable, Sendable {
    package let change: InstanceIDBatch.Change
    package let project: String
    /// A registration token or a Firebase installation ID.
    package let registration: String
    package let topic: String

    package init(
        _ change: InstanceIDBatch.Change,
        project: String,
        registration: String,
        topic: String
    ) {
        self.change = change
        self.project = project
        self.registration = registration
        self.topic = topic
    }

    /// The path with its query, for `POST` (join) or `DELETE` (leave).
    ///
    /// Leaving a topic succeeds even if there is no subscription.
    package var path: String {
        let subscriptions = Self.path(project: project, registration: registration)
        return switch change {
        case .add: "\(subscriptions)?topic_name=\(topic.percentEncoded)"
        case .remove: "\(subscriptions)/\(topic.percentEncoded)?allow_missing=true"
        }
    }

    static func path(project: String, registration: String) -> String {
        "/v1/projects/\(project.percentEncoded)/registrations/\(registration.percentEncoded)"
            + "/topicSubscriptions"
    }
}

/// The v1 API's answer to the change of one subscription.
package enum TopicSubscriptionAnswer: Hashable, Sendable {
    case done
    /// The registration is refused.
    ///
    /// Errors that the Instance ID API also has use its names.
    case refused(String)
    /// The answer is not about the registration.
    case failed(status: Int, error: String)

    /// `409 ALREADY_EXISTS` is success: the registration is already subscribed.
    package init(status: Int, body: [UInt8]) {
        if (200...299).contains(status) || status == 409 {
            self = .done
            return
        }
        guard
            let error = JSONValue(parsing: body).flatMap({ FCMError(httpStatus: status, body: $0) })
        else {
            self = .failed(status: status, error: JSONValue.errorText(in: body))
            return
        }
        let word = error.registrationWord
        self = word.map(Self.refused) ?? .failed(status: status, error: error.words)
    }
}

extension FCMError {
    /// The Instance ID API's name of an error about the registration.
    ///
    /// nil if the error is about something else.
    fileprivate var registrationWord: String? {
        switch (httpStatus, code) {
        case (_, .unregistered?): "NOT_FOUND"
        case (404, nil) where status == "NOT_FOUND": "NOT_FOUND"
        case (_, .senderIDMismatch?): "SENDER_ID_MISMATCH"
        case (400, _) where message.contains("TOO_MANY_TOPICS"): "TOO_MANY_TOPICS"
        case (400, _) where !isAboutTopic: "INVALID_ARGUMENT"
        default: nil
        }
    }

    /// Whether the error is about the topic, so that it is the same for every registration.
    private var isAboutTopic: Bool {
        (fieldViolations ?? []).contains { $0.field == "topic_name" || $0.field == "topicName" }
    }

    fileprivate var words: String { status.isEmpty ? message : "\(status): \(message)" }
}

/// Requests the subscriptions of a registration through the v1 API, page by page: `GET
/// …/topicSubscriptions`.
package struct TopicSubscriptionQuestion: Hashable, Sendable {
    package let project: String
    package let registration: String
    /// The token from the previous page; nil for the first page.
    package let pageToken: String?

    package init(project: String, registration: String, pageToken: String? = nil) {
        self.project = project
        self.registration = registration
        self.pageToken = pageToken
    }

    /// Requests pages of the maximum size, which is the maximum number of an app instance's topics
    /// (Firebase reference, projects.registrations.topicSubscriptions.list).
    package var path: String {
        let page = pageToken.map { "&page_token=" + $0.percentEncoded } ?? ""
        return TopicSubscriptionChange.path(project: project, registration: registration)
            + "?page_size=2000" + page
    }
}

/// A page of a registration's subscriptions.
package enum TopicSubscriptionPage: Hashable, Sendable {
    /// Names of topics; `next` is nil on the last page.
    case topics([String], next: String?)
    /// The registration is dead, invalid, or another project's: it is in none of our topics.
    case unknown(error: String)
    case refused(status: Int, error: String)

    package init(status: Int, body: [UInt8]) {
        let json = JSONValue(parsing: body)
        if status == 200, let page = json?.objectValue {
            self = Self.topics(page)
        } else if let error = json.flatMap({ FCMError(httpStatus: status, body: $0) }) {
            let word = error.registrationWord
            self = word.map { .unknown(error: $0) } ?? .refused(status: status, error: error.words)
        } else {
            self = .refused(status: status, error: JSONValue.errorText(in: body))
        }
    }

    /// Fields may have either of their JSON names (Protocol Buffers documentation, ProtoJSON
    /// format).
    private static func topics(_ page: JSONObject) -> Self {
        let list = page["topic_subscriptions"] ?? page["topicSubscriptions"]
        let next = (page["next_page_token"] ?? page["nextPageToken"])?.stringValue
        let names = (list?.arrayValue ?? []).compactMap {
            ($0["topic_name"] ?? $0["topicName"])?.stringValue
        }
        return .topics(names, next: next?.isEmpty == false ? next : nil)
    }
}

extension JSONValue {
    /// Returns the error message of a body, in either form that Google APIs use.
    static func errorText(in body: [UInt8]) -> String {
        let json = JSONValue(parsing: body)
        let text = json?["error"]?.stringValue ?? json?["error"]?["message"]?.stringValue
        return text ?? "the answer cannot be read"
    }
}
