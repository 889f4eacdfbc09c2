package import CampaignModel
import Crypto
import Text

/// A key with which a repeated message replaces the shown one instead of appearing twice.
///
/// It is the first 16 hexadecimal digits of the SHA-256 of the occurrence as commands print it,
/// such as `spring-tide/once/1`. It contains no secret, so that other programs can compute it.
package struct DeduplicationKey: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(of occurrence: OccurrenceID) {
        let bytes = SHA256.hash(data: Array(occurrence.description.utf8)).prefix(8)
        text = Hexadecimal.text(of: bytes)
    }

    /// The key in its stored form.
    package init(stored text: String) {
        self.text = text
    }

    /// Replaces a key of the same length if the occurrence is not known.
    static let placeholder = "<16 digits each>"

    /// In a preview, the key of an occurrence that is not known.
    package static let unknown = DeduplicationKey(stored: placeholder)

    package var description: String { text }
}

extension Platform {
    /// The field by which a newer message replaces a shown one.
    ///
    /// On Android and the web, it is the notification's tag; on Apple platforms, the collapse
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
