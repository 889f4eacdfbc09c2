import FCMWire

/// What each platform gets of one message (Firebase documentation, Customize a message across
/// platforms): the platform's block overrides the common notification, `android.data` and
/// `webpush.data` replace the common data, and keys beside `aps` are added to it.
package struct EffectiveMessage: Sendable {
    private let android: SharedContent
    private let apple: SharedContent
    private let web: SharedContent
    /// Nothing for anybody: such a message wakes every app.
    package let isEmptyForAll: Bool
    /// The only Android package that the message is for.
    package let packageName: String?

    package init(_ message: PushMessage) {
        android = SharedContent(.android(message))
        apple = SharedContent(.apple(message))
        web = SharedContent(.web(message))
        isEmptyForAll = android.content.isEmpty && apple.content.isEmpty && web.content.isEmpty
        packageName = message.android?.packageName
    }

    package subscript(platform: DevicePlatform) -> MessageContent { shared(for: platform).content }

    /// What the message weighs on the platform where it weighs most.
    package var largestPayloadBytes: Int {
        max(android.content.payloadBytes, apple.content.payloadBytes, web.content.payloadBytes)
    }

    func shared(for platform: DevicePlatform) -> SharedContent {
        switch platform {
        case .android: android
        case .apple: apple
        case .web: web
        }
    }
}

extension MessageContent {
    fileprivate static func android(_ message: PushMessage) -> MessageContent {
        let block = message.android ?? AndroidBlock()
        let notification =
            block.kind == .backgroundSync
            ? [:] : message.notification.overridden(by: block.notification)
        var content = MessageContent()
        content.show(notification)
        content.carry(block.data ?? message.data)
        content.tag = notification["tag"]?.stringValue
        content.clickAction = notification["click_action"]?.stringValue
        // A version 1 notification ignores the key (Firebase documentation, About FCM messages).
        let ignoresKey = content.hasNotification && block.kind == .version1
        content.collapseKey = ignoresKey ? nil : block.collapseKey
        content.priority = block.priority
        content.timeToLive = block.timeToLive?.text
        if let seconds = block.timeToLive?.wholeSeconds {
            content.life = seconds == 0 ? .nowOrNever : .seconds(seconds)
        }
        return content
    }

    fileprivate static func web(_ message: PushMessage) -> MessageContent {
        let block = message.webpush ?? WebpushBlock()
        let notification = message.notification.overridden(by: block.notification)
        var content = MessageContent()
        content.show(notification)
        content.carry(block.data ?? message.data)
        content.tag = notification["tag"]?.stringValue
        content.link = block.link
        content.collapseKey = block.headers["topic"]
        content.priority = block.headers["urgency"]
        content.timeToLive = block.headers["ttl"]
        if let seconds = block.headers["ttl"].flatMap({ Int64($0) }) {
            content.life = seconds == 0 ? .nowOrNever : .seconds(seconds)
        }
        return content
    }

    fileprivate static func apple(_ message: PushMessage) -> MessageContent {
        let block = message.apns ?? ApnsBlock()
        let aps = block.payload["aps"]?.objectValue ?? [:]
        let alert: JSONObject =
            aps["alert"]?.stringValue.map { ["body": .string($0)] }
            ?? aps["alert"]?.objectValue ?? [:]
        var content = MessageContent()
        content.show(message.notification.overridden(by: alert))
        content.carry(message.data)
        content.carry(apns: block.payload, aps: aps)
        content.category = aps["category"]?.stringValue
        content.collapseKey = block.headers["apns-collapse-id"]
        content.priority = block.headers["apns-priority"]
        content.timeToLive = block.headers["apns-expiration"]
        content.life = .apple(expiration: block.headers["apns-expiration"])
        return content
    }

    private mutating func show(_ notification: JSONObject) {
        hasNotification = !notification.isEmpty
        title = notification["title"]?.stringValue
        body = notification["body"]?.stringValue
        payloadBytes += notification.payloadBytes
        isEmpty = isEmpty && notification.isEmpty
    }

    private mutating func carry(_ entries: [String: String]) {
        data = entries.map { DataEntry(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
        payloadBytes += data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        isEmpty = isEmpty && data.isEmpty
    }

    /// The app's own keys and what `aps` says beside the alert (a badge, a sound, a silent wake).
    private mutating func carry(apns payload: JSONObject, aps: JSONObject) {
        var names = Dictionary(data.map { ($0.key, $0.value) }) { $1 }
        for member in payload.members where member.key != "aps" {
            names[member.key] = member.value.stringValue ?? member.value.compactText
            payloadBytes += member.key.utf8.count + member.value.payloadBytes
            isEmpty = false
        }
        data = names.map { DataEntry(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
        for member in aps.members where member.key != "alert" {
            payloadBytes += member.key.utf8.count + member.value.payloadBytes
            isEmpty = false
        }
    }
}

extension MessageLife {
    fileprivate static func apple(expiration: String?) -> MessageLife {
        guard let seconds = expiration.flatMap({ Int64($0) }) else {
            return .seconds(appleDefaultSeconds)
        }
        guard seconds != 0 else { return .nowOrNever }
        return .until(DeliveryMoment(milliseconds: 0).advanced(bySeconds: seconds))
    }
}

extension JSONObject {
    fileprivate func overridden(by other: JSONObject) -> JSONObject {
        if other.isEmpty { return self }
        if isEmpty { return other }
        let taken = Set(other.members.map(\.key))
        return JSONObject(members.filter { !taken.contains($0.key) } + other.members)
    }

    fileprivate var payloadBytes: Int {
        members.reduce(0) { $0 + $1.key.utf8.count + $1.value.payloadBytes }
    }
}

extension JSONValue {
    /// The UTF-8 bytes of keys and values, without punctuation.
    fileprivate var payloadBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.payloadBytes }
        case .object(let object): object.payloadBytes
        default: compactBytes.count
        }
    }
}
