import CampaignModel
import Diagnostics
import Text

/// Texts that FCM itself interprets (Firebase reference, REST resource projects.messages).
extension TextDomain {
    /// Whole seconds from 0 to 2,419,199.
    private static let secondsBelowMaximum =
        "0*([0-9]{1,6}|1[0-9]{6}|2[0-3][0-9]{5}|240[0-9]{4}|241[0-8][0-9]{3}|2419[01][0-9]{2})"

    /// A protobuf duration such as `86400s` or `3.5s`, within FCM's time to live.
    static let wireTimeToLive = TextDomain(
        .ttlOutOfRange,
        expected: "a time to live such as `86400s`",
        help: "FCM keeps a message from 0s to 2419200s (28 days), with at most 9 decimals",
        form: TextForm(
            pattern: "\(secondsBelowMaximum)(\\.[0-9]{1,9})?s|0*2419200(\\.0{1,9})?s"
        )
    ) { text in
        guard let (seconds, fraction) = durationParts(text), let seconds = Int64(seconds) else {
            return false
        }
        let isWhole = fraction.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
        return seconds < TimeToLive.maximumSeconds
            || seconds == TimeToLive.maximumSeconds && isWhole
    }

    /// A protobuf duration; protobuf's maximum has 12 digits.
    static let wireDuration = TextDomain(
        .durationSyntax,
        expected: "a number of seconds such as `3.5s`",
        help: "write seconds with an `s`, and at most 9 decimals",
        form: TextForm(pattern: "[0-9]{1,11}(\\.[0-9]{1,9})?s")
    ) { text in
        durationParts(text).map { (1...11).contains($0.seconds.utf8.count) } ?? false
    }

    private static func durationParts(
        _ text: String
    ) -> (seconds: Substring, fraction: Substring)? {
        guard text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        let fraction = parts.count > 1 ? parts[1] : "0"
        guard areDigits, fraction.utf8.count <= 9 else { return nil }
        return (parts[0], fraction)
    }

    /// The form that FCM's SDKs accept.
    static let colour = TextDomain(
        .invalidColour,
        expected: "a colour such as \"#1f6feb\"",
        help: "write \"#rrggbb\" in quotation marks: without them `#` begins a comment",
        form: TextForm(pattern: "#[0-9a-fA-F]{6}")
    ) { text in
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
            && text.utf8.dropFirst().allSatisfy(\.isASCIIHexDigit)
    }

    /// Android documentation, Set the application ID.
    static let packageName = TextDomain(
        .invalidName,
        expected: "an app's package name such as `com.example.app`",
        help: "use at least two segments of a-z A-Z 0-9 _ with dots between, each starting with a "
            + "letter",
        form: TextForm(pattern: "[a-zA-Z][a-zA-Z0-9_]*(\\.[a-zA-Z][a-zA-Z0-9_]*)+")
    ) { text in
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        return segments.count > 1
            && segments.allSatisfy { segment in
                segment.utf8.first.map(\.isASCIILetter) ?? false
                    && segment.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: "_") }
            }
    }

    static let analyticsLabel = TextDomain(
        .invalidName,
        expected: "1 to 50 of a-z A-Z 0-9 - _ . ~ %",
        form: TextForm(pattern: "[a-zA-Z0-9_.~%-]{1,50}", lookalikes: .everything)
    ) { (1...50).contains($0.utf8.count) && $0.utf8.allSatisfy(Topic.isNameByte) }

    static let imageLink = TextDomain(
        .invalidURL,
        expected: "an `http://` or `https://` address",
        form: TextForm(pattern: "https?://[^\\u0000-\\u0020]+")
    ) { isAddress($0, in: ["https://", "http://"]) }

    static let secureLink = TextDomain(
        .invalidURL,
        expected: "an `https://` address",
        form: TextForm(pattern: "https://[^\\u0000-\\u0020]+")
    ) { isAddress($0, in: ["https://"]) }

    private static func isAddress(_ text: String, in schemes: [String]) -> Bool {
        guard let scheme = schemes.first(where: text.hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count).unicodeScalars
        return !rest.isEmpty && rest.allSatisfy { $0.value > 0x20 }
    }

    /// The app sends it to its server, so it is a secret like a registration.
    static let liveActivityToken = TextDomain(
        .invalidRegistration,
        expected: "a Live Activity's push token",
        help: "1 to \(Registration.maximumLength) printable ASCII characters without spaces",
        form: TextForm(
            pattern: "[!-~]{1,\(Registration.maximumLength)}",
            lookalikes: .everything
        ),
        isSecret: true
    ) { text in
        (1...Registration.maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

// MARK: - Letters and digits

extension TextDomain {
    static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit }
}
