package import CampaignModel
import JSON

/// The kind of a message on one platform.
///
/// It determines what handles the message and whether it collapses.
package enum MessageKind: String, Hashable, Sendable {
    /// Shown by FCM's SDK or the system; always collapsible.
    case notification
    /// Handled by the app.
    case data
    case notificationAndData = "notification + data"
    /// Starts, updates or ends a Live Activity of an Apple device, with or without an alert.
    case liveActivity = "live activity"
    /// No content on any platform: it wakes the app.
    case ping
    /// The message has content, but none for this platform.
    case nothing

    package var showsSomething: Bool { self == .notification || self == .notificationAndData }

    /// Whether APNs accepts priority 10 (Apple documentation, Sending notification requests to
    /// APNs, and Starting and updating Live Activities with ActivityKit push notifications).
    var mayBeUrgentOnApple: Bool { showsSomething || self == .liveActivity }
}

/// The kind of a message on each platform.
package struct MessageKinds: Sendable {
    private let android: MessageKind
    private let apple: MessageKind
    private let web: MessageKind

    package init(_ content: MessageContent) {
        let fields = content.fields
        let isShown = fields["notification"].isSomething
        let hasData = fields["data"].isSomething
        let android = Block(fields["android"], isShown: isShown, hasData: hasData)
        let apple = Block(apple: fields["apns"], isShown: isShown, hasData: hasData)
        let web = Block(fields["webpush"], isShown: isShown, hasData: hasData)
        let isLiveActivity = fields["apns"].isLiveActivity
        let isEmpty = android.isEmpty && apple.isEmpty && web.isEmpty && !isLiveActivity
        self.android = android.kind(ofEmpty: isEmpty)
        self.apple = isLiveActivity ? .liveActivity : apple.kind(ofEmpty: isEmpty)
        self.web = web.kind(ofEmpty: isEmpty)
    }

    /// Whether it shows a notification on at least one platform.
    package var showsSomething: Bool {
        android.showsSomething || apple.showsSomething || web.showsSomething
    }

    package subscript(platform: Platform) -> MessageKind {
        switch platform {
        case .android: android
        case .apple: apple
        case .web: web
        }
    }
}

extension MessageContent {
    package func kind(on platform: Platform) -> MessageKind { MessageKinds(self)[platform] }
}

/// The content for a platform: the common fields and those in its block.
private struct Block {
    let isShown: Bool
    let hasData: Bool

    /// A platform's own data replaces the common data.
    init(_ block: JSONValue?, isShown: Bool, hasData: Bool) {
        let data = block?["data"]
        self.isShown = isShown || (block?["notification"]).isSomething
        self.hasData = data == nil ? hasData : data.isSomething
    }

    /// On Apple platforms, custom keys are added to the common data.
    init(apple block: JSONValue?, isShown: Bool, hasData: Bool) {
        let payload = block?["payload"]
        let aps = payload?["aps"]
        self.isShown =
            isShown || (aps?["alert"]).isSomething || (aps?["badge"]).isSomething
            || (aps?["sound"]).isSomething
        self.hasData =
            hasData || (aps?["content-available"]).isSomething
            || payload?.objectValue?.members.contains { $0.key != "aps" } ?? false
    }

    var isEmpty: Bool { !isShown && !hasData }

    func kind(ofEmpty isEmptyEverywhere: Bool) -> MessageKind {
        switch (isShown, hasData) {
        case (true, true): .notificationAndData
        case (true, false): .notification
        case (false, true): .data
        case (false, false): isEmptyEverywhere ? .ping : .nothing
        }
    }
}

extension JSONValue? {
    /// Whether the block for Apple devices starts, updates or ends a Live Activity.
    ///
    /// Without a token, the author's push type decides, and then an `event`.
    fileprivate var isLiveActivity: Bool {
        if (self?["live_activity_token"]).isSomething { return true }
        if let type = self?["headers"]?["apns-push-type"]?.stringValue {
            return type == "liveactivity"
        }
        return (self?["payload"]?["aps"]?["event"]).isSomething
    }

    var isSomething: Bool {
        switch self {
        case nil, .null?: false
        case .object(let object)?: !object.isEmpty
        default: true
        }
    }
}
