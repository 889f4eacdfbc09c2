package import JSON

/// A stanza of a server, except for messages of devices.
package enum ServerStanza: Hashable, Sendable {
    /// The server received a message that an app server sent.
    case acknowledgement(messageID: String)
    /// The server refuses a message, or an acknowledgement (`BAD_ACK`).
    case refusal(Refusal)
    /// A device received a message; it is acknowledged like a message of a device.
    case receipt(DeliveryReceipt)
    /// The server is about to close the connection.
    case draining
    /// A type or a control message that the documents do not name.
    case unknown(type: String)

    /// A `nack`.
    package struct Refusal: Hashable, Sendable {
        package let messageID: String?
        /// Such as `BAD_ACK`.
        package let code: String
        package let description: String?

        /// The documented codes (Firebase documentation, XMPP protocol reference).
        package static let codes: Set<String> = [
            "INVALID_JSON", "BAD_REGISTRATION", "DEVICE_UNREGISTERED", "BAD_ACK",
            "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR", "DEVICE_MESSAGE_RATE_EXCEEDED",
            "TOPICS_MESSAGE_RATE_EXCEEDED", "CONNECTION_DRAINING",
        ]

        package var isDocumented: Bool { Self.codes.contains(code) }
    }

    /// - Parameter object: The JSON of a stanza that has a `message_type`.
    package init(_ object: JSONObject) {
        let type = object["message_type"]?.stringValue ?? ""
        switch type {
        case "ack": self = .acknowledgement(messageID: object["message_id"]?.stringValue ?? "")
        case "nack": self = Self.refusal(object)
        case "receipt": self = DeliveryReceipt(object).map { .receipt($0) } ?? .unknown(type: type)
        case "control":
            let control = object["control_type"]?.stringValue
            self = control == "CONNECTION_DRAINING" ? .draining : .unknown(type: type)
        default: self = .unknown(type: type)
        }
    }

    private static func refusal(_ object: JSONObject) -> ServerStanza {
        let refusal = Refusal(
            messageID: object["message_id"]?.stringValue,
            code: object["error"]?.stringValue ?? "",
            description: object["error_description"]?.stringValue
        )
        // An older form of the control message (Firebase documentation, XMPP protocol reference).
        return refusal.code == "CONNECTION_DRAINING" ? .draining : .refusal(refusal)
    }
}

/// The report that a device received a message for which a receipt was requested.
package struct DeliveryReceipt: Hashable, Sendable {
    /// The address that the acknowledgement names, such as `gcm.googleapis.com`.
    package let from: String
    /// Such as `dr2:` and the ID of the message.
    package let messageID: String
    package let category: String
    package let data: [String: String]

    /// The device that received the message.
    package var registration: String? { data["device_registration_id"] }

    init?(_ object: JSONObject) {
        guard let from = object["from"]?.stringValue, !from.isEmpty,
            let messageID = object["message_id"]?.stringValue, !messageID.isEmpty,
            let category = object["category"]?.stringValue, !category.isEmpty,
            let members = object["data"]?.objectValue?.members
        else { return nil }
        self.from = from
        self.messageID = messageID
        self.category = category
        let pairs = members.compactMap { member in
            member.value.stringValue.map { (member.key, $0) }
        }
        data = Dictionary(pairs) { _, last in last }
    }
}
