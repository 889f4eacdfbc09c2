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

/// The body of sends that differ only in their registration and in the values of its row.
///
/// The message is encoded once; each body costs a few copies of bytes.
package struct SendBodyTemplate: Sendable {
    private let rest: JSONTemplate
    private let isEmpty: Bool

    /// `parts`: divides a text of the message into literals and values of the row.
    package init(
        _ request: SendRequest,
        parts: (String) -> [TextPart] = { [.literal($0)] }
    ) {
        rest = JSONTemplate(membersOf: request.message, parts: parts)
        isEmpty = request.message.isEmpty
    }

    /// `token`: It contains no characters that JSON escapes.
    package func body(token: String, values: [String] = []) -> [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.reserveCapacity(
            values.reduce(Self.frame + token.utf8.count + rest.length) { $0 + $1.utf8.count }
        )
        writer.append(json: Self.prefix)
        writer.append(json: token)
        writer.append(json: isEmpty ? "\"" : "\",")
        rest.append(to: &writer, filling: values)
        writer.append(json: "}}")
        return writer.bytes
    }

    private static let prefix = Array("{\"message\":{\"token\":\"".utf8)
    /// The length of everything around the token and the rest.
    private static let frame = prefix.count + 4
}
