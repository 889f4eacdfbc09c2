package import CampaignModel
import FCMWire
package import JSON

/// The fields of a campaign's message for one platform, each with its origin.
///
/// A field that overrides a common field takes its place, and blocks of other platforms are
/// removed. The result is a v1 `Message` with the same meaning for this platform (Firebase
/// documentation, Customize a message across platforms).
package struct EffectiveMessage: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        /// The path in the effective message, such as `notification.title`.
        package let path: [String]
        /// Free content below a key of the payload or the web notification is one value.
        package let value: JSONValue
        package let origin: FieldOrigin
    }

    package let platform: Platform
    package let kind: MessageKind
    /// The notification, the data, the platform's block and the common options, in this order.
    package let fields: [Field]
    /// The sizes of the encrypted part; nil if the message is sent in the clear.
    let sealedSize: SealedSize?

    package init(_ lowering: DeliveryLowering, on platform: Platform) {
        let message = lowering.template.preview.message
        self.platform = platform
        sealedSize = lowering.sealedSize
        kind = MessageContent(fields: message).kind(on: platform)
        fields = Overrides(
            platform: platform,
            written: lowering.written,
            isKeyed: lowering.keyed.contains(platform)
        ).fields(of: message)
    }

    /// For a message of unknown origin: the author is the origin of every field.
    package init(of message: JSONObject, on platform: Platform) {
        self.platform = platform
        sealedSize = nil
        kind = MessageContent(fields: message).kind(on: platform)
        fields = Overrides(platform: platform, written: [:], isKeyed: false).fields(of: message)
    }

    /// The v1 `Message`, without its target, with the same meaning for this platform only.
    package var message: JSONObject {
        fields.reduce(JSONObject()) { $0.setting($1.value, at: $1.path) }
    }
}

/// The origin of a field.
package enum FieldOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The author, at this path in `message`.
    case message([String])
    case delivery(DeliveryLowering.Intent)
    /// Herald, to recognize the occurrence.
    case occurrence

    package var description: String {
        switch self {
        case .occurrence: "the occurrence"
        case .message(let path): path.joined(separator: ".")
        case .delivery(let intent): "delivery.\(intent.rawValue)"
        }
    }
}

extension Platform {
    /// The name of its block in a v1 `Message`.
    package var block: String {
        switch self {
        case .android: "android"
        case .apple: "apns"
        case .web: "webpush"
        }
    }
}

/// How a platform's block overrides the common fields (Firebase reference, REST resource
/// `projects.messages`).
private struct Overrides {
    let platform: Platform
    let written: [[String]: DeliveryLowering.Intent]
    let isKeyed: Bool

    func fields(of message: JSONObject) -> [EffectiveMessage.Field] {
        let leaves = message.leaves()
        let replacesData = JSONValue.object(message)[platform.block]?["data"] != nil
        let common = Self.common.subtracting(replacesData ? ["data"] : [])
        var fields = leaves.filter { $0.path.first.map(common.contains) ?? false }
            .map { field($0, at: $0.path) }
        for leaf in leaves where leaf.path.first == platform.block {
            let field = field(leaf, at: place(of: leaf.path))
            // No other field is overridden: `data` is replaced as a whole.
            let mayOverride = ["notification", "fcm_options"].contains(field.path.first)
            if mayOverride, let index = fields.firstIndex(where: { $0.path == field.path }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }
        let order = ["notification", "data", platform.block, "fcm_options"]
        return order.flatMap { name in fields.filter { $0.path.first == name } }
    }

    private func field(_ leaf: JSONObject.Leaf, at path: [String]) -> EffectiveMessage.Field {
        EffectiveMessage.Field(
            path: path,
            value: leaf.value,
            origin: origin(of: leaf.path)
        )
    }

    private func origin(of path: [String]) -> FieldOrigin {
        if isKeyed, path == platform.replacementPath { return .occurrence }
        return written[path].map(FieldOrigin.delivery) ?? .message(path)
    }

    /// Returns the path of the common field that a field of the platform's block overrides.
    ///
    /// If there is none, it returns the field's own path.
    private func place(of path: [String]) -> [String] {
        let inside = Array(path.dropFirst())
        if inside.first == "data" { return inside }
        return Self.places[platform]?[inside] ?? path
    }

    private static let common: Set = ["notification", "data", "fcm_options"]

    private static let places: [Platform: [[String]: [String]]] = [
        .android: notification.merging(label) { $1 },
        .web: notification.merging(label) { $1 },
        .apple: [
            // An alert that is a text is the body (Apple documentation, Generating a remote
            // notification).
            ["payload", "aps", "alert"]: ["notification", "body"],
            ["payload", "aps", "alert", "title"]: ["notification", "title"],
            ["payload", "aps", "alert", "body"]: ["notification", "body"],
            ["fcm_options", "image"]: ["notification", "image"],
        ].merging(label) { $1 },
    ]

    private static let notification = Dictionary(
        uniqueKeysWithValues: ["title", "body", "image"].map {
            (["notification", $0], ["notification", $0])
        }
    )

    private static let label = [
        ["fcm_options", "analytics_label"]: ["fcm_options", "analytics_label"]
    ]
}

extension JSONObject {
    fileprivate typealias Leaf = (path: [String], value: JSONValue)

    /// The fields of a v1 `Message`, each with its path; an empty block has none.
    fileprivate func leaves(at path: [String] = []) -> [Leaf] {
        members.flatMap { member -> [Leaf] in
            let inner = path + [member.key]
            guard Self.blocks.contains(inner), let object = member.value.objectValue else {
                return [(inner, member.value)]
            }
            return object.leaves(at: inner)
        }
    }

    /// The objects of a v1 `Message` whose members are fields.
    private static let blocks: Set<[String]> = [
        ["notification"], ["data"], ["fcm_options"],
        ["android"], ["android", "notification"], ["android", "data"], ["android", "fcm_options"],
        ["apns"], ["apns", "headers"], ["apns", "payload"], ["apns", "payload", "aps"],
        ["apns", "payload", "aps", "alert"], ["apns", "fcm_options"],
        ["webpush"], ["webpush", "headers"], ["webpush", "notification"], ["webpush", "data"],
        ["webpush", "fcm_options"],
    ]
}
