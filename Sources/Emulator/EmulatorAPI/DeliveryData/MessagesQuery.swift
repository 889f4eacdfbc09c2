import DeliveryModel
import JSON

/// `GET /emulator/v1/messages`: the outcomes of messages on all devices.
struct MessagesQuestion {
    private enum Choice {
        case ids(Set<String>)
        case label(String)
    }

    private let choice: Choice
    /// Maximum number of IDs in one request.
    private static let limit = 100

    init(_ target: RequestTarget) throws(GoogleError) {
        if let text = target.parameter("ids") {
            let ids = Set(text.split(separator: ",").map(String.init))
            guard ids.count <= Self.limit else {
                throw .control("ids", because: "At most \(Self.limit) are allowed.")
            }
            choice = .ids(ids)
        } else if let label = target.parameter("label") {
            choice = .label(label)
        } else {
            throw .control("ids", because: "Set either ids or label.")
        }
    }

    /// Returns the messages that are stored on any device, in order of acceptance.
    func answer(from inboxes: [DeviceInbox]) -> JSONObject {
        var messages: [String: CountedMessage] = [:]
        for inbox in inboxes {
            for fate in inbox.fates where takes(fate) {
                messages[fate.id.text, default: CountedMessage(fate)].tally.add(fate)
            }
        }
        let sorted = messages.values.sorted {
            ($0.acceptedAt, $0.id.text) < ($1.acceptedAt, $1.id.text)
        }
        return ["messages": .array(sorted.map(\.json))]
    }

    private func takes(_ fate: MessageFate) -> Bool {
        switch choice {
        case .ids(let ids): ids.contains(fate.id.text)
        case .label(let label): fate.label == label
        }
    }
}

private struct CountedMessage {
    let id: MessageID
    let acceptedAt: DeliveryMoment
    let label: String?
    var tally = MessageTally()

    init(_ fate: MessageFate) {
        id = fate.id
        acceptedAt = fate.acceptedAt
        label = fate.label
    }

    var json: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "accepted_at": .string(acceptedAt.rfc3339),
        ]
        members["label"] = label.map { .string($0) }
        for member in tally.json.members { members.append(member.key, value: member.value) }
        return .object(members)
    }
}
