/// The name of a topic as it stands in a message: without `/topics/`.
package struct TopicName: Hashable, Sendable {
    package private(set) var text: String

    /// Nil where the name does not match `[a-zA-Z0-9-_.~%]{1,900}` (Firebase documentation,
    /// REST resource projects.registrations.topicSubscriptions).
    package init?(_ text: String) {
        guard (1...900).contains(text.utf8.count), text.consists(of: .ofTopics)
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
            text.consists(of: .ofRegistrations)
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

extension String {
    /// Whether every byte is one of a set; characters beyond ASCII are in none.
    fileprivate func consists(of characters: ASCIICharacters) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(characters.contains) }
            ?? utf8.allSatisfy(characters.contains)
    }
}

/// A set of ASCII characters: a look-up is a shift.
private struct ASCIICharacters {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Letters, digits, and these.
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
