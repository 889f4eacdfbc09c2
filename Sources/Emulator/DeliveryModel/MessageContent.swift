/// How long a message waits for an offline device.
package enum MessageLife: Hashable, Sendable {
    /// One attempt; the message is never stored.
    case nowOrNever
    case seconds(Int64)
    case until(DeliveryMoment)

    /// The maximum and the default: four weeks (Firebase documentation, Set the lifespan of a
    /// message).
    package static let longestSeconds: Int64 = 2_419_200
    /// The value that FCM sets as `apns-expiration`: 30 days (Firebase documentation, REST resource
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

/// The content of a message for the app on one platform, after the overrides.
package struct MessageContent: Hashable, Sendable {
    /// Whether the system shows a notification while the app is in the background.
    package var hasNotification = false
    package var title: String?
    package var body: String?
    /// Sorted by key.
    package var data: [DataEntry] = []
    package var tag: String?
    package var clickAction: String?
    package var category: String?
    package var link: String?
    /// The URL of an image.
    package var image: String?
    /// The sender's analytics label.
    package var analyticsLabel: String?
    /// The collapse key as written.
    package var collapseKey: String?
    /// Whether the app's package is the collapse key, regardless of the written key.
    package var collapsesByPackage = false
    package var priority: String?
    /// The value as written: a duration, `apns-expiration` or the web `TTL` header.
    package var timeToLive: String?
    /// The presentation of the notification.
    package var look = NotificationLook()
    /// The target and the number of the request that sent the message.
    package var origin = MessageOrigin()
    package var life = MessageLife.seconds(MessageLife.longestSeconds)
    /// Number of UTF-8 bytes of the keys and values of notification and data.
    package var payloadBytes = 0
    /// Whether the message has no content for this platform; settings such as a priority or a
    /// lifetime are not content.
    package var isEmpty = true

    package init() {}
}

/// Content shared by the inboxes of all recipients, hence a class.
package final class SharedContent: Sendable {
    package let content: MessageContent

    package init(_ content: MessageContent) {
        self.content = content
    }
}
