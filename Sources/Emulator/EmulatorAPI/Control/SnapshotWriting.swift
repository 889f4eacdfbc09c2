import DeliveryModel
import JSON

extension DeviceSnapshot {
    /// The device in the form that `PUT /emulator/v1/snapshot` accepts.
    var json: JSONValue {
        var members: JSONObject = ["seeded": specification.json]
        members["registration"] = device.registration.map { .string($0.text) }
        for member in device.conditions.members { members[member.key] = member.value }
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
        members["counts"] = .object(counts.snapshot)
        members["tray"] = .array(memory.tray.map { .integer(Int64($0)) })
        members["dropped"] = .array(memory.dropped.map(\.snapshot))
        members["memory"] = memory.snapshot
        return .object(members)
    }
}

extension DeviceEvent {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = ["at": .string(at.rfc3339), "event": .string(kind.rawValue)]
        members["topic"] = topic.map { .string($0) }
        members["message_id"] = message.map { .string($0.text) }
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
            "how": .string(manner.rawValue), "accepted_at": .string(acceptedAt.rfc3339),
            "delay": .string(delay.rawValue), "tray_state": .string(trayState.rawValue),
            "priority_lowered": .bool(isPriorityLowered),
        ]
        members["opened_at"] = openedAt.map { .string($0.rfc3339) }
        content.add(to: &members)
        return .object(members)
    }
}

extension StoredMessage {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text),
            "expires_at": .string(min(expiresAt, .last).rfc3339),
            "accepted_at": .string(acceptedAt.rfc3339),
            "rate_until": .string(min(rateUntil, .last).rfc3339),
            "background_until": .string(min(backgroundUntil, .last).rfc3339),
            "delay": .string(delay.rawValue), "priority_lowered": .bool(isPriorityLowered),
        ]
        members["key"] = key.map { .string($0) }
        content.add(to: &members)
        return .object(members)
    }
}

extension DroppedMessage {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "accepted_at": .string(acceptedAt.rfc3339),
            "dropped_at": .string(droppedAt.rfc3339),
            "outcome": .string(outcome.rawValue), "choice_of_model": .bool(isChoiceOfModel),
        ]
        content.add(to: &members)
        return .object(members)
    }
}

extension MessageContent {
    func add(to members: inout JSONObject) {
        members.append("has_notification", value: .bool(hasNotification))
        for member in json.members { members.append(member.key, value: member.value) }
    }
}

extension DeliveryCounts {
    fileprivate var snapshot: JSONObject {
        JSONObject(
            MessageOutcome.allCases.filter { $0 != .pending }.map {
                JSONObject.Member(key: $0.rawValue, value: .integer(Int64(self[$0])))
            }
        )
    }
}

extension DeliveryMemory {
    fileprivate var snapshot: JSONValue {
        var members: JSONObject = [
            "collapsible": collapsible.json, "sent": .array(rates.runs.map(\.json)),
            "owes_notice": .bool(owesNotice), "notices": .integer(Int64(notices)),
        ]
        members["missed_data"] = missedData.map { .string($0.rfc3339) }
        members["last_notice"] = lastNotice.map { .string($0.rfc3339) }
        members["notice_of_removal"] = noticeOfRemoval.map { .string($0.rfc3339) }
        return .object(members)
    }
}

extension RateLog.Run {
    fileprivate var json: JSONValue {
        ["at": .string(at.rfc3339), "count": .integer(Int64(count))]
    }
}

extension RateWindow {
    fileprivate var json: JSONValue {
        ["used": .string(String(used)), "as_of": .string(asOf.rfc3339)]
    }
}

extension FanOutSnapshot {
    /// The rest of a fan-out in the form that `PUT /emulator/v1/snapshot` accepts.
    var json: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "empty": .bool(isEmptyForAll),
            "to_topic": .bool(isToTopic),
            "recipients": .array(recipients.map { .string($0) }),
        ]
        members["package"] = packageName.map { .string($0) }
        members["next"] = next.map { .string($0.rfc3339) }
        for (platform, content) in contents {
            var fields: JSONObject = ["nothing": .bool(content.isEmpty)]
            fields["by_package"] = .bool(content.collapsesByPackage)
            content.add(to: &fields)
            members[platform.rawValue] = .object(fields)
        }
        return .object(members)
    }
}
