/// The name of a topic as it stands in a message: without `/topics/`.
package struct TopicName: Hashable, Sendable {
    package private(set) var text: String

    /// Nil where the name does not match `[a-zA-Z0-9-_.~%]{1,900}` (Firebase documentation,
    /// REST resource projects.registrations.topicSubscriptions).
    package init?(_ text: String) {
        guard (1...900).contains(text.utf8.count), text.utf8.allSatisfy(\.isTopicCharacter)
        else { return nil }
        self.text = text
    }

    /// A name as Instance ID takes it: it may begin with `private/` (the checks of the Admin SDKs
    /// for Node.js, Go and Java).
    package init?(instanceID text: String) {
        let isPrivate = text.hasPrefix("private/")
        self.init(isPrivate ? String(text.dropFirst("private/".count)) : text)
        if isPrivate { self.text = text }
    }
}

/// What an app instance is addressed by.
///
/// A secret in a real project: it does not print itself.
package struct DeviceRegistration: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Nil where no registration can look like this: empty, over 4096 characters, or with a
    /// character outside `[A-Za-z0-9:_.-]`.
    package init?(_ text: String) {
        guard (1...4_096).contains(text.utf8.count),
            text.utf8.allSatisfy(\.isRegistrationCharacter)
        else { return nil }
        self.text = text
    }

    package var description: String { "<redacted>" }
}

/// The last part of the name under which a message was accepted.
package struct MessageID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension UInt8 {
    private var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    fileprivate var isTopicCharacter: Bool {
        isLetterOrDigit || "-_.~%".utf8.contains(self)
    }

    fileprivate var isRegistrationCharacter: Bool {
        isLetterOrDigit || ":_.-".utf8.contains(self)
    }
}
