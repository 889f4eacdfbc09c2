import CampaignModel
import FoundationEssentials
import Inbox
import JSON

/// The form in which an inbox stores what identifies a message and what it says.
///
/// The keys are stored: they never change.
struct StoredMessage {
    private let message: UpstreamMessage

    init(_ message: UpstreamMessage) {
        self.message = message
    }

    var bytes: [UInt8] {
        var object: JSONObject = [
            "sender": .string(message.sender.text),
            "from": .string(message.registration.token),
            "id": .string(message.id),
            "category": .string(message.category),
        ]
        if let seconds = message.timeToLive { object.append("ttl", value: .integer(seconds)) }
        let pairs = message.data.sorted { $0.key < $1.key }
            .map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        object.append("data", value: .object(JSONObject(pairs)))
        return JSONValue.object(object).compactBytes
    }

    /// Nil if the bytes are not a stored message.
    static func message(_ bytes: [UInt8], arrival: UpstreamArrival) -> UpstreamMessage? {
        guard let value = JSONValue(stored: bytes),
            let sender = value["sender"]?.stringValue.flatMap({ SenderID($0) }),
            let registration = value["from"]?.stringValue.flatMap({ Registration($0) }),
            let id = value["id"]?.stringValue, let category = value["category"]?.stringValue,
            let members = value["data"]?.objectValue?.members
        else { return nil }
        var data: [String: String] = [:]
        for member in members {
            guard let text = member.value.stringValue else { return nil }
            data[member.key] = text
        }
        return UpstreamMessage(
            content: UpstreamContent(
                id: id,
                category: category,
                data: data,
                timeToLive: value["ttl"]?.integerValue
            ),
            from: registration,
            to: sender,
            arrival: arrival
        )
    }
}
