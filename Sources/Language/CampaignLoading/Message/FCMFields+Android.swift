import JSON

/// `AndroidConfig` and `AndroidConfigV2` (Firebase reference, REST resource projects.messages;
/// Firebase documentation, Migrate to AndroidConfigV2).
extension MessageFields {
    static let android = MessageFields(
        "`android`",
        [
            collapseKey,
            MessageField(
                "priority",
                .choice(["normal", "high", "NORMAL", "HIGH"]),
                "Whether to wake a sleeping device; `delivery.priority` sets it for all platforms."
            ),
        ] + androidCommon + [
            MessageField(
                "notification",
                .object(androidNotification),
                "Notification on Android; overrides the common notification."
            )
        ],
        moved: movedFromAndroid
    )

    static let androidV2 = MessageFields(
        "`android_v2`",
        [collapseKey] + androidCommon + [
            MessageField(
                "remote_notification",
                .object(remoteNotification),
                "Urgent visible message, delivered without delay."
            ),
            MessageField(
                "background_sync",
                .object(MessageFields("`background_sync`", [])),
                "Synchronisation that is not urgent, as `{}`; FCM may batch or delay it.",
                examples: [[:]]
            ),
        ],
        moved: [
            "notification": .place("`remote_notification.notification`"),
            "priority": .place("`remote_notification` for high, `background_sync` for normal"),
            "time_to_live": .place("`ttl` with its unit, such as `3600s`"),
        ],
        oneOf: [["remote_notification", "background_sync"]]
    )

    private static let remoteNotification = MessageFields(
        "`android_v2.remote_notification`",
        [
            MessageField(
                "notification",
                .object(androidNotificationV2),
                "Notification on Android; overrides the common notification.",
                isRequired: true
            ),
            MessageField(
                "mutable_content",
                .flag,
                "Whether the app may change it before display."
            ),
            MessageField(
                "use_as_v1_data_message",
                .flag,
                "Whether apps with an older SDK receive it as a data message."
            ),
        ]
    )

    private static let collapseKey = MessageField(
        "collapse_key",
        .text(.any),
        "Collapse key; only the newest pending message with a key arrives; FCM keeps 4 keys per "
            + "device.",
        examples: ["regatta-score"]
    )

    private static let androidCommon = [
        MessageField(
            "ttl",
            .text(.wireTimeToLive),
            "How long FCM keeps it for an offline device: 0s to 2419200s (default: 4 weeks).",
            examples: ["3600s"]
        ),
        MessageField(
            "restricted_package_name",
            .text(.packageName),
            "Deliver only to registrations of this app.",
            examples: ["com.example.tidewatch"]
        ),
        MessageField("data", .dataMap, "Replaces the common data on Android."),
        MessageField("fcm_options", .object(options), "FCM options for Android."),
        MessageField(
            "direct_boot_ok",
            .flag,
            "Whether the app receives it before the device is first unlocked."
        ),
        MessageField(
            "bandwidth_constrained_ok",
            .flag,
            "Whether to deliver it over a low-bandwidth network."
        ),
        MessageField(
            "restricted_satellite_ok",
            .flag,
            "Whether to deliver it over a restricted satellite network."
        ),
    ]
}
