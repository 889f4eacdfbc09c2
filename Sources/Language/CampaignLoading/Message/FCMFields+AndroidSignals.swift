import FCMWire
import JSON

/// Sound, vibration and lights of an Android notification: `AndroidNotification` and
/// `LightSettings` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let androidSignals = [
        MessageField(
            "sound",
            .text(.any),
            "`default`, or a sound file of the app's; from Android 8 the channel decides.",
            examples: ["default"]
        ),
        MessageField("default_sound", .flag, "Whether the device's own sound is played."),
        MessageField(
            "notification_priority",
            .choice([
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
                "PRIORITY_HIGH", "PRIORITY_MAX",
            ]),
            "How far it may come to the front before Android 8; later the channel decides."
        ),
        MessageField(
            "visibility",
            .choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
            "What a locked screen shows of it; `PRIVATE` where nothing is said."
        ),
        MessageField(
            "notification_count",
            .integer(0...Int64(Int32.max)),
            "How many unread things it adds to the app's badge where a launcher shows numbers."
        ),
        MessageField(
            "vibrate_timings",
            .list(.text(.wireDuration)),
            "How long to wait, to vibrate, to wait, and so on.",
            examples: [["0s", "0.2s", "0.1s", "0.2s"]]
        ),
        MessageField(
            "default_vibrate_timings",
            .flag,
            "Whether the device's own pattern wins over `vibrate_timings`."
        ),
        MessageField(
            "light_settings",
            .object(lightSettings),
            "How the device's light blinks."
        ),
        MessageField(
            "default_light_settings",
            .flag,
            "Whether the device's own light wins over `light_settings`."
        ),
    ]

    private static let lightSettings = MessageFields(
        "`light_settings`",
        [
            MessageField(
                "color",
                .object(lightColour),
                "The light's colour as shares of red, green and blue.",
                examples: [["red": 1, "green": .number(0.5), "blue": 0]],
                isRequired: true
            ),
            MessageField(
                "light_on_duration",
                .text(.wireDuration),
                "How long it is on.",
                examples: ["0.5s"],
                isRequired: true
            ),
            MessageField(
                "light_off_duration",
                .text(.wireDuration),
                "How long it is off in between.",
                examples: ["2s"],
                isRequired: true
            ),
        ],
        moved: [
            "light_on_duration_millis": .place("`light_on_duration` in seconds, such as `0.5s`"),
            "light_off_duration_millis": .place("`light_off_duration` in seconds, such as `2s`"),
        ]
    )

    private static let lightColour = MessageFields(
        "`light_settings.color`",
        [
            MessageField("red", .number(0...1), "The share of red; none where nothing is said."),
            MessageField(
                "green",
                .number(0...1),
                "The share of green; none where nothing is said."
            ),
            MessageField("blue", .number(0...1), "The share of blue; none where nothing is said."),
            MessageField("alpha", .number(0...1), "How opaque it is; 1 is wholly."),
        ],
        hint: "FCM takes shares from 0 to 1 here, such as `{ red: 1, green: 0.5, blue: 0 }`"
    )
}
