import JSON

/// `ApnsConfig` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let apns = MessageFields(
        "`apns`",
        fields: [
            MessageField(
                "headers",
                as: .object(apnsHeaders),
                about: "Headers of the request that FCM sends to Apple."
            ),
            MessageField(
                "payload",
                as: .object(apnsPayload),
                about: "Payload for Apple: `aps`, and the app's own keys next to it.",
                examples: [["aps": ["category": "TIDES"], "station": "horta"]]
            ),
            MessageField(
                "fcm_options",
                as: .object(apnsOptions),
                about: "FCM options for Apple devices."
            ),
            MessageField(
                "live_activity_token",
                as: .text(.liveActivityToken),
                about: "Push token or push-to-start token of a Live Activity; it is a secret."
            ),
        ],
        moved: ["aps": .place("it under `payload`")],
        checks: [.liveActivityEvent]
    )

    private static let apnsPayload = MessageFields(
        "`apns.payload`",
        fields: [
            MessageField(
                "aps",
                as: .object(aps),
                about: "Keys that Apple defines; FCM requires at least one.",
                examples: [["category": "TIDES"]],
                isRequired: true
            )
        ],
        others: .free,
        checks: [.apnsPayload],
        checked: ["aps"]
    )

    private static let apnsOptions = MessageFields(
        "`apns.fcm_options`",
        fields: [
            analyticsLabel,
            MessageField(
                "image",
                as: .text(.imageLink),
                about:
                    "URL of an image; overrides the common image; the app's service extension fetches "
                    + "it.",
                examples: ["https://tidewatch.example/tide.png"]
            ),
        ]
    )

    /// Apple documentation, Sending notification requests to APNs.
    private static let apnsHeaders = MessageFields(
        "`apns.headers`",
        fields: [
            MessageField(
                "apns-push-type",
                as: .header([
                    "alert", "background", "complication", "controls", "fileprovider",
                    "liveactivity", "location", "mdm", "pushtotalk", "voip", "widgets",
                ]),
                about: "Type of the push; Apple may drop or delay a push with a wrong type.",
                examples: ["alert"]
            ),
            MessageField(
                "apns-priority",
                as: .header(["1", "5", "10"]),
                about: "10 delivers at once, 5 when the battery allows, 1 never wakes the device "
                    + "(default: 10, set by FCM).",
                examples: ["10"]
            ),
            MessageField(
                "apns-expiration",
                as: .text(.epochSeconds),
                about: "UNIX time in seconds until which Apple keeps it; 0 means now or never; "
                    + "`delivery.ttl` computes it.",
                examples: ["0"]
            ),
            MessageField(
                "apns-collapse-id",
                as: .text(.collapseID),
                about: "A newer notification with the same ID replaces it; at most 64 bytes."
            ),
            MessageField(
                "apns-topic",
                as: .text(.bundleID),
                about: "Bundle ID of the app, with a suffix for some push types.",
                examples: ["com.example.Tidewatch"]
            ),
            MessageField(
                "apns-id",
                as: .text(.uuid),
                about: "UUID that identifies the notification in Apple's errors."
            ),
        ]
    )
}
