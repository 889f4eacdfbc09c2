package import JSON

/// The XML form of FCM stanzas (Firebase documentation, XMPP server protocol).
package enum GCMStanza {
    package static let namespace = "google:mobile:data"

    /// Returns the stanza of a message to an app server.
    package static func bytes(of json: JSONObject) -> [UInt8] {
        let text = XMLText.escaped(JSONValue.object(json).compactText, keepsQuotes: true)
        return Array(
            "<message id=\"\"><gcm xmlns=\"\(namespace)\">\(text)</gcm></message>".utf8
        )
    }

    /// Returns the answer to a stanza whose JSON cannot be used.
    package static func error(_ reason: String, id: String, payload: String) -> [UInt8] {
        let stanzas = XMPPNamespace.stanzas
        return Array(
            """
            <message id="\(XMLText.escaped(id))" type="error"><gcm xmlns="\(namespace)">\
            \(XMLText.escaped(payload, keepsQuotes: true))</gcm><error code="400" type="modify">\
            <bad-request xmlns="\(stanzas)"/><text xmlns="\(stanzas)">\
            InvalidJson: \(XMLText.escaped(reason, keepsQuotes: true))</text></error></message>
            """.utf8
        )
    }

    package static func acknowledgement(of id: String, from registration: String) -> JSONObject {
        [
            "from": .string(registration), "message_id": .string(id), "message_type": "ack",
        ]
    }

    package static func refusal(
        of id: String,
        from registration: String,
        code: String,
        description: String
    ) -> JSONObject {
        [
            "message_type": "nack", "message_id": .string(id), "from": .string(registration),
            "error": .string(code), "error_description": .string(description),
        ]
    }

    /// The connection ends soon; the app server has to open another one.
    package static let draining: JSONObject = [
        "message_type": "control", "control_type": "CONNECTION_DRAINING",
    ]
}

enum XMLText {
    /// `keepsQuotes`: for the text of an element, in which quotation marks need no reference.
    static func escaped(_ text: String, keepsQuotes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\"") where !keepsQuotes: bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What an app server sends in a `gcm` element.
package enum AppServerPayload: Sendable {
    /// `ack` of a message of a device.
    case acknowledgement(registration: String, id: String)
    /// A message to a device or a topic.
    case message(to: String, id: String, JSONObject)
    /// An `ack` without `to` or `message_id`.
    case malformedAcknowledgement(id: String)
    /// It cannot be used; the text is that of the stanza error.
    case unusable(String)

    package init(parsing text: String) {
        guard let object = JSONValue(parsing: Array(text.utf8))?.objectValue else {
            self = .unusable("JSON_PARSING_ERROR")
            return
        }
        let type = object["message_type"]?.stringValue
        let to = object["to"]?.stringValue ?? ""
        let id = object["message_id"]?.stringValue ?? ""
        switch type {
        case "ack":
            guard !to.isEmpty, !id.isEmpty else {
                self = .malformedAcknowledgement(id: id)
                return
            }
            self = .acknowledgement(registration: to, id: id)
        case nil:
            guard !to.isEmpty, !id.isEmpty else {
                let missing = to.isEmpty ? "to" : "message_id"
                self = .unusable("JSON_PARSING_ERROR : Missing Required Field: \(missing)")
                return
            }
            self = .message(to: to, id: id, object)
        case let type?: self = .unusable("JSON_TYPE_ERROR : Unknown message_type: \(type)")
        }
    }
}
