import JSON

/// The options of `showNotification`; other options are passed to the page unchanged (WHATWG,
/// Notifications API Standard).
extension MessageFields {
    static let webNotification = MessageFields(
        "`webpush.notification`",
        fields: webWording + webBehaviour + [
            MessageField("data", as: .free, about: "Any data for the page's service worker."),
            MessageField(
                "actions",
                as: .list(.object(webAction)),
                about: "Buttons; browsers show two or three.",
                examples: [[["action": "open", "title": "Open"]]]
            ),
        ],
        moved: ["click_action": .place("`webpush.fcm_options.link`")],
        others: .free,
        needs: [.init("renotify", is: "true", beside: "tag")],
        checks: [.silentVibration]
    )

    private static let webWording = [
        MessageField("title", as: .text(.any), about: "The title in browsers."),
        MessageField("body", as: .text(.any), about: "The text in browsers."),
        MessageField("icon", as: .text(.any), about: "URL of the icon."),
        MessageField("image", as: .text(.any), about: "URL of an image."),
        MessageField(
            "badge",
            as: .text(.any),
            about: "URL of the small icon for confined spaces."
        ),
        MessageField(
            "lang",
            as: .text(.any),
            about: "Language of title and text.",
            examples: ["pt-PT"]
        ),
        MessageField(
            "dir",
            as: .choice(["auto", "ltr", "rtl"]),
            about: "Direction of title and text (default: `auto`)."
        ),
    ]

    private static let webBehaviour = [
        MessageField(
            "tag",
            as: .text(.any),
            about: "A newer notification with the same tag replaces it."
        ),
        MessageField(
            "renotify",
            as: .flag,
            about: "Whether a replacement alerts the user again; requires `tag`."
        ),
        MessageField(
            "requireInteraction",
            as: .flag,
            about: "Whether it stays until it is clicked or dismissed."
        ),
        MessageField("silent", as: .flag, about: "Whether it arrives without sound and vibration."),
        MessageField(
            "vibrate",
            as: .list(.integer(0...Int64(Int32.max))),
            about: "Milliseconds of vibration and pause, alternating.",
            examples: [[200, 100, 200]]
        ),
        MessageField(
            "timestamp",
            as: .integer(0...8_640_000_000_000_000),
            about: "Time of the event, in milliseconds since 1970."
        ),
    ]

    private static let webAction = MessageFields(
        "an action of `webpush.notification`",
        fields: [
            MessageField(
                "action",
                as: .text(.any),
                about: "Name that the service worker receives.",
                examples: ["open"],
                isRequired: true
            ),
            MessageField("title", as: .text(.any), about: "Label of the button.", isRequired: true),
            MessageField("icon", as: .text(.any), about: "URL of the button's icon."),
        ],
        others: .free
    )
}
