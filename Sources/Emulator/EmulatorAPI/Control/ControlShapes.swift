import DeliveryModel

/// The bodies of control requests.
extension MessageShape {
    static let deviceList = MessageShape(
        "herald.DeviceList",
        fields: [("devices", .list(.object(device)))]
    )

    static let device = MessageShape(
        "herald.Device",
        fields: [
            ("name registration project package last_seen", .string),
            ("platform", platform),
            ("online foreground dozing force_stopped user_stopped", .bool),
            ("topics message_keys", .list(.string)),
        ]
    )

    static let deviceChange = MessageShape(
        "herald.DeviceChange",
        fields: [
            ("online foreground installed dozing force_stopped user_stopped", .bool),
            ("direct_channel", .bool),
            ("last_seen", .string),
        ]
    )

    static let registration = MessageShape(
        "herald.Registration",
        fields: [("registration", .string)]
    )

    static let subscription = MessageShape("herald.Subscription", fields: [("topic", .string)])

    static let tap = MessageShape("herald.Tap", fields: [("message_id", .string)])

    static let delivery = MessageShape(
        "herald.Delivery",
        fields: [
            ("topic_propagation background_delay apple_background_delay", .duration),
            ("seed", .string),
            ("lower_priority device_limits", .bool),
            ("fan_out_rate fan_outs", .int32),
            (
                "excess_fan_outs",
                .enumeration(
                    typeName: "herald.ExcessFanOuts",
                    Set(DeliveryOptions.Excess.allCases.map { $0.rawValue.uppercased() })
                )
            ),
        ]
    )

    static let project = MessageShape("herald.Project", fields: [("sender_id", .string)])

    static let clock = MessageShape(
        "herald.Clock",
        fields: [
            ("mode", .enumeration(typeName: "herald.ClockMode", ["REAL", "FROZEN", "RUNNING"])),
            ("at", .string),
            ("advance", .duration),
            ("rate", .number),
        ]
    )

    static let platform = FieldKind.enumeration(
        typeName: "herald.Platform",
        Set(DevicePlatform.allCases.map { $0.rawValue.uppercased() })
    )
}
