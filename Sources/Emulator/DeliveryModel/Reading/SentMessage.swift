package import JSON

/// The reason why FCM would refuse a message.
package struct UnreadableMessage: Error, Hashable, Sendable {
    package let reason: String
}

extension EffectiveMessage {
    /// Reads a v1 `Message` in the same way as a send request.
    package init(sent message: JSONObject) throws(UnreadableMessage) {
        var reader = ShapeReader()
        let request = reader.read(["message": .object(message)], as: .sendRequest)
        guard reader.violations.isEmpty else {
            throw UnreadableMessage(
                reason: reader.violations.map(\.description).joined(separator: "\n")
            )
        }
        do throws(FieldViolation) {
            self.init(try PushMessage(request["message"]?.objectValue ?? [:]))
        } catch {
            throw UnreadableMessage(reason: error.description)
        }
    }
}
