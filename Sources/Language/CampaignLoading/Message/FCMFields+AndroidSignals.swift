import JSON

/// Sound, vibration and lights of an Android notification: `AndroidNotification` and
/// `LightSettings` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let androidSignals = [
        MessageField(
            "sound",
            .text(.any),
            "`default`, or a sound file of the app; from Android 8 the channel decides.",
            examples: ["default"]
        ),
        MessageField("default_sound", .flag, "Whether to play the device's default sound."),
        MessageField(
            "notification_priority",
            .choice([
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
                "PRIORITY_HIGH", "PRIORITY_MAX",
            ]),
            "Notification priority before Android 8; later the channel decides."
        ),
        MessageField(
            "visibility",
            .choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
            "What a locked screen shows of it (default: `PRIVATE`)."
        ),
        MessageField(
            "notification_count",
            .integer(0...Int64(Int32.max)),
            "Number of unread items to add to the app's badge, if the launcher shows numbers."
        ),
        MessageField(
            "vibrate_timings",
            .list(.text(.wireDuration)),
            "Vibration pattern: time to wait, to vibrate, to wait, and so on.",
            examples: [["0s", "0.2s", "0.1s", "0.2s"]]
        ),
        MessageField(
            "default_vibrate_timings",
            .flag,
            "Whether the device's default pattern replaces `vibrate_timings`."
        ),
        MessageField(
            "light_settings",
            .object(lightSettings),
            "How the device's light blinks."
        ),
        MessageField(
            "default_light_settings",
            .flag,
            "Whether the device's default light replaces `light_settings`."
        ),
    ]

    private static let lightSettings = MessageFields(
        "`light_settings`",
        [
            MessageField(
                "color",
                .object(lightColour),
                "Colour of the light, as shares of red, green and blue.",
                examples: [["red": 1, "green": .number(0.5), "blue": 0]],
                isRequired: true
            ),
            MessageField(
                "light_on_duration",
                .text(.wireDuration),
                "How long the light is on.",
                examples: ["0.5s"],
                isRequired: true
            ),
            MessageField(
                "light_off_duration",
                .text(.wireDuration),
                "How long the light is off in between.",
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
            MessageField("red", .number(0...1), "Share of red (default: 0)."),
            MessageField(
                "green",
                .number(0...1),
                "Share of green (default: 0)."
            ),
            MessageField("blue", .number(0...1), "Share of blue (default: 0)."),
            MessageField("alpha", .number(0...1), "Opacity; 1 is opaque."),
        ],
        hint: "use shares from 0 to 1, such as `{ red: 1, green: 0.5, blue: 0 }`"
    )
}
