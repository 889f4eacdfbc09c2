import FCMDelivery

/// The bodies of control requests.
extension MessageShape {
    static let deviceList = MessageShape(
        "herald.DeviceList",
        [("devices", .list(.object(device)))]
    )

    static let device = MessageShape(
        "herald.Device",
        [
            ("name registration project package", .string),
            ("platform", platform),
            ("online foreground", .bool),
            ("topics", .list(.string)),
        ]
    )

    static let deviceChange = MessageShape(
        "herald.DeviceChange",
        [("online foreground installed", .bool)]
    )

    static let registration = MessageShape("herald.Registration", [("registration", .string)])

    static let subscription = MessageShape("herald.Subscription", [("topic", .string)])

    static let clock = MessageShape(
        "herald.Clock",
        [
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
