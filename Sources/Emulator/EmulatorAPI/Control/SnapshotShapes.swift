import DeliveryModel

/// The document of `PUT /emulator/v1/snapshot`.
extension MessageShape {
    static let snapshot = MessageShape(
        "herald.Snapshot",
        fields: [
            ("version", .int32), ("devices", .list(.object(snapshotDevice))),
            ("fan_outs", .list(.object(snapshotFanOut))),
        ]
    )

    private static let snapshotDevice = MessageShape(
        "herald.SnapshotDevice",
        fields: [
            ("seeded", .object(device)),
            ("registration last_seen", .string),
            (
                "online foreground installed registered dozing force_stopped user_stopped",
                .bool
            ),
            ("direct_channel", .bool),
            ("topics", .list(.object(snapshotTopic))),
            ("own_topics", .list(.string)),
            ("events", .list(.object(snapshotEvent))),
            ("forgotten", .int32),
            ("tray", .list(.int32)),
            ("received pending dropped", .list(.object(snapshotMessage))),
            ("counts", .object(snapshotCounts)),
            ("memory", .object(snapshotMemory)),
        ]
    )

    private static let snapshotTopic = MessageShape(
        "herald.SnapshotTopic",
        fields: [("topic since", .string)]
    )

    private static let snapshotEvent = MessageShape(
        "herald.SnapshotEvent",
        fields: [
            ("at topic completed_at message_id", .string),
            ("event", names("herald.EventKind", names: DeviceEvent.Kind.allCases.map(\.rawValue))),
            ("completion", names("herald.Completion", names: ["pending", "done", "error"])),
            ("error", names("herald.ClientFailure", names: ClientFailure.allCases.map(\.rawValue))),
        ]
    )

    private static let snapshotMessage = MessageShape(
        "herald.SnapshotMessage",
        fields: [
            ("message_id received_at expires_at accepted_at opened_at dropped_at", .string),
            ("rate_until background_until key", .string),
            ("delay outcome tray_state", .string),
            ("how", names("herald.Manner", names: ReceivedMessage.Manner.allCases.map(\.rawValue))),
            ("has_notification priority_lowered choice_of_model", .bool),
            (content, .string),
            ("badge request", .int32), ("actions", .list(.object(notificationAction))),
            ("data", .map),
        ]
    )

    private static let content =
        "title body tag click_action category link image analytics_label collapse_key priority ttl "
        + "sound badge_url channel_id icon color interruption_level from condition"

    private static let snapshotContent = MessageShape(
        "herald.SnapshotContent",
        fields: [
            ("nothing by_package has_notification", .bool), (content, .string), ("data", .map),
            ("badge request", .int32), ("actions", .list(.object(notificationAction))),
        ]
    )

    private static let snapshotFanOut = MessageShape(
        "herald.SnapshotFanOut",
        fields: [
            ("message_id package next", .string), ("empty to_topic", .bool),
            ("recipients", .list(.string)), ("android apple web", .object(snapshotContent)),
        ]
    )

    private static let snapshotCounts = MessageShape(
        "herald.SnapshotCounts",
        fields: [
            (
                MessageOutcome.allCases.filter { $0 != .pending }.map(\.rawValue)
                    .joined(separator: " "),
                .int32
            ),
            ("dropped nothing_for_platform", .int32),
        ]
    )

    private static let snapshotMemory = MessageShape(
        "herald.SnapshotMemory",
        fields: [
            ("collapsible minute hour", .object(snapshotWindow)),
            ("sent", .list(.object(snapshotSent))),
            ("owes_notice", .bool), ("notices", .int32),
            ("missed_data last_notice notice_of_removal", .string),
        ]
    )

    /// Messages to the device at one time.
    private static let snapshotSent = MessageShape(
        "herald.SnapshotSent",
        fields: [("at", .string), ("count", .int32)]
    )

    private static let snapshotWindow = MessageShape(
        "herald.SnapshotWindow",
        fields: [("used as_of", .string)]
    )

    private static func names(_ typeName: String, names: [String]) -> FieldKind {
        .enumeration(typeName: typeName, Set(names.map { $0.uppercased() }))
    }
}
