/// The name of a topic as written in a message, without `/topics/`.
package struct TopicName: Hashable, Sendable {
    package private(set) var text: String

    /// Returns nil if the name does not match `[a-zA-Z0-9-_.~%]{1,900}` (Firebase documentation,
    /// REST resource projects.registrations.topicSubscriptions).
    package init?(_ text: String) {
        guard (1...900).contains(text.utf8.count), text.consists(of: .ofTopics)
        else { return nil }
        self.text = text
    }

    /// Parses a name as Instance ID accepts it: it may start with `private/` (the checks of the
    /// Admin SDKs for Node.js, Go and Java).
    package init?(instanceID text: String) {
        let isPrivate = text.hasPrefix("private/")
        self.init(isPrivate ? String(text.dropFirst("private/".count)) : text)
        if isPrivate { self.text = text }
    }
}

/// The address of an app instance.
///
/// It is a secret in a real project, so its description is redacted.
package struct DeviceRegistration: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Returns nil if no registration can have this form: empty, over 4096 characters, or with a
    /// character outside `[A-Za-z0-9:_.-]`.
    package init?(_ text: String) {
        guard (1...4_096).contains(text.utf8.count),
            text.consists(of: .ofRegistrations)
        else { return nil }
        self.text = text
    }

    package var description: String { "<redacted>" }
}

/// The last component of an accepted message's name.
package struct MessageID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension String {
    /// Returns whether every byte is in the set; non-ASCII characters never are.
    fileprivate func consists(of characters: ASCIICharacters) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(characters.contains) }
            ?? utf8.allSatisfy(characters.contains)
    }
}

/// A set of ASCII characters, stored as a bitmap.
private struct ASCIICharacters {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set of all ASCII letters, all digits, and `others`.
    init(lettersDigitsAnd others: String) {
        let all =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + others
        for byte in all.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in all.utf8 where byte >= 64 { high |= 1 << UInt64(byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }

    static let ofTopics = ASCIICharacters(lettersDigitsAnd: "-_.~%")
    static let ofRegistrations = ASCIICharacters(lettersDigitsAnd: ":_.-")
}
