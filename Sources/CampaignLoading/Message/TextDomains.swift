import CampaignModel
import Diagnostics

extension TextDomain {
    static func oneOf(_ values: [String]) -> TextDomain {
        TextDomain(rule: .invalidHeader, expected: values.oneOf, help: nil) { values.contains($0) }
    }

    /// A protobuf duration such as `86400s` or `3.5s`, within FCM's time to live.
    static let wireDuration = TextDomain(
        rule: .ttlOutOfRange,
        expected: "a time to live such as `86400s`",
        help: "FCM keeps a message from 0s to 2419200s (28 days), with at most 9 decimals"
    ) { text in
        guard text.hasSuffix("s") else { return false }
        let parts = text.dropLast().split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
        guard areDigits, let seconds = parts.first.flatMap({ Int64($0) }) else { return false }
        let fraction = parts.dropFirst().first ?? "0"
        let isWhole = fraction.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
        return fraction.utf8.count <= 9
            && (seconds < TimeToLive.maximumSeconds
                || seconds == TimeToLive.maximumSeconds && isWhole)
    }

    static let webTimeToLive = TextDomain(
        rule: .ttlOutOfRange,
        expected: "a number of seconds such as `86400`",
        help: "FCM keeps a message from 0 to 2419200 seconds (28 days)"
    ) { text in
        text.utf8.allSatisfy(isDigit)
            && (Int64(text).map { $0 <= TimeToLive.maximumSeconds } ?? false)
    }

    static let epochSeconds = TextDomain(
        rule: .invalidHeader,
        expected: "a UNIX time in seconds, or `0` for now or never",
        help: "write `delivery.ttl` to have it computed at the moment of sending"
    ) { text in
        !text.isEmpty && text.utf8.allSatisfy(isDigit) && Int64(text) != nil
    }

    static let collapseID = TextDomain(
        rule: .collapseIDTooLong,
        expected: "1 to 64 bytes",
        help: "APNs refuses longer ones"
    ) { (1...64).contains($0.utf8.count) }

    static let webTopic = TextDomain(
        rule: .webTopicSyntax,
        expected: "1 to 32 of a-z A-Z 0-9 - _",
        help: nil
    ) { CollapseKey($0) != nil }

    static let analyticsLabel = TextDomain(
        rule: .invalidName,
        expected: "1 to 50 of a-z A-Z 0-9 - _ . ~ %",
        help: nil
    ) { (1...50).contains($0.utf8.count) && $0.utf8.allSatisfy(Topic.isNameByte) }

    static let secureLink = TextDomain(
        rule: .invalidURL,
        expected: "an `https://` address",
        help: nil
    ) { $0.hasPrefix("https://") && $0.utf8.count > "https://".utf8.count }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
