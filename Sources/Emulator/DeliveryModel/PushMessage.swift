package import JSON

/// A message as sent: the common fields and the block of each platform.
package struct PushMessage: Sendable {
    /// The FCM `Notification`; empty if the message has none.
    package var notification: JSONObject = [:]
    package var data = DataEntries()
    /// The analytics label for all platforms whose block has none.
    package var label: String?
    package var android: AndroidBlock?
    package var apns: ApnsBlock?
    package var webpush: WebpushBlock?

    package init() {}
}

/// `android` or `android_v2` of a message.
package struct AndroidBlock: Sendable {
    /// The kind of Android message.
    ///
    /// `android_v2` is either a remote notification, which a collapse key may replace, or a
    /// background sync, which shows no notification (Firebase documentation, Migrate to
    /// AndroidConfigV2).
    package enum Kind: Hashable, Sendable {
        case version1
        case remoteNotification
        case backgroundSync
    }

    package var kind = Kind.version1
    package var collapseKey: String?
    package var priority: String?
    package var timeToLive: DurationText?
    /// Replaces the common data; nil keeps the common data.
    package var data: DataEntries?
    package var notification: JSONObject = [:]
    /// The only package that the message addresses, or nil for all packages.
    package var packageName: String?
    package var label: String?

    package init() {}
}

package struct ApnsBlock: Sendable {
    /// APNs request headers, by lower-case name.
    package var headers = HeaderFields()
    /// `aps` and the app's own keys.
    package var payload: JSONObject = [:]
    package var label: String?
    /// The image in `fcm_options`.
    package var image: String?

    package init() {}

    var aps: JSONObject { payload["aps"]?.objectValue ?? [:] }

    /// The alert; a string counts as its body.
    var alert: JSONObject {
        switch aps["alert"] {
        case .string(let text)?: ["body": .string(text)]
        case .object(let object)?: object
        default: [:]
        }
    }
}

package struct WebpushBlock: Sendable {
    /// Headers of RFC 8030, by lower-case name.
    package var headers = HeaderFields()
    /// Replaces the common data; nil keeps the common data.
    package var data: DataEntries?
    package var notification: JSONObject = [:]
    package var link: String?
    package var label: String?

    package init() {}
}

/// A duration in the protobuf JSON form, such as `"3.5s"`.
package struct DurationText: Hashable, Sendable {
    package let text: String
    /// Rounded down.
    package let wholeSeconds: Int64

    /// Returns nil unless the text is digits, at most nine decimals and a final `s`.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        guard rest.popLast() == UInt8(ascii: "s") else { return nil }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let point = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
        guard let seconds = Self.digits(rest[..<point], upTo: 12) else { return nil }
        var hasFraction = false
        if point < rest.endIndex {
            guard let fraction = Self.digits(rest[point...].dropFirst(), upTo: 9) else {
                return nil
            }
            hasFraction = fraction > 0
        }
        self.text = text
        wholeSeconds = isNegative ? -seconds - (hasFraction ? 1 : 0) : seconds
    }

    private static func digits(_ text: Substring.UTF8View, upTo limit: Int) -> Int64? {
        var number: Int64 = 0
        var count = 0
        for byte in text {
            guard byte.isDigit, count < limit else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            count += 1
        }
        return count == 0 ? nil : number
    }
}
