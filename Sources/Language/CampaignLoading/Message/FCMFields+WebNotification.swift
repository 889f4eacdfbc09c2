import JSON

/// The options of `showNotification`; other options are passed to the page unchanged (WHATWG,
/// Notifications API Standard).
extension MessageFields {
    static let webNotification = MessageFields(
        "`webpush.notification`",
        webWording + webBehaviour + [
            MessageField("data", .free, "Any data for the page's service worker."),
            MessageField(
                "actions",
                .list(.object(webAction)),
                "Buttons; browsers show two or three.",
                examples: [[["action": "open", "title": "Open"]]]
            ),
        ],
        moved: ["click_action": .place("`webpush.fcm_options.link`")],
        others: .free,
        needs: [.init("renotify", is: "true", beside: "tag")],
        checks: [.silentVibration]
    )

    private static let webWording = [
        MessageField("title", .text(.any), "The title in browsers."),
        MessageField("body", .text(.any), "The text in browsers."),
        MessageField("icon", .text(.any), "URL of the icon."),
        MessageField("image", .text(.any), "URL of an image."),
        MessageField(
            "badge",
            .text(.any),
            "URL of the small icon for confined spaces."
        ),
        MessageField("lang", .text(.any), "Language of title and text.", examples: ["pt-PT"]),
        MessageField(
            "dir",
            .choice(["auto", "ltr", "rtl"]),
            "Direction of title and text (default: `auto`)."
        ),
    ]

    private static let webBehaviour = [
        MessageField("tag", .text(.any), "A newer notification with the same tag replaces it."),
        MessageField(
            "renotify",
            .flag,
            "Whether a replacement alerts the user again; requires `tag`."
        ),
        MessageField(
            "requireInteraction",
            .flag,
            "Whether it stays until it is clicked or dismissed."
        ),
        MessageField("silent", .flag, "Whether it arrives without sound and vibration."),
        MessageField(
            "vibrate",
            .list(.integer(0...Int64(Int32.max))),
            "Milliseconds of vibration and pause, alternating.",
            examples: [[200, 100, 200]]
        ),
        MessageField(
            "timestamp",
            .integer(0...8_640_000_000_000_000),
            "Time of the event, in milliseconds since 1970."
        ),
    ]

    private static let webAction = MessageFields(
        "an action of `webpush.notification`",
        [
            MessageField(
                "action",
                .text(.any),
                "Name that the service worker receives.",
                examples: ["open"],
                isRequired: true
            ),
            MessageField("title", .text(.any), "Label of the button.", isRequired: true),
            MessageField("icon", .text(.any), "URL of the button's icon."),
        ],
        others: .free
    )
}
