import FCMWire
import JSON

/// `ApnsConfig` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let apns = MessageFields(
        "`apns`",
        [
            MessageField(
                "headers",
                .object(apnsHeaders),
                "The headers of FCM's request to Apple."
            ),
            MessageField(
                "payload",
                .object(apnsPayload),
                "What Apple delivers: `aps`, and beside it names of the app's own.",
                examples: [["aps": ["category": "TIDES"], "station": "horta"]]
            ),
            MessageField(
                "fcm_options",
                .object(apnsOptions),
                "What FCM does with it on Apple devices."
            ),
            MessageField(
                "live_activity_token",
                .text(.liveActivityToken),
                "The push token, or push-to-start token, of a Live Activity; a secret."
            ),
        ],
        moved: ["aps": .place("it under `payload`")],
        checks: [.liveActivityEvent]
    )

    private static let apnsPayload = MessageFields(
        "`apns.payload`",
        [MessageField("aps", .object(aps), "Apple's own keys.")],
        others: .free
    )

    private static let apnsOptions = MessageFields(
        "`apns.fcm_options`",
        [
            analyticsLabel,
            MessageField(
                "image",
                .text(.imageLink),
                "The address of a picture, over the common one; the app's service extension "
                    + "fetches it.",
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
                "What kind of push it is; Apple may drop or delay one of the wrong kind.",
                examples: ["alert"]
            ),
            MessageField(
                "apns-priority",
                .header(["1", "5", "10"]),
                "10 at once, 5 when the battery allows, 1 never wakes; FCM writes 10 where "
                    + "nothing is said.",
                examples: ["10"]
            ),
            MessageField(
                "apns-expiration",
                .text(.epochSeconds),
                "The UNIX time in seconds until which Apple keeps it, 0 for now or never; "
                    + "`delivery.ttl` computes it.",
                examples: ["0"]
            ),
            MessageField(
                "apns-collapse-id",
                .text(.collapseID),
                "A newer notification with the same id replaces it; at most 64 bytes."
            ),
            MessageField(
                "apns-topic",
                .text(.bundleID),
                "The app's bundle ID, with a suffix for some push types.",
                examples: ["com.example.Tidewatch"]
            ),
            MessageField(
                "apns-id",
                .text(.uuid),
                "A UUID by which Apple names the notification in its errors."
            ),
        ]
    )
}
