import FCMWire
import JSON

/// `AndroidNotification` (Firebase reference, REST resource projects.messages), and its form in
/// `AndroidConfigV2`, which has an `id` but no proxy.
extension MessageFields {
    static let androidNotification = MessageFields(
        "`android.notification`",
        androidWording + androidLooks + androidSignals + [
            MessageField(
                "proxy",
                .choice(["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
                "Whether Google Play services may show it for the app; `IF_PRIORITY_LOWERED` "
                    + "where nothing is said."
            ),
            MessageField(
                "bypass_proxy_notification",
                .flag,
                "Given up by FCM: `proxy` says it.",
                deprecation: "write `proxy: DENY`"
            ),
        ],
        moved: movedFromAndroidNotification,
        needs: androidLocalization
    )

    static let androidNotificationV2 = MessageFields(
        "`android_v2.remote_notification.notification`",
        androidWording + androidLooks + androidSignals + [
            MessageField(
                "id",
                .integer(Int64(Int32.min)...Int64(Int32.max)),
                "The number under which Android's notification manager posts it."
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
        MessageField("title", .text(.any), "The title on Android."),
        MessageField("body", .text(.any), "The text on Android."),
        MessageField(
            "title_loc_key",
            .text(.any),
            "The app's string resource for the title, so that it comes in the user's language.",
            examples: ["tide_title"]
        ),
        MessageField(
            "title_loc_args",
            .list(.text(.any)),
            "What fills the places in the title's string resource.",
            examples: [["Horta", "16:42"]]
        ),
        MessageField(
            "body_loc_key",
            .text(.any),
            "The app's string resource for the text.",
            examples: ["tide_body"]
        ),
        MessageField(
            "body_loc_args",
            .list(.text(.any)),
            "What fills the places in the text's string resource."
        ),
        MessageField(
            "ticker",
            .text(.any),
            "What screen readers say; before Android 5 also shown in the status bar."
        ),
    ]

    private static let androidLooks = [
        MessageField("icon", .text(.any), "The app's drawable resource that is its icon."),
        MessageField(
            "color",
            .text(.colour),
            "The icon's colour.",
            examples: ["#1f6feb"]
        ),
        MessageField(
            "image",
            .text(.imageLink),
            "The address of a picture of at most 1 MB, over the common one.",
            examples: ["https://tidewatch.example/tide.png"]
        ),
        MessageField(
            "tag",
            .text(.any),
            "A newer notification with the same tag replaces it; `delivery.collapse` writes it."
        ),
        MessageField(
            "channel_id",
            .text(.any),
            "The app's notification channel; the one of the app's manifest where nothing is said.",
            examples: ["warnings"]
        ),
        MessageField(
            "click_action",
            .text(.any),
            "The intent filter of the activity that a tap opens.",
            examples: ["OPEN_TIDES"]
        ),
        MessageField("sticky", .flag, "Whether it stays when it is tapped."),
        MessageField("local_only", .flag, "Whether it is kept from watches and the like."),
        MessageField(
            "event_time",
            .text(.timestamp),
            "When what it tells of happens; the panel sorts by it.",
            examples: ["2037-03-20T08:30:00Z"]
        ),
    ]
}
