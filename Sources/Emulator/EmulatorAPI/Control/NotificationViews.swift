import DeliveryModel
import JSON

extension NotificationLook {
    /// Adds the members that have a value.
    func add(to members: inout JSONObject) {
        let texts: [(String, String?)] = [
            ("sound", sound), ("badge_url", badgeURL), ("channel_id", channel), ("icon", icon),
            ("color", color), ("interruption_level", interruptionLevel),
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        members["badge"] = badge.map { .integer($0) }
        guard !actions.isEmpty else { return }
        members["actions"] = .array(
            actions.map { ["action": .string($0.action), "title": .string($0.title)] }
        )
    }

    /// Reads the members that `add` wrote.
    init(_ fields: ControlFields) {
        self.init()
        sound = fields.text("sound")
        badge = fields.value["badge"]?.integerValue
        badgeURL = fields.text("badge_url")
        channel = fields.text("channel_id")
        icon = fields.text("icon")
        color = fields.text("color")
        interruptionLevel = fields.text("interruption_level")
        actions = (fields.value["actions"]?.arrayValue ?? []).map { action in
            NotificationAction(
                action: action["action"]?.stringValue ?? "",
                title: action["title"]?.stringValue ?? ""
            )
        }
    }
}

extension MessageOrigin {
    /// The prefix of a topic in the `from` of a received message.
    static let topicPrefix = "/topics/"

    /// Adds the members that have a value: `from` for a topic, as apps receive it.
    func add(to members: inout JSONObject) {
        members["from"] = topic.map { .string(Self.topicPrefix + $0) }
        members["condition"] = condition.map { .string($0) }
        members["request"] = request.map { .integer(Int64($0)) }
    }

    /// Reads the members that `add` wrote.
    init(_ fields: ControlFields) {
        self.init()
        if let from = fields.text("from"), from.hasPrefix(Self.topicPrefix) {
            topic = String(from.dropFirst(Self.topicPrefix.count))
        }
        condition = fields.text("condition")
        request = fields.value["request"]?.integerValue.map { Int($0) }
    }
}

extension MessageShape {
    static let notificationAction = MessageShape(
        "herald.NotificationAction",
        fields: [("action title", .string)]
    )
}

extension OpenAPISchema.Members {
    /// The presentation of a notification and the origin of its message.
    static let look: Self = [
        "sound": .text, "badge": .int32, "badge_url": .text, "channel_id": .text, "icon": .text,
        "color": .text, "interruption_level": .text,
        "actions": .list(
            .record("NotificationAction", members: ["action": .text, "title": .text])
        ),
        "from": .text, "condition": .text, "request": .count,
    ]
}
