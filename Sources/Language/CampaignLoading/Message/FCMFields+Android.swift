import FCMWire
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
                "Whether a sleeping device is woken; `delivery.priority` says it for all platforms."
            ),
        ] + androidCommon + [
            MessageField(
                "notification",
                .object(androidNotification),
                "What Android shows, over the common notification."
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
                "Something urgent that is shown; delivered without delay."
            ),
            MessageField(
                "background_sync",
                .object(MessageFields("`background_sync`", [])),
                "A synchronisation that is not urgent, as `{}`; FCM may batch or delay it.",
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
                "What Android shows, over the common notification.",
                isRequired: true
            ),
            MessageField(
                "mutable_content",
                .flag,
                "Whether the app may change it before it is shown."
            ),
            MessageField(
                "use_as_v1_data_message",
                .flag,
                "Whether apps with an older SDK get it as a data message."
            ),
        ]
    )

    private static let collapseKey = MessageField(
        "collapse_key",
        .text(.any),
        "Of waiting messages with one key only the last arrives; FCM keeps 4 keys per device.",
        examples: ["regatta-score"]
    )

    private static let androidCommon = [
        MessageField(
            "ttl",
            .text(.wireTimeToLive),
            "How long FCM keeps it for a device that is offline: 0s to 2419200s, and 4 weeks "
                + "where nothing is said.",
            examples: ["3600s"]
        ),
        MessageField(
            "restricted_package_name",
            .text(.packageName),
            "Only registrations of this app get it.",
            examples: ["com.example.tidewatch"]
        ),
        MessageField("data", .dataMap, "Replaces the common data on Android."),
        MessageField("fcm_options", .object(options), "What FCM does with it on Android."),
        MessageField(
            "direct_boot_ok",
            .flag,
            "Whether it reaches the app before the device is unlocked for the first time."
        ),
        MessageField(
            "bandwidth_constrained_ok",
            .flag,
            "Whether it is delivered over a network of little bandwidth."
        ),
        MessageField(
            "restricted_satellite_ok",
            .flag,
            "Whether it is delivered over a restricted satellite network."
        ),
    ]
}
