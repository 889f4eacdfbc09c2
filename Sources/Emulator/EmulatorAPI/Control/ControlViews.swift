package import DeliveryModel
import JSON
package import PhoneKeys

extension Device {
    /// The device, without members that have no value.
    var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "platform": .string(platform.rawValue),
        ]
        members["registration"] = registration.map { .string($0.text) }
        members["project"] = project.map { .string($0) }
        members["package"] = packageName.map { .string($0) }
        for member in conditions.members { members[member.key] = member.value }
        members["registered"] = .bool(isRegistered)
        members["topics"] = topicList
        if !messageKeys.isEmpty {
            members["public_keys"] = .array(phoneKeys.map { .string($0.publicText) })
        }
        return .object(members)
    }

    /// The keys with which the app decrypts messages.
    var phoneKeys: [PhoneKey] { messageKeys.compactMap { PhoneKey($0) } }

    /// The conditions, without those that the platform cannot have.
    var conditions: JSONObject {
        var members: JSONObject = [
            "online": .bool(isOnline), "foreground": .bool(isInForeground),
            "installed": .bool(isInstalled),
        ]
        if platform == .android {
            members["dozing"] = .bool(isDozing)
            members["force_stopped"] = .bool(isForceStopped)
            members["user_stopped"] = .bool(isUserStopped)
        }
        if !usesDirectChannel { members["direct_channel"] = false }
        members["last_seen"] = lastSeen.map { .string($0.rfc3339) }
        return members
    }

    fileprivate var topicList: JSONValue {
        .array(sortedTopics.map { .string($0.topic.text) })
    }
}

extension DeviceSpecification {
    /// The device in the form that `POST /emulator/v1/devices` accepts.
    var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "platform": .string(platform.rawValue),
        ]
        members["registration"] = registration.map { .string($0.text) }
        members["project"] = project.map { .string($0) }
        members["package"] = packageName.map { .string($0) }
        members["online"] = .bool(isOnline)
        members["foreground"] = .bool(isInForeground)
        if isDozing { members["dozing"] = true }
        if isForceStopped { members["force_stopped"] = true }
        if isUserStopped { members["user_stopped"] = true }
        members["last_seen"] = lastSeen.map { .string($0.rfc3339) }
        members["topics"] = .array(topics.map { .string($0.text) })
        if !messageKeys.isEmpty {
            members["message_keys"] = .array(messageKeys.map { .string($0) })
        }
        return .object(members)
    }
}

extension DeviceInbox {
    var json: JSONValue { json(received.indices.map(json(messageAt:))) }

    func json(messageAt index: Int) -> JSONValue {
        received[index].json(forgotten + index + 1, on: device)
    }

    /// Returns the inbox with the given messages.
    func json(_ messages: [JSONValue]) -> JSONValue {
        var members: JSONObject = [
            "name": .string(device.name), "platform": .string(device.platform.rawValue),
        ]
        members["registration"] = device.registration.map { .string($0.text) }
        for member in device.conditions.members { members[member.key] = member.value }
        members["topics"] = device.topicList
        members["received"] = .array(messages)
        members["tray"] = .array(tray.map { .integer(Int64($0)) })
        members["pending"] = .integer(Int64(pending))
        members["waiting"] = .array(waiting.map(\.json))
        members["gone"] = .array(dropped.map(\.json))
        for member in counts.json.members { members[member.key] = member.value }
        members["deleted_messages"] = .integer(Int64(deletedMessages))
        members["last_deleted_messages"] = lastDeletedMessages.map { .string($0.rfc3339) }
        return .object(members)
    }
}

extension DeliveryCounts {
    /// The counts; `outcomes` has Google's names of all outcomes that occurred.
    var json: JSONObject {
        let outcomes = MessageOutcome.allCases.filter { self[$0] > 0 }
        return [
            "dropped": .integer(Int64(dropped)), "collapsed": .integer(Int64(collapsed)),
            "nothing_for_platform": .integer(Int64(nothingForPlatform)),
            "outcomes": .object(
                JSONObject(
                    outcomes.map {
                        JSONObject.Member(key: $0.rawValue, value: .integer(Int64(self[$0])))
                    }
                )
            ),
        ]
    }
}

extension WaitingMessage {
    var json: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "accepted_at": .string(acceptedAt.rfc3339),
            "expires_at": .string(min(expiresAt, .last).rfc3339),
            "waits_for": .string(reason.rawValue),
        ]
        for member in content.json.members { members.append(member.key, value: member.value) }
        return .object(members)
    }
}

extension DroppedMessage {
    var json: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "dropped_at": .string(droppedAt.rfc3339),
            "outcome": .string(outcome.rawValue),
        ]
        if isChoiceOfModel { members["undefined_by_fcm"] = true }
        for member in content.json.members { members.append(member.key, value: member.value) }
        return .object(members)
    }
}

extension ReceivedMessage {
    /// Returns the message; `number` counts from 1 since the device was seeded.
    func json(_ number: Int, on device: Device) -> JSONValue {
        var members: JSONObject = [
            "number": .integer(Int64(number)), "message_id": .string(id.text),
            "message_id_key": .string(device.platform.messageIDKey),
            "received_at": .string(receivedAt.rfc3339), "how": .string(manner.rawValue),
            "delay": .string(delay.rawValue),
        ]
        if isPriorityLowered { members["priority_lowered"] = true }
        members["opened_at"] = openedAt.map { .string($0.rfc3339) }
        for member in content.json.members { members.append(member.key, value: member.value) }
        switch content.opened(on: device) {
        case nil: break
        case .clear(let clear)?: members["decrypted"] = .object(clear)
        case .refused(let reason)?: members["not_decrypted"] = .string(reason.rawValue)
        }
        return .object(members)
    }
}

extension MessageContent {
    /// Returns what the app of a device reads in the envelope of the message; nil if there is none.
    ///
    /// It is decrypted when it is shown, and stored nowhere.
    package func opened(on device: Device) -> OpenedMessage? {
        func value(_ key: String) -> String? { data.first { $0.key == key }?.value }
        guard let envelope = value("herald_envelope") else { return nil }
        return OpenedMessage(
            envelope: envelope,
            context: value("herald_context"),
            keys: device.phoneKeys
        )
    }
}

extension DevicePlatform {
    /// The key of the message ID in the app's data: in `userInfo`, the intent's extras, or the
    /// payload.
    fileprivate var messageIDKey: String {
        switch self {
        case .android: "google.message_id"
        case .apple: "gcm.message_id"
        case .web: "fcmMessageId"
        }
    }
}

extension MessageContent {
    /// The content, without members that have no value.
    var json: JSONObject {
        var members = JSONObject()
        let texts: [(String, String?)] = [
            ("title", title), ("body", body), ("tag", tag), ("click_action", clickAction),
            ("category", category), ("link", link), ("image", image),
            ("analytics_label", analyticsLabel), ("collapse_key", collapseKey),
            ("priority", priority), ("ttl", timeToLive),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        look.add(to: &members)
        origin.add(to: &members)
        let entries = data.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        members["data"] = .object(JSONObject(entries))
        return members
    }
}

extension DeviceEvent {
    /// Returns the event; `number` counts from 1 since the device was seeded.
    ///
    /// A pending call includes the reason for its wait.
    func json(_ number: Int, on device: Device) -> JSONValue {
        var members: JSONObject = [
            "number": .integer(Int64(number)), "at": .string(at.rfc3339),
            "event": .string(kind.rawValue),
        ]
        members["topic"] = topic.map { .string($0) }
        members["message_id"] = message.map { .string($0.text) }
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
