package import CampaignModel
import JSON

/// The payload size of a message on one platform.
///
/// It counts the UTF-8 bytes of the keys and values of notification and data, as the platform
/// receives them. The Firebase console's limit of 1,024 characters does not apply here, because
/// Herald does not use the console.
package struct PayloadSize: Hashable, Sendable {
    package struct Weight: Hashable, Sendable {
        package let field: EffectiveMessage.Field
        package let bytes: Int
    }

    package let platform: Platform
    package let bytes: Int
    /// The size of each field, largest first; equal sizes keep their order.
    package let weights: [Weight]

    /// FCM refuses larger payloads to any target (Firebase reference, ErrorCode, INVALID_ARGUMENT).
    package static let maximum = 4_096
    /// The limit of both kinds of messages (Firebase documentation, About FCM messages).
    package static let documentedMaximum = 4_000
    /// The limit for topics and conditions (Firebase reference, ErrorCode, INVALID_ARGUMENT).
    package static let maximumToTopic = 2_048

    package init(of message: EffectiveMessage) {
        let weights = Self.content(of: message).map { field in
            let sealed = message.sealedSize?.bytes(of: field.path)
            return Weight(
                field: field,
                bytes: sealed.map { $0 + (field.path.last?.utf8.count ?? 0) } ?? field.bytes
            )
        }
        platform = message.platform
        bytes = weights.reduce(0) { $0 + $1.bytes }
        self.weights = weights.enumerated()
            .sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }
            .map(\.element)
    }

    /// The fields of the notification and the data.
    static func content(of message: EffectiveMessage) -> [EffectiveMessage.Field] {
        message.fields.filter(\.isContent)
    }

    /// The size on the platform with the largest payload; the first of equal ones.
    package init?(heaviestOf campaign: Campaign) {
        let lowering = DeliveryLowering(campaign)
        let sizes = Platform.allCases.map {
            PayloadSize(of: EffectiveMessage(lowering, on: $0))
        }
        guard let size = sizes.max(by: { $0.bytes < $1.bytes }) else { return nil }
        self = size
    }

    /// The maximum size for this audience, unless the author allows more.
    package static func limit(to target: AudienceTarget) -> Int {
        target.reachesSubscribers ? maximumToTopic : documentedMaximum
    }
}

extension EffectiveMessage.Field {
    /// Whether it is part of the notification or data; all other fields only control delivery.
    fileprivate var isContent: Bool {
        switch path.first {
        case "notification", "data": true
        default: path.count > 2 && ["notification", "payload"].contains(path[1])
        }
    }

    fileprivate var bytes: Int { (path.last?.utf8.count ?? 0) + value.payloadBytes }
}

extension JSONObject {
    /// The UTF-8 bytes of keys and values, without punctuation.
    fileprivate var payloadBytes: Int {
        members.reduce(0) { $0 + $1.key.utf8.count + $1.value.payloadBytes }
    }
}

extension JSONValue {
    /// The UTF-8 bytes of keys and values, without punctuation.
    fileprivate var payloadBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.payloadBytes }
        case .object(let object): object.payloadBytes
        case .null, .bool, .integer, .number: compactBytes.count
        }
    }
}
