package import Time

/// What an approval is about.
package struct ApprovalSubject: Hashable, Sendable {
    /// The plan, as `HASH@SERIAL`.
    package let digest: String
    package let lineage: String
    package let environment: String

    package init(digest: String, lineage: String, environment: String) {
        self.digest = digest
        self.lineage = lineage
        self.environment = environment
    }
}

/// The text that a signer signs: a plan, the signer, and when the approval ends.
///
/// A signature has no time of its own.
package struct ApprovalStatement: Hashable, Sendable {
    package let subject: ApprovalSubject
    package let principal: String
    package let expires: Instant

    package init(subject: ApprovalSubject, principal: String, expires: Instant) {
        self.subject = subject
        self.principal = principal
        self.expires = expires
    }

    /// The namespace of the signature.
    package static let namespace = "herald"
    static let format = "1"
    private static let keys = [
        "herald-approval", "digest", "lineage", "environment", "principal", "expires",
    ]
    static var lineCount: Int { keys.count }

    /// The signed text: one line per value, each with a line feed.
    package var text: String {
        let values = [
            Self.format, subject.digest, subject.lineage, subject.environment, principal,
            expires.utcText,
        ]
        return zip(Self.keys, values).map { "\($0) \($1)\n" }.joined()
    }

    /// Reads the lines of the text; nil if it is in another format.
    ///
    /// A statement that is not written exactly like `text` is none, because its signature would be
    /// of another text.
    init?(lines: some Sequence<String>) {
        let lines = Array(lines)
        guard lines.count == Self.keys.count else { return nil }
        var values: [String] = []
        for (key, line) in zip(Self.keys, lines) {
            guard line.hasPrefix(key + " ") else { return nil }
            values.append(String(line.dropFirst(key.count + 1)))
        }
        guard values[0] == Self.format, let expires = Instant(rfc3339: values[5]) else {
            return nil
        }
        let subject = ApprovalSubject(
            digest: values[1],
            lineage: values[2],
            environment: values[3]
        )
        self.init(subject: subject, principal: values[4], expires: expires)
        guard text == lines.map({ $0 + "\n" }).joined() else { return nil }
    }
}
