import JSON

/// The content of one message for each platform (Firebase documentation, Customize a message across
/// platforms).
///
/// The platform's block overrides the common notification. `android.data` and `webpush.data`
/// replace the common data, and keys next to `aps` are added to it.
package struct EffectiveMessage: Sendable {
    private let message: SentMessage
    private let weights: PayloadWeights
    /// The number of the request that sent the message, or nil if it is unknown.
    package var request: Int?

    package init(_ message: PushMessage) {
        self.message = SentMessage(message)
        weights = PayloadWeights(message)
    }

    /// The largest payload over all platforms, in bytes.
    package var largestPayloadBytes: Int {
        max(weights.android.bytes, weights.apple.bytes, weights.web.bytes)
    }

    /// Whether the message is empty on all platforms; such a message wakes every app.
    package var isEmptyForAll: Bool {
        weights.android.isEmpty && weights.apple.isEmpty && weights.web.isEmpty
    }

    /// The only Android package that the message addresses, or nil for all packages.
    package var packageName: String? { message.content.android?.packageName }

    package subscript(platform: DevicePlatform) -> MessageContent {
        switch platform {
        case .android: message.content.androidContent.weighing(weights.android)
        case .apple: message.content.appleContent.weighing(weights.apple)
        case .web: message.content.webContent.weighing(weights.web)
        }
    }

    /// A class, so that copies share all fields of the message.
    private final class SentMessage: Sendable {
        let content: PushMessage

        init(_ content: PushMessage) {
            self.content = content
        }
    }
}

/// The content of one message, built per platform on first use and shared by its recipients.
package struct PlatformContents: Sendable {
    private let message: EffectiveMessage?
    /// Whether the message is empty on all platforms; such a message wakes every app.
    package let isEmptyForAll: Bool
    /// The only Android package that the message addresses, or nil for all packages.
    package let packageName: String?
    private let origin: MessageOrigin
    private var android: SharedContent?
    private var apple: SharedContent?
    private var web: SharedContent?

    package init(_ message: EffectiveMessage) {
        self.init(message, origin: MessageOrigin())
    }

    init(_ message: EffectiveMessage, origin: MessageOrigin) {
        self.message = message
        self.origin = origin
        isEmptyForAll = message.isEmptyForAll
        packageName = message.packageName
    }

    /// Restores the contents from a snapshot.
    package init(
        _ contents: [DevicePlatform: MessageContent],
        isEmptyForAll: Bool,
        package name: String?
    ) {
        message = nil
        origin = MessageOrigin()
        self.isEmptyForAll = isEmptyForAll
        packageName = name
        android = SharedContent(contents[.android] ?? MessageContent())
        apple = SharedContent(contents[.apple] ?? MessageContent())
        web = SharedContent(contents[.web] ?? MessageContent())
    }

    package mutating func content(for platform: DevicePlatform) -> SharedContent {
        let made =
            switch platform {
            case .android: android
            case .apple: apple
            case .web: web
            }
        if let made { return made }
        var fields = message?[platform] ?? MessageContent()
        fields.origin = origin
        let content = SharedContent(fields)
        switch platform {
        case .android: android = content
        case .apple: apple = content
        case .web: web = content
        }
        return content
    }
}

extension PushMessage {
    fileprivate var androidContent: MessageContent {
        let block = android ?? AndroidBlock()
        let shown: JSONObject =
            block.kind == .backgroundSync ? [:] : notification.overridden(by: block.notification)
        var content = MessageContent(notification: shown, data: block.data ?? data)
        content.look = NotificationLook(android: shown)
        content.tag = shown["tag"]?.stringValue
        content.clickAction = shown["click_action"]?.stringValue
        content.analyticsLabel = block.label ?? label
        // A version 1 notification ignores the key (Firebase documentation, About FCM messages).
        let ignoresKey = content.hasNotification && block.kind == .version1
        content.collapseKey = ignoresKey ? nil : block.collapseKey
        content.collapsesByPackage = ignoresKey
        content.priority = block.priority
        content.timeToLive = block.timeToLive?.text
        if let seconds = block.timeToLive?.wholeSeconds {
            content.life = seconds == 0 ? .nowOrNever : .seconds(seconds)
        }
        return content
    }

    fileprivate var webContent: MessageContent {
        let block = webpush ?? WebpushBlock()
        let shown = notification.overridden(by: block.notification)
        var content = MessageContent(notification: shown, data: block.data ?? data)
        content.look = NotificationLook(web: shown)
        content.tag = shown["tag"]?.stringValue
        content.link = block.link
        content.analyticsLabel = block.label ?? label
        content.collapseKey = block.headers["topic"]
        content.priority = block.headers["urgency"]
        content.timeToLive = block.headers["ttl"]
        if let seconds = content.timeToLive.flatMap({ Int64($0) }) {
            content.life = seconds == 0 ? .nowOrNever : .seconds(seconds)
        }
        return content
    }

    /// The content for Apple devices; the app's own keys count as data.
    fileprivate var appleContent: MessageContent {
        let block = apns ?? ApnsBlock()
        let own = block.payload.members.filter { $0.key != "aps" }.map { member in
            let text = member.value.stringValue ?? member.value.compactText
            return JSONObject.Member(key: member.key, value: .string(text))
        }
        var content = MessageContent(
            notification: notification.overridden(by: block.alert),
            data: data.merging(own)
        )
        content.look = NotificationLook(apple: block.aps)
        content.category = block.aps["category"]?.stringValue
        content.image = block.image ?? content.image
        content.analyticsLabel = block.label ?? label
        content.collapseKey = block.headers["apns-collapse-id"]
        content.priority = block.headers["apns-priority"]
        content.timeToLive = block.headers["apns-expiration"]
        content.life = .apple(expiration: content.timeToLive)
        return content
    }
}

extension MessageContent {
    fileprivate init(notification: JSONObject, data: DataEntries) {
        self.init()
        hasNotification = !notification.isEmpty
        title = notification["title"]?.stringValue
        body = notification["body"]?.stringValue
        image = notification["image"]?.stringValue
        self.data = data.sorted
    }

    fileprivate func weighing(_ weight: PayloadWeight) -> MessageContent {
        var content = self
        content.payloadBytes = weight.bytes
        content.isEmpty = weight.isEmpty
        return content
    }
}

extension MessageLife {
    static func apple(expiration: String?) -> MessageLife {
        guard let seconds = expiration.flatMap({ Int64($0) }) else {
            return .seconds(appleDefaultSeconds)
        }
        guard seconds != 0 else { return .nowOrNever }
        return .until(DeliveryMoment(milliseconds: 0).advanced(bySeconds: seconds))
    }
}
