import DeliveryModel
import JSON

extension UpstreamCounts {
    var json: JSONObject {
        [
            "waiting": .integer(Int64(waiting)), "sent": .integer(Int64(sent)),
            "acknowledged": .integer(Int64(acknowledged)), "failed": .integer(Int64(failed)),
        ]
    }
}

extension DeliveryBackend {
    /// Returns the answer to `GET /emulator/v1/devices/{name}/upstream`.
    func upstreamView(
        of device: Device,
        on target: RequestTarget
    ) throws(GoogleError) -> JSONObject {
        let messages = upstreamMessages(of: device.name) ?? []
        var answer = try Page(target).answer("messages", of: messages) { $1.json }
        answer["connected"] = .bool(hasUpstreamConnection(device.name))
        return answer
    }
}

extension UpstreamMessage {
    var json: JSONValue {
        let pairs = content.data.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        var members: JSONObject = [
            "number": .integer(Int64(number)), "message_id": .string(content.id),
            "category": .string(content.category), "data": .object(JSONObject(pairs)),
            "time_to_live": .integer(content.timeToLive), "created_at": .string(createdAt.rfc3339),
            "expires_at": .string(min(expiresAt, .last).rfc3339),
        ]
        members["to"] = content.to.map { .string($0.text) }
        switch state {
        case .waiting: members["state"] = "waiting"
        case .sent(let moment):
            members["state"] = "sent"
            members["sent_at"] = .string(moment.rfc3339)
        case .acknowledged(let sent, let moment):
            members["state"] = "acknowledged"
            members["sent_at"] = .string(sent.rfc3339)
            members["acknowledged_at"] = .string(moment.rfc3339)
        case .failed(let failure, let moment):
            members["state"] = "failed"
            members["failed_at"] = .string(moment.rfc3339)
            members["error"] = .string(failure.rawValue)
        }
        members["callbacks"] = .array(callbacks.map(\.json))
        return .object(members)
    }
}

extension UpstreamCallback {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "callback": failure == nil ? "success" : "failure", "at": .string(at.rfc3339),
            "decided_at": .string(decidedAt.rfc3339),
        ]
        members["error"] = failure.map { .string($0.rawValue) }
        return .object(members)
    }
}
