package import CampaignModel
import FCMWire

/// What a message weighs on one platform: the UTF-8 bytes of the keys and values of its
/// notification and data, as that platform gets them.
package struct PayloadSize: Hashable, Sendable {
    package let platform: Platform
    package let bytes: Int
    /// The field that weighs most, such as `data.body`.
    package let heaviestField: [String]

    /// FCM's older guide and Herald's error: above this a message is refused.
    package static let maximum = 4_000
    /// For topics and conditions (Firebase reference, ErrorCode, INVALID_ARGUMENT).
    package static let maximumToTopic = 2_048

    package init(of content: MessageContent, on platform: Platform) {
        var weights: [(path: [String], bytes: Int)] = []
        for path in Self.parts(of: content, on: platform) {
            guard let value = content.value(at: path) else { continue }
            Self.weigh(value, at: path, into: &weights)
        }
        self.platform = platform
        bytes = weights.reduce(0) { $0 + $1.bytes }
        heaviestField = weights.max { $0.bytes < $1.bytes }?.path ?? []
    }

    /// A platform's notification fields override the common ones; its data replaces the common
    /// data, except on Apple platforms.
    private static func parts(of content: MessageContent, on platform: Platform) -> [[String]] {
        let own: (notification: [String], data: [String]) =
            switch platform {
            case .android: (["android", "notification"], ["android", "data"])
            case .web: (["webpush", "notification"], ["webpush", "data"])
            case .apple: (["apns", "payload"], ["data"])
            }
        let common = content.value(at: ["notification"])?.objectValue?.members ?? []
        let kept = common.filter { content.value(at: own.notification + [$0.key]) == nil }
        let data = content.value(at: own.data) == nil ? ["data"] : own.data
        return kept.map { ["notification", $0.key] } + [own.notification, data]
    }

    private static func weigh(
        _ value: JSONValue,
        at path: [String],
        into weights: inout [(path: [String], bytes: Int)]
    ) {
        switch value {
        case .object(let object):
            for member in object.members {
                weigh(member.value, at: path + [member.key], into: &weights)
            }
        case .array(let elements):
            for element in elements { weigh(element, at: path, into: &weights) }
        case .string(let text): weights.append((path, keyBytes(path) + text.utf8.count))
        case .null, .bool, .integer, .number:
            weights.append((path, keyBytes(path) + value.compactBytes.count))
        }
    }

    private static func keyBytes(_ path: [String]) -> Int { path.last?.utf8.count ?? 0 }
}
