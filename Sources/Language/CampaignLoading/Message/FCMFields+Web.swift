import JSON

/// `WebpushConfig` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let webpush = MessageFields(
        "`webpush`",
        [
            MessageField("headers", .object(webHeaders), "Headers of the push request."),
            MessageField("data", .dataMap, "Replaces the common data in browsers."),
            MessageField(
                "notification",
                .object(webNotification),
                "Notification in browsers; overrides the common notification."
            ),
            MessageField(
                "fcm_options",
                .object(webOptions),
                "FCM options for browsers."
            ),
        ],
        moved: [
            "ttl": .place("`headers.TTL`, or the campaign's `delivery.ttl`"),
            "urgency": .place("`headers.Urgency`, or the campaign's `delivery.priority`"),
            "topic": .place("`headers.Topic`, or the campaign's `delivery.collapse`"),
            "link": .place("`fcm_options.link`"),
            "click_action": .place("`fcm_options.link`"),
        ]
    )

    /// RFC 8030, sections 5.2 to 5.4.
    private static let webHeaders = MessageFields(
        "`webpush.headers`",
        [
            MessageField(
                "TTL",
                .text(.webTimeToLive),
                "Seconds that the push service keeps it, 0 to 2419200.",
                examples: ["86400"]
            ),
            MessageField(
                "Urgency",
                .header(["very-low", "low", "normal", "high"]),
                "How much battery delivery may use (default: `normal`)."
            ),
            MessageField(
                "Topic",
                .text(.webTopic),
                "A newer message with the same topic replaces a pending one."
            ),
        ]
    )

    private static let webOptions = MessageFields(
        "`webpush.fcm_options`",
        [
            MessageField(
                "link",
                .text(.secureLink),
                "Page that a click opens.",
                examples: ["https://tidewatch.example/tides"]
            ),
            analyticsLabel,
        ]
    )
}
