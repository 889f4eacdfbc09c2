import FCMWire
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
                "What every platform shows that has no wording of its own.",
                examples: [["title": "High water at 16:42", "body": "Best angling from 15:30."]]
            ),
            MessageField(
                "data",
                .dataMap,
                "Names and texts for the app; what YAML takes for numbers stays as written.",
                examples: [["screen": "tides", "station": "horta"]]
            ),
            MessageField("android", .object(android), "What only Android devices get."),
            MessageField(
                "android_v2",
                .object(androidV2),
                "Android's newer form, a preview of FCM's: what is urgent and shown, or a "
                    + "synchronisation that may wait.",
                isLater: true
            ),
            MessageField("apns", .object(apns), "What only Apple devices get."),
            MessageField("webpush", .object(webpush), "What only browsers get."),
            MessageField(
                "fcm_options",
                .object(options),
                "What FCM does with it on all platforms."
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
                "The title, for every platform without its own.",
                examples: ["High water at 16:42"]
            ),
            MessageField("body", .text(.any), "The text, for every platform without its own."),
            MessageField(
                "image",
                .text(.imageLink),
                "The address of a picture; Android takes JPEG, PNG and BMP of at most 1 MB.",
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
        "Groups sends in FCM's reports; at most 100 different ones a day.",
        examples: ["spring-tide"]
    )
}
