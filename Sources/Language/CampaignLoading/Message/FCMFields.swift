import JSON

extension MessageFields {
    /// The v1 `Message` (Firebase reference, REST resource `projects.messages`), without its
    /// target, which is the campaign's `audience`.
    static let message = MessageFields(
        "`message`",
        [
            MessageField(
                "notification",
                .object(notification),
                "Notification for every platform without its own text.",
                examples: [["title": "High water at 16:42", "body": "Best angling from 15:30."]]
            ),
            MessageField(
                "data",
                .dataMap,
                "Key-value pairs for the app; numbers are sent as written in YAML.",
                examples: [["screen": "tides", "station": "horta"]]
            ),
            MessageField("android", .object(android), "Settings for Android devices only."),
            MessageField(
                "android_v2",
                .object(androidV2),
                "Android's newer format, an FCM preview: an urgent visible message, or a "
                    + "synchronisation that may wait.",
                isNotBuilt: true
            ),
            MessageField("apns", .object(apns), "Settings for Apple devices only."),
            MessageField("webpush", .object(webpush), "Settings for browsers only."),
            MessageField(
                "fcm_options",
                .object(options),
                "FCM options for all platforms."
            ),
        ],
        moved: movedFromMessage
    )

    private static let notification = MessageFields(
        "`notification`",
        [
            MessageField(
                "title",
                .text(.any),
                "Title for every platform without its own.",
                examples: ["High water at 16:42"]
            ),
            MessageField("body", .text(.any), "Text for every platform without its own."),
            MessageField(
                "image",
                .text(.imageLink),
                "URL of an image; Android accepts JPEG, PNG and BMP of at most 1 MB.",
                examples: ["https://tidewatch.example/tide.png"]
            ),
        ],
        moved: movedFromNotification
    )

    static let options = MessageFields(
        "`fcm_options`",
        [analyticsLabel],
        moved: [
            "link": .place("`webpush.fcm_options.link`"),
            "image": .place("`notification.image` or `apns.fcm_options.image`"),
        ]
    )

    static let analyticsLabel = MessageField(
        "analytics_label",
        .text(.analyticsLabel),
        "Groups sends in FCM's reports; at most 100 different labels a day.",
        examples: ["spring-tide"]
    )
}
