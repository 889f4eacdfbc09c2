import JSON

/// The XML form of the stanzas that an app server sends.
package enum GCMStanza {
    package static let namespace = "google:mobile:data"

    /// An acknowledgement, as the documents show it, without line breaks.
    ///
    /// A server that routes by address, such as Prosody, needs `to`; FCM's stanzas have none.
    package static func append(_ acknowledgement: Acknowledgement, to bytes: inout [UInt8]) {
        bytes += "<message id=\"\"".utf8
        if let peer = acknowledgement.peer {
            bytes += " to=\"".utf8
            appendEscaped(peer, to: &bytes)
            bytes += "\"".utf8
        }
        bytes += "><gcm xmlns=\"\(namespace)\">".utf8
        let json: JSONValue = [
            "to": .string(acknowledgement.registration),
            "message_id": .string(acknowledgement.messageID),
            "message_type": "ack",
        ]
        appendEscaped(json.compactText, keepsQuotes: true, to: &bytes)
        bytes += "</gcm></message>".utf8
    }

    /// `keepsQuotes`: for the text of an element, in which quotation marks need no reference.
    private static func appendEscaped(
        _ text: String,
        keepsQuotes: Bool = false,
        to bytes: inout [UInt8]
    ) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\"") where !keepsQuotes: bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
    }
}
