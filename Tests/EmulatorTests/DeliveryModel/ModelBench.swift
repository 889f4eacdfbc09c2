import DeliveryModel
import FCMWire
import JSON
import Testing

/// A model with one Android device `pixel`, and helpers with times in seconds.
struct ModelBench {
    var model = DeliveryBackend()
    private var sent = 0
    var sentCount: Int { sent }

    init(online: Bool = true, platform: DevicePlatform = .android, topics: [String] = []) throws {
        try add("pixel", platform: platform, online: online, topics: topics)
    }

    mutating func add(
        _ name: String,
        platform: DevicePlatform = .android,
        online: Bool = true,
        topics: [String] = []
    ) throws {
        let specification = DeviceSpecification(
            name: name,
            platform: platform,
            registration: try registration(name),
            isOnline: online,
            topics: topics.compactMap { TopicName($0) }
        )
        try model.seed([specification], at: second(0))
    }

    /// Sends to `pixel`; the message IDs are 1, 2, 3 and so on.
    @discardableResult
    mutating func send(_ message: PushMessage, at seconds: Int64) throws -> DeliveryOutcome {
        try send(message, for: .registration(try registration("pixel")), at: seconds)
    }

    @discardableResult
    mutating func send(
        _ message: PushMessage,
        for target: MessageTarget,
        at seconds: Int64
    ) throws -> DeliveryOutcome {
        sent += 1
        return model.accept(
            EffectiveMessage(message),
            id: MessageID("\(sent)"),
            for: target,
            at: second(seconds)
        )
    }

    mutating func change(_ change: DeviceChange, of name: String = "pixel", at seconds: Int64) {
        let isKnown = model.setCondition(of: name, to: change, at: second(seconds))
        #expect(isKnown)
    }

    mutating func inbox(_ name: String = "pixel", at seconds: Int64) throws -> DeviceInbox {
        try #require(
            model.inboxes(at: second(seconds)).first { $0.device.name == name }
        )
    }

    mutating func received(_ name: String = "pixel", at seconds: Int64) throws -> [String] {
        try inbox(name, at: seconds).received.map(\.id.text)
    }
}

func second(_ seconds: Int64) -> DeliveryMoment {
    DeliveryMoment(milliseconds: seconds * 1_000)
}

func registration(_ text: String) throws -> DeviceRegistration {
    try #require(DeviceRegistration(text))
}

func topic(_ text: String) throws -> TopicName {
    try #require(TopicName(text))
}

extension PushMessage {
    static func data(ttl: String? = nil, collapse: String? = nil) -> PushMessage {
        var message = PushMessage()
        message.data = ["screen": "tides"]
        var android = AndroidBlock()
        android.timeToLive = ttl.flatMap { DurationText($0) }
        android.collapseKey = collapse
        message.android = android
        return message
    }

    static func notification(_ title: String) -> PushMessage {
        var message = PushMessage()
        message.notification = ["title": .string(title)]
        return message
    }
}

extension DeliveryOptions {
    /// Options without the rates of single devices.
    static let unthrottled: DeliveryOptions = {
        var options = DeliveryOptions()
        options.throttlesDevices = false
        return options
    }()
}
