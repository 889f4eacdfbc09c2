import FCMDelivery
import FCMWire

extension Device {
    var json: JSONValue {
        [
            "name": .string(name), "platform": .string(platform.rawValue),
            "registration": .string(registration.text), "online": .bool(isOnline),
            "foreground": .bool(isInForeground), "installed": .bool(isInstalled),
            "registered": .bool(isRegistered), "topics": topicList,
        ]
    }

    fileprivate var topicList: JSONValue {
        .array(sortedTopics.map { .string($0.topic.text) })
    }
}

extension DeviceInbox {
    var json: JSONValue {
        [
            "name": .string(device.name), "platform": .string(device.platform.rawValue),
            "registration": .string(device.registration.text), "online": .bool(device.isOnline),
            "foreground": .bool(device.isInForeground), "topics": device.topicList,
            "received": .array(received.map(\.json)),
            "pending": .integer(Int64(pending)), "dropped": .integer(Int64(counts.dropped)),
            "collapsed": .integer(Int64(counts.collapsed)),
            "nothing_for_platform": .integer(Int64(counts.nothingForPlatform)),
        ]
    }
}

extension ReceivedMessage {
    /// Members without a value are left out.
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "message_id": .string(id.text), "received_at": .string(receivedAt.rfc3339),
            "how": .string(manner.rawValue),
        ]
        let data = content.data.map { entry in
            JSONObject.Member(key: entry.key, value: .string(entry.value))
        }
        let texts: [(String, String?)] = [
            ("title", content.title), ("body", content.body), ("tag", content.tag),
            ("click_action", content.clickAction), ("category", content.category),
            ("link", content.link), ("collapse_key", content.collapseKey),
            ("priority", content.priority), ("ttl", content.timeToLive),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        members["data"] = .object(JSONObject(data))
        return .object(members)
    }
}
