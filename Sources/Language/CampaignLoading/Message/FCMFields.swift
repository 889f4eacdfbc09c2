import JSON

extension MessageFields {
    /// The v1 `Message` (Firebase reference, REST resource `projects.messages`), without its
    /// target, which is the campaign's `audience`.
    static let message = MessageFields(
        "`message`",
        fields: [
            MessageField(
                "notification",
                as: .object(notification),
                about: "Notification for every platform without its own text.",
                examples: [["title": "High water at 16:42", "body": "Best angling from 15:30."]]
            ),
            MessageField(
                "data",
                as: .dataMap,
                about: "Key-value pairs for the app; numbers are sent as written in YAML.",
                examples: [["screen": "tides", "station": "horta"]]
            ),
            MessageField(
                "android",
                as: .object(android),
                about: "Settings for Android devices only."
            ),
            MessageField(
                "android_v2",
                as: .object(androidV2),
                about: "Android's newer format, an FCM preview: an urgent visible message, or a "
                    + "synchronisation that may wait.",
                isNotBuilt: true
            ),
            MessageField("apns", as: .object(apns), about: "Settings for Apple devices only."),
            MessageField("webpush", as: .object(webpush), about: "Settings for browsers only."),
            MessageField(
                "fcm_options",
                as: .object(options),
                about: "FCM options for all platforms."
            ),
        ],
        moved: movedFromMessage
    )

    private static let notification = MessageFields(
        "`notification`",
        fields: [
            MessageField(
                "title",
                as: .text(.any),
                about: "Title for every platform without its own.",
                examples: ["High water at 16:42"]
            ),
            MessageField(
                "body",
                as: .text(.any),
                about: "Text for every platform without its own."
            ),
            MessageField(
                "image",
                as: .text(.imageLink),
                about: "URL of an image; Android accepts JPEG, PNG and BMP of at most 1 MB.",
                examples: ["https://tidewatch.example/tide.png"]
            ),
        ],
        moved: movedFromNotification
    )

    static let options = MessageFields(
        "`fcm_options`",
        fields: [analyticsLabel],
        moved: [
            "link": .place("`webpush.fcm_options.link`"),
            "image": .place("`notification.image` or `apns.fcm_options.image`"),
        ]
    )

    static let analyticsLabel = MessageField(
        "analytics_label",
        as: .text(.analyticsLabel),
        about: "Groups sends in FCM's reports; at most 100 different labels a day.",
        examples: ["spring-tide"]
    )
}
