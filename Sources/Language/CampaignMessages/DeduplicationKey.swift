package import CampaignModel
import Crypto

/// With which a repeated message replaces itself on a screen instead of standing there twice.
///
/// The first 16 hexadecimal digits of the SHA-256 of the occurrence as every command writes it,
/// such as `spring-tide/once/1`: no secret, so that others can work it out.
package struct DeduplicationKey: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(of occurrence: OccurrenceID) {
        let bytes = SHA256.hash(data: Array(occurrence.description.utf8)).prefix(8)
        let digits = bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }
        text = String(decoding: digits, as: UTF8.self)
    }

    /// As the state keeps it.
    package init(stored text: String) {
        self.text = text
    }

    /// What stands in place of a key where the occurrence is not known; it is as long.
    static let placeholder = "<16 digits each>"

    package var description: String { text }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension Platform {
    /// The field by which a newer message replaces one that is shown.
    ///
    /// On Android and the web it is the notification's tag, on Apple platforms the collapse
    /// identifier (Firebase reference, AndroidNotification; WHATWG, Notifications API, tag; Apple
    /// documentation, Sending notification requests to APNs).
    package var replacementPath: [String] {
        switch self {
        case .android: ["android", "notification", "tag"]
        case .apple: ["apns", "headers", "apns-collapse-id"]
        case .web: ["webpush", "notification", "tag"]
        }
    }
}
