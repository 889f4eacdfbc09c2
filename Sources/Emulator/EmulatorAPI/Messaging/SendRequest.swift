import DeliveryModel
import JSON

/// A valid send request, as far as this is visible in the request alone.
struct SendRequest {
    let message: EffectiveMessage
    let target: MessageTarget
    /// Whether the target is a `token` and not a `fid`.
    let namesToken: Bool
    let isValidateOnly: Bool

    init(_ body: EmulatorRequest, limits: DeliveryLimits) throws(GoogleError) {
        // A missing body is the same as an empty object: the message is missing.
        guard let value = body.hasNoBody ? [:] : body.json else {
            throw .unreadableBody(body.body)
        }
        var reader = ShapeReader()
        let request = reader.read(value, as: .sendRequest)
        guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
        guard let written = request["message"]?.objectValue else {
            let violation = FieldViolation(field: "message", description: "The message is not set.")
            throw .malformedRequest([violation])
        }
        target = try MessageTarget(written)
        namesToken = written["token"] != nil
        do throws(FieldViolation) {
            message = EffectiveMessage(try PushMessage(written))
        } catch {
            throw .invalid(error)
        }
        try message.checkSize(for: target, within: limits)
        isValidateOnly = request["validate_only"]?.boolValue ?? false
    }
}

extension MessageTarget {
    fileprivate init(_ message: JSONObject) throws(GoogleError) {
        if let text = message["token"]?.stringValue {
            guard let registration = DeviceRegistration(text) else { throw .invalidRegistration }
            self = .registration(registration)
        } else if let text = message["fid"]?.stringValue {
            // FCM reports every unknown installation as unregistered.
            guard let registration = DeviceRegistration(text) else { throw .unregistered }
            self = .registration(registration)
        } else if let text = message["topic"]?.stringValue {
            guard let topic = TopicName(text) else {
                throw .invalid("message", because: "Topic name contains invalid characters.")
            }
            self = .topic(topic)
        } else if let text = message["condition"]?.stringValue {
            guard let condition = try? TopicCondition(text) else { throw .invalidCondition }
            self = .condition(condition)
        } else {
            throw .invalid("message", because: "Recipient of the message is not set.")
        }
    }
}

extension EffectiveMessage {
    fileprivate func checkSize(
        for target: MessageTarget,
        within limits: DeliveryLimits
    ) throws(GoogleError) {
        let size = largestPayloadBytes
        guard size <= DeliveryLimits.messagePayloadBytes else { throw .messageTooLarge }
        if case .registration = target { return }
        guard size <= limits.topicPayloadBytes else {
            throw .topicMessageTooLarge(limit: limits.topicPayloadBytes)
        }
    }
}
