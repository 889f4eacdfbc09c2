import FCMWire
import JSON

/// The options of `showNotification`; other options are passed to the page unchanged (WHATWG,
/// Notifications API Standard).
extension MessageFields {
    static let webNotification = MessageFields(
        "`webpush.notification`",
        webWording + webBehaviour + [
            MessageField("data", .free, "Anything for the page's service worker."),
            MessageField(
                "actions",
                .list(.object(webAction)),
                "The buttons; browsers show two or three.",
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
        MessageField("icon", .text(.any), "The address of its icon."),
        MessageField("image", .text(.any), "The address of a picture."),
        MessageField(
            "badge",
            .text(.any),
            "The address of the small icon where there is no room for more."
        ),
        MessageField("lang", .text(.any), "The language of title and text.", examples: ["pt-PT"]),
        MessageField(
            "dir",
            .choice(["auto", "ltr", "rtl"]),
            "The direction of title and text; `auto` where nothing is said."
        ),
    ]

    private static let webBehaviour = [
        MessageField("tag", .text(.any), "A newer notification with the same tag replaces it."),
        MessageField(
            "renotify",
            .flag,
            "Whether one that replaces another makes itself felt again; needs `tag`."
        ),
        MessageField(
            "requireInteraction",
            .flag,
            "Whether it stays until it is clicked or dismissed."
        ),
        MessageField("silent", .flag, "Whether it comes without sound and vibration."),
        MessageField(
            "vibrate",
            .list(.integer(0...Int64(Int32.max))),
            "Milliseconds of vibration and pause in turn.",
            examples: [[200, 100, 200]]
        ),
        MessageField(
            "timestamp",
            .integer(0...8_640_000_000_000_000),
            "The moment that it tells of, in milliseconds since 1970."
        ),
    ]

    private static let webAction = MessageFields(
        "an action of `webpush.notification`",
        [
            MessageField(
                "action",
                .text(.any),
                "Its name, which the service worker gets.",
                examples: ["open"],
                isRequired: true
            ),
            MessageField("title", .text(.any), "What the button says.", isRequired: true),
            MessageField("icon", .text(.any), "The address of the button's icon."),
        ],
        others: .free
    )
}
