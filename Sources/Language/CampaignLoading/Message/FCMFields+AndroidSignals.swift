import JSON

/// Sound, vibration and lights of an Android notification: `AndroidNotification` and
/// `LightSettings` (Firebase reference, REST resource projects.messages).
extension MessageFields {
    static let androidSignals = [
        MessageField(
            "sound",
            as: .text(.any),
            about: "`default`, or a sound file of the app; from Android 8 the channel decides.",
            examples: ["default"]
        ),
        MessageField(
            "default_sound",
            as: .flag,
            about: "Whether to play the device's default sound."
        ),
        MessageField(
            "notification_priority",
            as: .choice([
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
                "PRIORITY_HIGH", "PRIORITY_MAX",
            ]),
            about: "Notification priority before Android 8; later the channel decides."
        ),
        MessageField(
            "visibility",
            as: .choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
            about: "What a locked screen shows of it (default: `PRIVATE`)."
        ),
        MessageField(
            "notification_count",
            as: .integer(0...Int64(Int32.max)),
            about:
                "Number of unread items to add to the app's badge, if the launcher shows numbers."
        ),
        MessageField(
            "vibrate_timings",
            as: .list(.text(.wireDuration)),
            about: "Vibration pattern: time to wait, to vibrate, to wait, and so on.",
            examples: [["0s", "0.2s", "0.1s", "0.2s"]]
        ),
        MessageField(
            "default_vibrate_timings",
            as: .flag,
            about: "Whether the device's default pattern replaces `vibrate_timings`."
        ),
        MessageField(
            "light_settings",
            as: .object(lightSettings),
            about: "How the device's light blinks."
        ),
        MessageField(
            "default_light_settings",
            as: .flag,
            about: "Whether the device's default light replaces `light_settings`."
        ),
    ]

    private static let lightSettings = MessageFields(
        "`light_settings`",
        fields: [
            MessageField(
                "color",
                as: .object(lightColour),
                about: "Colour of the light, as shares of red, green and blue.",
                examples: [["red": 1, "green": .number(0.5), "blue": 0]],
                isRequired: true
            ),
            MessageField(
                "light_on_duration",
                as: .text(.wireDuration),
                about: "How long the light is on.",
                examples: ["0.5s"],
                isRequired: true
            ),
            MessageField(
                "light_off_duration",
                as: .text(.wireDuration),
                about: "How long the light is off in between.",
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
        fields: [
            MessageField("red", as: .number(0...1), about: "Share of red (default: 0)."),
            MessageField(
                "green",
                as: .number(0...1),
                about: "Share of green (default: 0)."
            ),
            MessageField("blue", as: .number(0...1), about: "Share of blue (default: 0)."),
            MessageField("alpha", as: .number(0...1), about: "Opacity; 1 is opaque."),
        ],
        hint: "use shares from 0 to 1, such as `{ red: 1, green: 0.5, blue: 0 }`"
    )
}
