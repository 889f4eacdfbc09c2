/// The fields that an object of a request may have, in both JSON spellings.
///
/// A class, because every request traverses the shapes and references are cheap to pass.
package final class MessageShape: Sendable {
    package let typeName: String
    /// In the order of the public reference.
    package let fields: [Field]
    /// The name of a union, of whose fields an object may have at most one.
    let unionName: String?

    package struct Field: Sendable {
        /// The name in snake_case, as in the public reference, or in lowerCamelCase.
        package let key: String
        /// The name in snake_case.
        let name: String
        package let kind: FieldKind
        let isInUnion: Bool
        /// Whether `key` is not the name in snake_case.
        let isOtherSpelling: Bool
    }

    package init(
        _ typeName: String,
        union: (name: String, fields: Set<String>)? = nil,
        fields kinds: [(names: String, kind: FieldKind)]
    ) {
        self.typeName = typeName
        unionName = union?.name
        fields = kinds.flatMap { entry in
            entry.names.split(separator: " ").flatMap { part -> [Field] in
                let name = String(part)
                let isInUnion = union?.fields.contains(name) ?? false
                let camel = name.lowerCamelCase
                return (camel == name ? [name] : [name, camel]).map { key in
                    Field(
                        key: key,
                        name: name,
                        kind: entry.kind,
                        isInUnion: isInUnion,
                        isOtherSpelling: key != name
                    )
                }
            }
        }
    }

    /// Returns the index of a field; a linear search suffices because there are few fields with
    /// different lengths.
    func index(of key: String) -> Int? {
        let length = key.utf8.count
        return fields.firstIndex { $0.key.utf8.count == length && $0.key == key }
    }
}

package enum FieldKind: Sendable {
    case string
    case bool
    case int32
    case number
    case duration
    /// RFC 3339.
    case timestamp
    indirect case list(FieldKind)
    /// A map of strings to strings.
    case map
    /// Any JSON object.
    case freeObject
    /// One of several names, in any case.
    case enumeration(typeName: String, Set<String>)
    /// One of FCM's names, in any case, or its number, which is its place (protobuf's JSON form).
    case numbered(typeName: String, [String])
    case object(MessageShape)

    /// Whether a JSON object is never a valid value, nor a valid value of a map entry.
    var isScalar: Bool {
        switch self {
        case .string, .bool, .int32, .number, .enumeration, .numbered, .map: true
        case .duration, .timestamp, .list, .freeObject, .object: false
        }
    }

    var typeName: String {
        switch self {
        case .string, .map: "TYPE_STRING"
        case .bool: "TYPE_BOOL"
        case .int32: "TYPE_INT32"
        case .number: "TYPE_FLOAT"
        case .duration: "type.googleapis.com/google.protobuf.Duration"
        case .timestamp: "type.googleapis.com/google.protobuf.Timestamp"
        case .list(let element): element.typeName
        case .freeObject: "type.googleapis.com/google.protobuf.Struct"
        case .enumeration(let typeName, _), .numbered(let typeName, _):
            "type.googleapis.com/\(typeName)"
        case .object(let shape): "type.googleapis.com/\(shape.typeName)"
        }
    }
}

extension String {
    fileprivate var lowerCamelCase: String {
        let words = split(separator: "_")
        return words.enumerated()
            .map { $0.offset == 0 ? String($0.element) : $0.element.capitalizedWord }
            .joined()
    }
}

extension Substring {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}

/// The shapes of sends (Firebase documentation, REST resource projects.messages).
extension MessageShape {
    package static let sendRequest = MessageShape(
        "google.firebase.fcm.v1.SendMessageRequest",
        fields: [("message", .object(message)), ("validate_only", .bool)]
    )

    private static let message = MessageShape(
        fcm("Message"),
        union: ("target", ["token", "fid", "topic", "condition"]),
        fields: [
            ("name token fid topic condition", .string),
            ("data", .map),
            ("notification", .object(notification)),
            ("android", .object(android)),
            ("android_v2", .object(androidVersion2)),
            ("webpush", .object(webpush)),
            ("apns", .object(apns)),
            ("fcm_options", .object(MessageShape(fcm("FcmOptions"), fields: [labelled]))),
        ]
    )

    private static let notification = MessageShape(
        fcm("Notification"),
        fields: [("title body image", .string)]
    )

    private static let android = MessageShape(
        fcm("AndroidConfig"),
        fields: [
            ("collapse_key restricted_package_name", .string),
            (
                "priority",
                .enumeration(fcm("AndroidConfig.AndroidMessagePriority"), names: "NORMAL HIGH")
            ),
            ("ttl", .duration),
            ("data", .map),
            ("notification", .object(androidNotification)),
            ("fcm_options", .object(MessageShape(fcm("AndroidFcmOptions"), fields: [labelled]))),
            ("direct_boot_ok bandwidth_constrained_ok restricted_satellite_ok", .bool),
        ]
    )

    /// The preview of 2026, as the Admin SDKs write it.
    private static let androidVersion2 = MessageShape(
        fcm("AndroidConfigV2"),
        union: ("message_type", ["remote_notification", "background_sync"]),
        fields: [
            ("collapse_key restricted_package_name", .string),
            ("ttl", .duration),
            ("data", .map),
            ("fcm_options", .object(MessageShape(fcm("AndroidFcmOptions"), fields: [labelled]))),
            ("direct_boot_ok bandwidth_constrained_ok restricted_satellite_ok", .bool),
            ("remote_notification", .object(remoteNotification)),
            (
                "background_sync",
                .object(MessageShape(fcm("AndroidBackgroundSyncMessage"), fields: []))
            ),
        ]
    )

    private static let remoteNotification = MessageShape(
        fcm("AndroidRemoteNotification"),
        fields: [
            ("mutable_content use_as_v1_data_message", .bool),
            (
                "notification",
                .object(
                    MessageShape(
                        fcm("AndroidNotificationV2"),
                        fields: androidNotificationFields + [("id", .int32)]
                    )
                )
            ),
        ]
    )

    private static let androidNotification = MessageShape(
        fcm("AndroidNotification"),
        fields: androidNotificationFields
    )

    private static let androidNotificationFields: [(names: String, kind: FieldKind)] = [
        ("title body icon color sound tag click_action channel_id ticker image", .string),
        ("title_loc_key body_loc_key", .string),
        ("event_time", .timestamp),
        ("title_loc_args body_loc_args", .list(.string)),
        ("sticky local_only default_sound default_vibrate_timings", .bool),
        ("default_light_settings bypass_proxy_notification", .bool),
        ("notification_count", .int32),
        ("vibrate_timings", .list(.duration)),
        (
            "notification_priority",
            .enumeration(
                fcm("AndroidNotification.NotificationPriority"),
                names: "PRIORITY_UNSPECIFIED PRIORITY_MIN PRIORITY_LOW PRIORITY_DEFAULT "
                    + "PRIORITY_HIGH PRIORITY_MAX"
            )
        ),
        (
            "visibility",
            .enumeration(
                fcm("AndroidNotification.Visibility"),
                names: "VISIBILITY_UNSPECIFIED PRIVATE PUBLIC SECRET"
            )
        ),
        (
            "proxy",
            .enumeration(
                fcm("AndroidNotification.Proxy"),
                names: "PROXY_UNSPECIFIED ALLOW DENY IF_PRIORITY_LOWERED"
            )
        ),
        ("light_settings", .object(lightSettings)),
    ]

    private static let lightSettings = MessageShape(
        fcm("LightSettings"),
        fields: [
            (
                "color",
                .object(
                    MessageShape("google.type.Color", fields: [("red green blue alpha", .number)])
                )
            ),
            ("light_on_duration light_off_duration", .duration),
        ]
    )

    private static let webpush = MessageShape(
        fcm("WebpushConfig"),
        fields: [
            ("headers data", .map),
            ("notification", .freeObject),
            (
                "fcm_options",
                .object(
                    MessageShape(fcm("WebpushFcmOptions"), fields: [labelled, ("link", .string)])
                )
            ),
        ]
    )

    private static let apns = MessageShape(
        fcm("ApnsConfig"),
        fields: [
            ("headers", .map),
            ("payload", .freeObject),
            (
                "fcm_options",
                .object(
                    MessageShape(fcm("ApnsFcmOptions"), fields: [labelled, ("image", .string)])
                )
            ),
            ("live_activity_token", .string),
        ]
    )

    private static let labelled = (names: "analytics_label", kind: FieldKind.string)

    private static func fcm(_ name: String) -> String { "google.firebase.fcm.v1.\(name)" }
}

extension FieldKind {
    /// `names`: in the order of their numbers, from 0.
    fileprivate static func enumeration(_ typeName: String, names: String) -> FieldKind {
        .numbered(typeName: typeName, names.split(separator: " ").map(String.init))
    }
}
