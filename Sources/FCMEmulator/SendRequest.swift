import FCMDelivery
import FCMWire

/// A send request that FCM would take on, as far as the request alone can tell.
struct SendRequest {
    let message: EffectiveMessage
    let target: MessageTarget
    let isValidateOnly: Bool

    init(_ json: JSONValue?) throws(GoogleError) {
        guard let value = json else {
            let text = "Invalid JSON payload received. Unexpected token."
            throw .malformedRequest([FieldViolation(description: text)])
        }
        var reader = ShapeReader()
        let request = reader.read(value, as: .sendRequest)
        guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
        guard let written = request["message"]?.objectValue else {
            let violation = FieldViolation(field: "message", description: "The message is not set.")
            throw .malformedRequest([violation])
        }
        let push = try PushMessage(written)
        message = EffectiveMessage(push)
        target = try MessageTarget(written)
        try message.checkSize(for: target)
        isValidateOnly = request["validate_only"]?.boolValue ?? false
    }
}

extension MessageTarget {
    fileprivate init(_ message: JSONObject) throws(GoogleError) {
        if let text = message["token"]?.stringValue ?? message["fid"]?.stringValue {
            guard let registration = DeviceRegistration(text) else { throw .invalidRegistration }
            self = .registration(registration)
        } else if let text = message["topic"]?.stringValue {
            guard let topic = TopicName(text) else {
                throw .invalid(
                    "message.topic",
                    "Malformed topic name: it must match "
                        + "\"[a-zA-Z0-9-_.~%]{1,900}\", without \"/topics/\"."
                )
            }
            self = .topic(topic)
        } else if let text = message["condition"]?.stringValue {
            do throws(TopicCondition.Failure) {
                self = .condition(try TopicCondition(text))
            } catch {
                throw .invalid("message.condition", error.explanation)
            }
        } else {
            throw .invalid("message", "Recipient of the message is not set.")
        }
    }
}

extension TopicCondition.Failure {
    fileprivate var explanation: String {
        switch self {
        case .malformed(let offset): "Invalid condition expression provided, at byte \(offset)."
        case .tooManyTopics: "A condition may name at most five different topics."
        case .negationsOnly: "A condition may not be made of negations only."
        }
    }
}

extension EffectiveMessage {
    /// 4,096 bytes, and 2,048 to topics (Firebase documentation, FCM error codes).
    fileprivate func checkSize(for target: MessageTarget) throws(GoogleError) {
        let size = DevicePlatform.allCases.map { self[$0].payloadBytes }.max() ?? 0
        if case .registration = target {
            guard size <= 4_096 else {
                throw .invalid("message", "Message is too large. The maximum is 4K (4096 bytes).")
            }
        } else if size > 2_048 {
            throw .invalid("message", "Message is too large. The maximum is 2K (2048 bytes).")
        }
    }
}

extension GoogleError {
    static func invalid(_ field: String, _ description: String) -> GoogleError {
        .invalidArgument(FieldViolation(field: field, description: description))
    }
}
