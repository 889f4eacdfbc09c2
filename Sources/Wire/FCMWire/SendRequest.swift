package import JSON

/// The target of a v1 message: exactly one of these (Firebase reference, REST resource
/// `projects.messages`).
package enum SendTarget: Hashable, Sendable {
    case token(String)
    case topic(String)
    case condition(String)

    var member: JSONObject.Member {
        switch self {
        case .token(let token): JSONObject.Member(key: "token", value: .string(token))
        case .topic(let name): JSONObject.Member(key: "topic", value: .string(name))
        case .condition(let text): JSONObject.Member(key: "condition", value: .string(text))
        }
    }
}

/// `POST /v1/projects/{project}/messages:send`.
package struct SendRequest: Hashable, Sendable {
    /// The message without its target.
    package let message: JSONObject

    package init(message: JSONObject) {
        self.message = message
    }

    package static func path(project: String) -> String {
        "/v1/projects/\(project)/messages:send"
    }

    /// With `validateOnly`, FCM validates the message and sends nothing.
    package func body(to target: SendTarget, validateOnly: Bool = false) -> JSONValue {
        var body: JSONObject = ["message": .object(JSONObject([target.member] + message.members))]
        if validateOnly { body["validate_only"] = .bool(true) }
        return .object(body)
    }
}

/// The body of sends that differ only in their registration.
///
/// The message is encoded once; each body costs three copies of bytes.
package struct SendBodyTemplate: Sendable {
    private let rest: [UInt8]

    package init(_ request: SendRequest) {
        let message = JSONValue.object(request.message).compactBytes
        let hasMembers = !request.message.isEmpty
        rest = Array((hasMembers ? "," : "").utf8) + message.dropFirst() + Array("}".utf8)
    }

    /// `token`: It contains no characters that JSON escapes.
    package func body(token: String) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(Self.prefix.count + token.utf8.count + 1 + rest.count)
        body += Self.prefix
        body += token.utf8
        body.append(UInt8(ascii: "\""))
        body += rest
        return body
    }

    private static let prefix = Array("{\"message\":{\"token\":\"".utf8)
}
