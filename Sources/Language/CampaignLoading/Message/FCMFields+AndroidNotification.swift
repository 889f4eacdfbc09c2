import JSON

/// `AndroidNotification` (Firebase reference, REST resource projects.messages), and its form in
/// `AndroidConfigV2`, which has an `id` but no proxy.
extension MessageFields {
    static let androidNotification = MessageFields(
        "`android.notification`",
        fields: androidWording + androidLooks + androidSignals + [
            MessageField(
                "proxy",
                as: .choice(["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
                about: "Whether Google Play services may show it for the app "
                    + "(default: `IF_PRIORITY_LOWERED`)."
            ),
            MessageField(
                "bypass_proxy_notification",
                as: .flag,
                about: "Deprecated by FCM; use `proxy`.",
                deprecation: "write `proxy: DENY`"
            ),
        ],
        moved: movedFromAndroidNotification,
        needs: androidLocalization
    )

    static let androidNotificationV2 = MessageFields(
        "`android_v2.remote_notification.notification`",
        fields: androidWording + androidLooks + androidSignals + [
            MessageField(
                "id",
                as: .integer(Int64(Int32.min)...Int64(Int32.max)),
                about: "Number under which Android's notification manager posts it."
            )
        ],
        moved: movedFromAndroidNotification,
        needs: androidLocalization
    )

    private static let androidLocalization: [MappingSchema.Need] = [
        .init("title_loc_args", beside: "title_loc_key"),
        .init("body_loc_args", beside: "body_loc_key"),
    ]

    private static let androidWording = [
        MessageField("title", as: .text(.any), about: "The title on Android."),
        MessageField("body", as: .text(.any), about: "The text on Android."),
        MessageField(
            "title_loc_key",
            as: .text(.any),
            about: "String resource of the app for the title, in the user's language.",
            examples: ["tide_title"]
        ),
        MessageField(
            "title_loc_args",
            as: .list(.text(.any)),
            about: "Arguments for the title's string resource.",
            examples: [["Horta", "16:42"]]
        ),
        MessageField(
            "body_loc_key",
            as: .text(.any),
            about: "String resource of the app for the text.",
            examples: ["tide_body"]
        ),
        MessageField(
            "body_loc_args",
            as: .list(.text(.any)),
            about: "Arguments for the text's string resource."
        ),
        MessageField(
            "ticker",
            as: .text(.any),
            about: "Text for screen readers; before Android 5 also shown in the status bar."
        ),
    ]

    private static let androidLooks = [
        MessageField("icon", as: .text(.any), about: "Drawable resource of the app for the icon."),
        MessageField(
            "color",
            as: .text(.colour),
            about: "Colour of the icon.",
            examples: ["#1f6feb"]
        ),
        MessageField(
            "image",
            as: .text(.imageLink),
            about: "URL of an image of at most 1 MB; overrides the common image.",
            examples: ["https://tidewatch.example/tide.png"]
        ),
        MessageField(
            "tag",
            as: .text(.any),
            about:
                "A newer notification with the same tag replaces it; `delivery.collapse` sets it."
        ),
        MessageField(
            "channel_id",
            as: .text(.any),
            about: "Notification channel of the app (default: the channel in the app's manifest).",
            examples: ["warnings"]
        ),
        MessageField(
            "click_action",
            as: .text(.any),
            about: "Intent filter of the activity that a tap opens.",
            examples: ["OPEN_TIDES"]
        ),
        MessageField("sticky", as: .flag, about: "Whether it stays after a tap."),
        MessageField(
            "local_only",
            as: .flag,
            about: "Whether to keep it off watches and similar devices."
        ),
        MessageField(
            "event_time",
            as: .text(.timestamp),
            about: "Time of the event; the panel sorts by it.",
            examples: ["2037-03-20T08:30:00Z"]
        ),
    ]
}
