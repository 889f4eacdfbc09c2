/// How long a message waits for a device that is offline.
package enum MessageLife: Hashable, Sendable {
    /// One attempt, never stored.
    case nowOrNever
    case seconds(Int64)
    case until(DeliveryMoment)

    /// Four weeks, the longest and the default (Firebase documentation, Set the lifespan of a
    /// message).
    package static let longestSeconds: Int64 = 2_419_200
    /// What FCM fills in as `apns-expiration`: 30 days (Firebase documentation, REST resource
    /// projects.messages, ApnsConfig).
    package static let appleDefaultSeconds: Int64 = 2_592_000

    func end(from now: DeliveryMoment) -> DeliveryMoment? {
        switch self {
        case .nowOrNever: nil
        case .seconds(let seconds): now.advanced(bySeconds: seconds)
        case .until(let moment): moment
        }
    }
}

package struct DataEntry: Hashable, Sendable {
    package let key: String
    package let value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// What the app on one platform gets of a message, after the overrides.
package struct MessageContent: Hashable, Sendable {
    /// Whether there is something that the system shows while the app is in the background.
    package var hasNotification = false
    package var title: String?
    package var body: String?
    /// Sorted by key.
    package var data: [DataEntry] = []
    package var tag: String?
    package var clickAction: String?
    package var category: String?
    package var link: String?
    /// The address of a picture.
    package var image: String?
    /// What the sender counts it under.
    package var analyticsLabel: String?
    /// As it was written.
    package var collapseKey: String?
    /// Whether the app's package is its collapse key, whatever was written.
    package var collapsesByPackage = false
    package var priority: String?
    /// As it was written: a duration, `apns-expiration` or the web `TTL` header.
    package var timeToLive: String?
    package var life = MessageLife.seconds(MessageLife.longestSeconds)
    /// UTF-8 bytes of the keys and values of notification and data.
    package var payloadBytes = 0
    /// Whether the message has nothing for this platform: settings such as a priority or a life
    /// are not content.
    package var isEmpty = true

    package init() {}
}

/// A class because one message lies in the inbox of every subscriber: they share it.
package final class SharedContent: Sendable {
    package let content: MessageContent

    package init(_ content: MessageContent) {
        self.content = content
    }
}
