import DeliveryModel
import JSON

/// The error of one registration in a batch, with the API's names.
enum MembershipProblem: String {
    case notFound = "NOT_FOUND"
    case invalidArgument = "INVALID_ARGUMENT"
    case tooManyTopics = "TOO_MANY_TOPICS"
}

/// The reason why a whole request is refused.
enum InstanceIDRefusal: Error {
    case unauthorized
    case body
    case topicName
    case token
    case tokenCount(limit: Int)
    case unknownToken
    case tooManyTopics
    case tooManyRequests

    var status: Int {
        switch self {
        case .unauthorized: 401
        case .unknownToken: 404
        case .tooManyRequests: 429
        case .body, .topicName, .token, .tokenCount, .tooManyTopics: 400
        }
    }

    var text: String {
        switch self {
        case .unauthorized: "Unauthorized"
        case .body: "InvalidJson"
        case .topicName: "InvalidTopicName"
        case .token: "InvalidToken"
        case .tokenCount(let limit): "InvalidTokens: 1 to \(limit) tokens are needed"
        case .unknownToken: "No information found about this instance id."
        case .tooManyTopics: "TOO_MANY_TOPICS"
        case .tooManyRequests: "RESOURCE_EXHAUSTED"
        }
    }
}

extension Decision {
    static func refused(_ refusal: InstanceIDRefusal) -> Decision {
        Decision(
            answer: EmulatorAnswer(
                status: refusal.status,
                body: ["error": .string(refusal.text)]
            )
        )
    }
}

/// The body of `batchAdd` and `batchRemove`.
struct MembershipBatch {
    let topic: TopicName
    /// Nil for elements that are not strings.
    let registrations: [String?]

    init(_ json: JSONValue?) throws(InstanceIDRefusal) {
        guard let value = json?.objectValue else { throw .body }
        guard let to = value["to"]?.stringValue, to.hasPrefix("/topics/"),
            let topic = TopicName(instanceID: String(to.dropFirst("/topics/".count)))
        else { throw .topicName }
        self.topic = topic
        registrations = try value.texts(of: "registration_tokens", upTo: 1_000)
    }
}

/// The body of `batchImport`.
struct TokenImport {
    /// Nil for elements that are not strings.
    let texts: [String?]

    init(_ json: JSONValue?) throws(InstanceIDRefusal) {
        guard let value = json?.objectValue, value["application"]?.stringValue != nil,
            value["sandbox"]?.boolValue != nil
        else { throw .body }
        texts = try value.texts(of: "apns_tokens", upTo: 100)
    }
}

extension JSONObject {
    fileprivate func texts(
        of name: String,
        upTo limit: Int
    ) throws(InstanceIDRefusal) -> [String?] {
        guard let elements = self[name]?.arrayValue, (1...limit).contains(elements.count) else {
            throw .tokenCount(limit: limit)
        }
        return elements.map(\.stringValue)
    }
}

/// Apple's device token, as hexadecimal digits in lower case.
struct APNsToken {
    let text: String
    /// The registration of the device; the same token gives the same registration.
    let registration: DeviceRegistration

    /// Returns nil unless the text is the hexadecimal digits of 32 to 100 bytes.
    init?(_ text: String) {
        self.text = text.lowercased()
        guard self.text.utf8.count.isMultiple(of: 2), (64...200).contains(self.text.utf8.count),
            self.text.allSatisfy(\.isHexDigit),
            let registration = DeviceRegistration("apns:APA91b\(self.text)")
        else { return nil }
        self.registration = registration
    }
}
