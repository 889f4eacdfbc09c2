import JSON

/// `AndroidConfig` and `AndroidConfigV2` (Firebase reference, REST resource projects.messages;
/// Firebase documentation, Migrate to AndroidConfigV2).
extension MessageFields {
    static let android = MessageFields(
        "`android`",
        fields: [
            collapseKey,
            MessageField(
                "priority",
                as: .choice(["normal", "high", "NORMAL", "HIGH"]),
                about:
                    "Whether to wake a sleeping device; `delivery.priority` sets it for all platforms."
            ),
        ] + androidCommon + [
            MessageField(
                "notification",
                as: .object(androidNotification),
                about: "Notification on Android; overrides the common notification."
            )
        ],
        moved: movedFromAndroid
    )

    static let androidV2 = MessageFields(
        "`android_v2`",
        fields: [collapseKey] + androidCommon + [
            MessageField(
                "remote_notification",
                as: .object(remoteNotification),
                about: "Urgent visible message, delivered without delay."
            ),
            MessageField(
                "background_sync",
                as: .object(MessageFields("`background_sync`", fields: [])),
                about: "Synchronisation that is not urgent, as `{}`; FCM may batch or delay it.",
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
        fields: [
            MessageField(
                "notification",
                as: .object(androidNotificationV2),
                about: "Notification on Android; overrides the common notification.",
                isRequired: true
            ),
            MessageField(
                "mutable_content",
                as: .flag,
                about: "Whether the app may change it before display."
            ),
            MessageField(
                "use_as_v1_data_message",
                as: .flag,
                about: "Whether apps with an older SDK receive it as a data message."
            ),
        ]
    )

    private static let collapseKey = MessageField(
        "collapse_key",
        as: .text(.any),
        about:
            "Collapse key; only the newest pending message with a key arrives; FCM keeps 4 keys per "
            + "device.",
        examples: ["regatta-score"]
    )

    private static let androidCommon = [
        MessageField(
            "ttl",
            as: .text(.wireTimeToLive),
            about:
                "How long FCM keeps it for an offline device: 0s to 2419200s (default: 4 weeks).",
            examples: ["3600s"]
        ),
        MessageField(
            "restricted_package_name",
            as: .text(.packageName),
            about: "Deliver only to registrations of this app.",
            examples: ["com.example.tidewatch"]
        ),
        MessageField("data", as: .dataMap, about: "Replaces the common data on Android."),
        MessageField("fcm_options", as: .object(options), about: "FCM options for Android."),
        MessageField(
            "direct_boot_ok",
            as: .flag,
            about: "Whether the app receives it before the device is first unlocked."
        ),
        MessageField(
            "bandwidth_constrained_ok",
            as: .flag,
            about: "Whether to deliver it over a low-bandwidth network."
        ),
        MessageField(
            "restricted_satellite_ok",
            as: .flag,
            about: "Whether to deliver it over a restricted satellite network."
        ),
    ]
}
