import CampaignModel
import Diagnostics
import Text

/// The APNs headers (Apple documentation, Sending notification requests to APNs).
extension TextDomain {
    /// UNIX seconds of up to 11 digits, to the year 5138; larger numbers are milliseconds.
    static let epochSeconds = TextDomain(
        .invalidHeader,
        expected: "a UNIX time in seconds, or `0` for now or never",
        help: "write `delivery.ttl` to compute it when the message is sent",
        form: TextForm(pattern: "[0-9]{1,11}", lookalikes: .integers(0...99_999_999_999))
    ) { (1...11).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) }

    /// Counted in bytes; a regular expression can count only characters.
    static let collapseID = TextDomain(
        .collapseIDTooLong,
        expected: "1 to 64 bytes",
        help: "APNs refuses longer ones",
        form: TextForm(pattern: "[\\s\\S]+", maximumLength: 64, lookalikes: .everything)
    ) { (1...64).contains($0.utf8.count) }

    static let uuid = TextDomain(
        .invalidHeader,
        expected: "a UUID such as `123e4567-e89b-12d3-a456-426655440000`",
        form: TextForm(pattern: "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
    ) { text in
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.utf8.allSatisfy(\.isASCIIHexDigit) }
    }

    static let bundleID = TextDomain(
        .invalidHeader,
        expected: "an app's bundle ID such as `com.example.App`",
        help: "use a-z A-Z 0-9 - and dots in between, with a suffix for some push types",
        form: TextForm(pattern: "[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)*", lookalikes: .everything)
    ) { text in
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { segment in
            !segment.isEmpty
                && segment.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: "-") }
        }
    }
}

/// The headers of web push (RFC 8030, sections 5.2 to 5.4).
extension TextDomain {
    static let webTimeToLive = TextDomain(
        .ttlOutOfRange,
        expected: "a number of seconds such as `86400`",
        help: "FCM keeps a message from 0 to 2419200 seconds (28 days)",
        form: TextForm(
            pattern: "0*([0-9]{1,6}|1[0-9]{6}|2[0-3][0-9]{5}|240[0-9]{4}|241[0-8][0-9]{3}"
                + "|2419[01][0-9]{2}|2419200)",
            lookalikes: .integers(0...TimeToLive.maximumSeconds)
        )
    ) { text in
        text.utf8.allSatisfy(\.isASCIIDigit)
            && (Int64(text).map { $0 <= TimeToLive.maximumSeconds } ?? false)
    }

    static let webTopic = TextDomain(
        .webTopicSyntax,
        expected: "1 to 32 of a-z A-Z 0-9 - _",
        form: TextForm(
            pattern: "[A-Za-z0-9_-]{1,\(CollapseKey.maximumLength)}",
            lookalikes: .whole
        )
    ) { CollapseKey($0) != nil }
}
