import JSON

/// `ApnsConfig` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let apns = MessageFields(
        "`apns`",
        [
            MessageField(
                "headers",
                .object(apnsHeaders),
                "Headers of the request that FCM sends to Apple."
            ),
            MessageField(
                "payload",
                .object(apnsPayload),
                "Payload for Apple: `aps`, and the app's own keys next to it.",
                examples: [["aps": ["category": "TIDES"], "station": "horta"]]
            ),
            MessageField(
                "fcm_options",
                .object(apnsOptions),
                "FCM options for Apple devices."
            ),
            MessageField(
                "live_activity_token",
                .text(.liveActivityToken),
                "Push token or push-to-start token of a Live Activity; it is a secret."
            ),
        ],
        moved: ["aps": .place("it under `payload`")],
        checks: [.liveActivityEvent]
    )

    private static let apnsPayload = MessageFields(
        "`apns.payload`",
        [MessageField("aps", .object(aps), "Keys that Apple defines.")],
        others: .free
    )

    private static let apnsOptions = MessageFields(
        "`apns.fcm_options`",
        [
            analyticsLabel,
            MessageField(
                "image",
                .text(.imageLink),
                "URL of an image; overrides the common image; the app's service extension fetches "
                    + "it.",
                examples: ["https://tidewatch.example/tide.png"]
            ),
        ]
    )

    /// Apple documentation, Sending notification requests to APNs.
    private static let apnsHeaders = MessageFields(
        "`apns.headers`",
        [
            MessageField(
                "apns-push-type",
                .header([
                    "alert", "background", "complication", "controls", "fileprovider",
                    "liveactivity", "location", "mdm", "pushtotalk", "voip", "widgets",
                ]),
                "Type of the push; Apple may drop or delay a push with a wrong type.",
                examples: ["alert"]
            ),
            MessageField(
                "apns-priority",
                .header(["1", "5", "10"]),
                "10 delivers at once, 5 when the battery allows, 1 never wakes the device "
                    + "(default: 10, set by FCM).",
                examples: ["10"]
            ),
            MessageField(
                "apns-expiration",
                .text(.epochSeconds),
                "UNIX time in seconds until which Apple keeps it; 0 means now or never; "
                    + "`delivery.ttl` computes it.",
                examples: ["0"]
            ),
            MessageField(
                "apns-collapse-id",
                .text(.collapseID),
                "A newer notification with the same ID replaces it; at most 64 bytes."
            ),
            MessageField(
                "apns-topic",
                .text(.bundleID),
                "Bundle ID of the app, with a suffix for some push types.",
                examples: ["com.example.Tidewatch"]
            ),
            MessageField(
                "apns-id",
                .text(.uuid),
                "UUID that identifies the notification in Apple's errors."
            ),
        ]
    )
}
