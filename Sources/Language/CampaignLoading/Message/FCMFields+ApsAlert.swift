import FCMWire
import JSON

/// Apple documentation, Generating a remote notification, and, for `action`, Configuring Safari
/// Push Notifications.
extension MessageFields {
    static let alert = MessageFields(
        "`aps.alert`",
        wording + localization + [
            MessageField(
                "launch-image",
                .text(.any),
                "The picture of the app's shown while a tap opens it."
            ),
            MessageField(
                "summary-arg",
                .text(.any),
                "What its group's summary says of it; ignored from iOS 15."
            ),
            MessageField(
                "summary-arg-count",
                .integer(0...Int64(Int32.max)),
                "For how many things it counts in its group's summary; ignored from iOS 15."
            ),
            MessageField("action", .text(.any), "The button's label on a Safari website push."),
        ],
        needs: [
            .init("title-loc-args", beside: "title-loc-key"),
            .init("subtitle-loc-args", beside: "subtitle-loc-key"),
            .init("loc-args", beside: "loc-key"),
        ]
    )

    private static let wording = [
        MessageField("title", .text(.any), "The title on Apple devices."),
        MessageField("subtitle", .text(.any), "A line between title and text."),
        MessageField("body", .text(.any), "The text on Apple devices."),
    ]

    private static let localization = [
        MessageField(
            "title-loc-key",
            .text(.any),
            "The title's key in the app's Localizable.strings.",
            examples: ["TIDE_TITLE"]
        ),
        MessageField(
            "title-loc-args",
            .list(.text(.any)),
            "What fills the places in the title's string.",
            examples: [["Horta", "16:42"]]
        ),
        MessageField(
            "subtitle-loc-key",
            .text(.any),
            "The subtitle's key in the app's Localizable.strings."
        ),
        MessageField(
            "subtitle-loc-args",
            .list(.text(.any)),
            "What fills the places in the subtitle's string."
        ),
        MessageField(
            "loc-key",
            .text(.any),
            "The text's key in the app's Localizable.strings."
        ),
        MessageField("loc-args", .list(.text(.any)), "What fills the places in the text's string."),
        MessageField(
            "action-loc-key",
            .text(.any),
            "The button's key in the app's Localizable.strings."
        ),
    ]
}
