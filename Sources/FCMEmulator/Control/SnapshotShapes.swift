import FCMDelivery

/// The document of `PUT /emulator/v1/snapshot`.
extension MessageShape {
    static let snapshot = MessageShape(
        "herald.Snapshot",
        [("version", .int32), ("devices", .list(.object(snapshotDevice)))]
    )

    private static let snapshotDevice = MessageShape(
        "herald.SnapshotDevice",
        [
            ("seeded", .object(device)),
            ("registration", .string),
            ("online foreground installed registered", .bool),
            ("topics", .list(.object(snapshotTopic))),
            ("own_topics", .list(.string)),
            ("events", .list(.object(snapshotEvent))),
            ("forgotten", .int32),
            ("received pending", .list(.object(snapshotMessage))),
            ("counts", .object(snapshotCounts)),
        ]
    )

    private static let snapshotTopic = MessageShape(
        "herald.SnapshotTopic",
        [("topic since", .string)]
    )

    private static let snapshotEvent = MessageShape(
        "herald.SnapshotEvent",
        [
            ("at topic completed_at", .string),
            ("event", names("herald.EventKind", DeviceEvent.Kind.allCases.map(\.rawValue))),
            ("completion", names("herald.Completion", ["pending", "done", "error"])),
            ("error", names("herald.ClientFailure", ClientFailure.allCases.map(\.rawValue))),
        ]
    )

    private static let snapshotMessage = MessageShape(
        "herald.SnapshotMessage",
        [
            ("message_id received_at expires_at", .string),
            ("how", names("herald.Manner", ReceivedMessage.Manner.allCases.map(\.rawValue))),
            ("has_notification", .bool),
            ("title body tag click_action category link collapse_key priority ttl", .string),
            ("data", .map),
        ]
    )

    private static let snapshotCounts = MessageShape(
        "herald.SnapshotCounts",
        [("dropped collapsed nothing_for_platform", .int32)]
    )

    private static func names(_ typeName: String, _ names: [String]) -> FieldKind {
        .enumeration(typeName: typeName, Set(names.map { $0.uppercased() }))
    }
}
