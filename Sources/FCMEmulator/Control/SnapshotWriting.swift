import FCMDelivery
import FCMWire

extension DeviceSnapshot {
    /// The device as `PUT /emulator/v1/snapshot` takes it.
    var json: JSONValue {
        var members: JSONObject = ["seeded": specification.json]
        members["registration"] = device.registration.map { .string($0.text) }
        members["online"] = .bool(device.isOnline)
        members["foreground"] = .bool(device.isInForeground)
        members["installed"] = .bool(device.isInstalled)
        members["registered"] = .bool(device.isRegistered)
        members["topics"] = .array(
            device.sortedTopics.map { topic, since in
                ["topic": .string(topic.text), "since": .string(since.rfc3339)]
            }
        )
        members["own_topics"] = .array(ownTopics.map { .string($0.text) })
        members["events"] = .array(events.map(\.snapshot))
        members["forgotten"] = .integer(Int64(forgotten))
        members["received"] = .array(received.map(\.snapshot))
        members["pending"] = .array(pending.map(\.snapshot))
        members["counts"] = .object(counts.json)
        return .object(members)
    }
}

extension DeviceEvent {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = ["at": .string(at.rfc3339), "event": .string(kind.rawValue)]
        members["topic"] = topic.map { .string($0) }
        switch completion {
        case nil: break
        case .pending?: members["completion"] = "pending"
        case .done(let moment)?:
            members["completion"] = "done"
            members["completed_at"] = .string(moment.rfc3339)
        case .failed(let failure, let moment)?:
            members["completion"] = "error"
            members["completed_at"] = .string(moment.rfc3339)
            members["error"] = .string(failure.rawValue)
        }
        return .object(members)
    }
}

extension ReceivedMessage {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "received_at": .string(receivedAt.rfc3339),
            "how": .string(manner.rawValue),
        ]
        content.add(to: &members)
        return .object(members)
    }
}

extension StoredMessage {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text),
            "expires_at": .string(min(expiresAt, .last).rfc3339),
        ]
        content.add(to: &members)
        return .object(members)
    }
}

extension MessageContent {
    fileprivate func add(to members: inout JSONObject) {
        members.append("has_notification", .bool(hasNotification))
        for member in json.members { members.append(member.key, member.value) }
    }
}
