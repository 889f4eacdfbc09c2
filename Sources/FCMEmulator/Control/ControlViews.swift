import FCMDelivery
import FCMWire

extension Device {
    /// Members without a value are left out.
    var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "platform": .string(platform.rawValue),
        ]
        members["registration"] = registration.map { .string($0.text) }
        members["project"] = project.map { .string($0) }
        members["package"] = packageName.map { .string($0) }
        members["online"] = .bool(isOnline)
        members["foreground"] = .bool(isInForeground)
        members["installed"] = .bool(isInstalled)
        members["registered"] = .bool(isRegistered)
        members["topics"] = topicList
        return .object(members)
    }

    fileprivate var topicList: JSONValue {
        .array(sortedTopics.map { .string($0.topic.text) })
    }
}

extension DeviceSpecification {
    /// The device as `POST /emulator/v1/devices` takes it.
    var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "platform": .string(platform.rawValue),
        ]
        members["registration"] = registration.map { .string($0.text) }
        members["project"] = project.map { .string($0) }
        members["package"] = packageName.map { .string($0) }
        members["online"] = .bool(isOnline)
        members["foreground"] = .bool(isInForeground)
        members["topics"] = .array(topics.map { .string($0.text) })
        return .object(members)
    }
}

extension DeviceInbox {
    var json: JSONValue { json(received.indices.map(json(messageAt:))) }

    func json(messageAt index: Int) -> JSONValue {
        received[index].json(forgotten + index + 1, on: device)
    }

    /// The inbox with some of its messages.
    func json(_ messages: [JSONValue]) -> JSONValue {
        var members: JSONObject = [
            "name": .string(device.name), "platform": .string(device.platform.rawValue),
        ]
        members["registration"] = device.registration.map { .string($0.text) }
        members["online"] = .bool(device.isOnline)
        members["foreground"] = .bool(device.isInForeground)
        members["topics"] = device.topicList
        members["received"] = .array(messages)
        members["pending"] = .integer(Int64(pending))
        for member in counts.json.members { members[member.key] = member.value }
        return .object(members)
    }
}

extension DeliveryCounts {
    var json: JSONObject {
        [
            "dropped": .integer(Int64(dropped)), "collapsed": .integer(Int64(collapsed)),
            "nothing_for_platform": .integer(Int64(nothingForPlatform)),
        ]
    }
}

extension ReceivedMessage {
    /// `number` counts from 1 since the device was seeded.
    func json(_ number: Int, on device: Device) -> JSONValue {
        var members: JSONObject = [
            "number": .integer(Int64(number)), "message_id": .string(id.text),
            "message_id_key": .string(device.platform.messageIDKey),
            "received_at": .string(receivedAt.rfc3339), "how": .string(manner.rawValue),
        ]
        for member in content.json.members { members.append(member.key, member.value) }
        return .object(members)
    }
}

extension DevicePlatform {
    /// Where the app finds a message's id: in `userInfo`, the intent's extras, or the payload.
    fileprivate var messageIDKey: String {
        switch self {
        case .android: "google.message_id"
        case .apple: "gcm.message_id"
        case .web: "fcmMessageId"
        }
    }
}

extension MessageContent {
    /// Members without a value are left out.
    var json: JSONObject {
        var members = JSONObject()
        let texts: [(String, String?)] = [
            ("title", title), ("body", body), ("tag", tag), ("click_action", clickAction),
            ("category", category), ("link", link), ("collapse_key", collapseKey),
            ("priority", priority), ("ttl", timeToLive),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        let entries = data.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        members["data"] = .object(JSONObject(entries))
        return members
    }
}

extension DeviceEvent {
    /// `number` counts from 1 since the device was seeded; a call that is pending says what it
    /// waits for.
    func json(_ number: Int, on device: Device) -> JSONValue {
        var members: JSONObject = [
            "number": .integer(Int64(number)), "at": .string(at.rfc3339),
            "event": .string(kind.rawValue),
        ]
        members["topic"] = topic.map { .string($0) }
        switch completion {
        case nil: break
        case .pending?:
            members["completion"] = "pending"
            members["waits_for"] = device.obstacle.map { .string($0.rawValue) }
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
