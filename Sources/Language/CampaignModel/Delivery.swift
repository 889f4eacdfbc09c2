import Text

/// The delivery settings, which are written into each platform's fields when a message is composed.
package struct Delivery: Hashable, Sendable {
    package enum Priority: String, Hashable, Sendable, CaseIterable {
        case normal
        case high
    }

    package let timeToLive: TimeToLive?
    /// A fixed end of the message's lifetime, instead of a duration.
    package let expires: ScheduledMoment?
    package let priority: Priority?
    package let collapse: CollapseKey?

    package init(
        timeToLive: TimeToLive?,
        expires: ScheduledMoment? = nil,
        priority: Priority?,
        collapse: CollapseKey?
    ) {
        self.timeToLive = timeToLive
        self.expires = expires
        self.priority = priority
        self.collapse = collapse
    }

    package static let unspecified = Delivery(timeToLive: nil, priority: nil, collapse: nil)
}

/// The name under which a newer message replaces an older one that is still waiting.
///
/// It must work on all platforms: 1 to 32 characters of the URL-safe base64 alphabet, which is the
/// limit of the web (RFC 8030, section 5.4); APNs allows 64 bytes.
package struct CollapseKey: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let maximumLength = 32

    package init?(_ text: String) {
        let isKey =
            (1...Self.maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
        guard isKey else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// A platform that has its own block in an FCM message.
package enum Platform: String, CaseIterable, Hashable, Sendable {
    case android
    case apple
    case web
}
