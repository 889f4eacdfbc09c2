import Text

/// A topic by its bare name, as FCM receives it.
package struct Topic: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let name: String

    /// - Parameter text: 1 to 900 of `[a-zA-Z0-9-_.~%]` (Firebase reference, REST resource
    ///   `projects.registrations.topicSubscriptions`); a leading `/topics/` is dropped.
    package init?(_ text: some StringProtocol) {
        let bare = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        let isName =
            (1...Self.maximumLength).contains(bare.utf8.count)
            && bare.utf8.allSatisfy(Self.isNameByte)
        guard isName else { return nil }
        name = String(bare)
    }

    package static let prefix = "/topics/"
    package static let maximumLength = 900

    package var description: String { name }

    package static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
            UInt8(ascii: "%"):
            true
        default: byte.isASCIILetterOrDigit
        }
    }

    package static func < (left: Topic, right: Topic) -> Bool { left.name < right.name }
}

/// A project's description of one of its topics.
package struct TopicDescription: Hashable, Sendable {
    package let about: String?
    /// The declared number of subscribed app instances.
    package let reach: Int?
    /// Whether it may be addressed from any environment.
    package let isTest: Bool

    package init(about: String?, reach: Int?, isTest: Bool = false) {
        self.about = about
        self.reach = reach
        self.isTest = isTest
    }
}
