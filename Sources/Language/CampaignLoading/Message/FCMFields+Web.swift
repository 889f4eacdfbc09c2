import JSON

/// `WebpushConfig` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let webpush = MessageFields(
        "`webpush`",
        fields: [
            MessageField("headers", as: .object(webHeaders), about: "Headers of the push request."),
            MessageField("data", as: .dataMap, about: "Replaces the common data in browsers."),
            MessageField(
                "notification",
                as: .object(webNotification),
                about: "Notification in browsers; overrides the common notification."
            ),
            MessageField(
                "fcm_options",
                as: .object(webOptions),
                about: "FCM options for browsers."
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
        fields: [
            MessageField(
                "TTL",
                as: .text(.webTimeToLive),
                about: "Seconds that the push service keeps it, 0 to 2419200.",
                examples: ["86400"]
            ),
            MessageField(
                "Urgency",
                as: .header(["very-low", "low", "normal", "high"]),
                about: "How much battery delivery may use (default: `normal`)."
            ),
            MessageField(
                "Topic",
                as: .text(.webTopic),
                about: "A newer message with the same topic replaces a pending one."
            ),
        ]
    )

    private static let webOptions = MessageFields(
        "`webpush.fcm_options`",
        fields: [
            MessageField(
                "link",
                as: .text(.secureLink),
                about: "Page that a click opens.",
                examples: ["https://tidewatch.example/tides"]
            ),
            analyticsLabel,
        ]
    )
}
