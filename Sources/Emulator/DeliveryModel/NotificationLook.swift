import JSON

/// How the system shows a notification, apart from its texts.
package struct NotificationLook: Hashable, Sendable {
    /// The sound's name; `default` is the system's sound.
    package var sound: String?
    /// The number on the app's icon.
    package var badge: Int64?
    /// The URL of the small monochrome image that browsers call badge.
    package var badgeURL: String?
    /// The Android notification channel.
    package var channel: String?
    package var icon: String?
    package var color: String?
    /// Apple's `interruption-level`.
    package var interruptionLevel: String?
    /// The buttons of a web notification.
    package var actions: [NotificationAction] = []

    package init() {}
}

/// A button of a web notification.
package struct NotificationAction: Hashable, Sendable {
    package let action: String
    package let title: String

    package init(action: String, title: String) {
        self.action = action
        self.title = title
    }
}

/// The target and the number of the request that sent a message.
package struct MessageOrigin: Hashable, Sendable {
    /// The topic, which apps receive as `/topics/NAME` in `from`.
    package var topic: String?
    package var condition: String?
    /// The request's number in the log, or nil if it is unknown.
    package var request: Int?

    package init() {}

    init(_ target: MessageTarget, request: Int?) {
        self.request = request
        switch target {
        case .registration: break
        case .topic(let name): topic = name.text
        case .condition(let text): condition = text.text
        }
    }
}

extension NotificationLook {
    /// Reads the fields of an Android notification.
    init(android shown: JSONObject) {
        sound = shown["sound"]?.stringValue
        if sound == nil, shown["default_sound"] == true { sound = "default" }
        badge = shown["notification_count"]?.integerValue
        channel = shown["channel_id"]?.stringValue
        icon = shown["icon"]?.stringValue
        color = shown["color"]?.stringValue
    }

    /// Reads the fields of Apple's `aps`.
    init(apple aps: JSONObject) {
        sound = aps["sound"]?.stringValue ?? aps["sound"]?["name"]?.stringValue
        badge = aps["badge"]?.integerValue
        interruptionLevel = aps["interruption-level"]?.stringValue
    }

    /// Reads the options of a web notification.
    init(web shown: JSONObject) {
        icon = shown["icon"]?.stringValue
        badgeURL = shown["badge"]?.stringValue
        actions = (shown["actions"]?.arrayValue ?? []).map { action in
            NotificationAction(
                action: action["action"]?.stringValue ?? "",
                title: action["title"]?.stringValue ?? ""
            )
        }
    }
}
