package import JSON

/// The target of a v1 message: exactly one of these (Firebase reference, REST resource
/// `projects.messages`).
package enum SendTarget: Hashable, Sendable {
    case token(String)
    /// A Firebase installation ID.
    case fid(String)
    case topic(String)
    case condition(String)

    var member: JSONObject.Member {
        switch self {
        case .token(let token): JSONObject.Member(key: "token", value: .string(token))
        case .fid(let id): JSONObject.Member(key: "fid", value: .string(id))
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
    /// The field of a registration (Firebase reference, REST resource `projects.messages`).
    package enum Field: String, Sendable {
        case token
        /// A Firebase installation ID.
        case fid
    }

    private let prefix: [UInt8]
    private let rest: JSONTemplate
    private let isEmpty: Bool

    /// `parts`: divides a text of the message into literals and values of the row.
    package init(
        _ request: SendRequest,
        to field: Field = .token,
        parts: (String) -> [TextPart] = { [.literal($0)] }
    ) {
        prefix = Array("{\"message\":{\"\(field.rawValue)\":\"".utf8)
        rest = JSONTemplate(membersOf: request.message, parts: parts)
        isEmpty = request.message.isEmpty
    }

    /// `registration`: It contains no characters that JSON escapes.
    package func body(to registration: String, values: [String] = []) -> [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.reserveCapacity(
            values.reduce(prefix.count + registration.utf8.count + 4 + rest.length) {
                $0 + $1.utf8.count
            }
        )
        writer.append(json: prefix)
        writer.append(json: registration)
        writer.append(json: isEmpty ? "\"" : "\",")
        rest.append(to: &writer, filling: values)
        writer.append(json: "}}")
        return writer.bytes
    }
}
