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
                "Launch image of the app, shown while a tap opens it."
            ),
            MessageField(
                "summary-arg",
                .text(.any),
                "Text for its group's summary; ignored from iOS 15."
            ),
            MessageField(
                "summary-arg-count",
                .integer(0...Int64(Int32.max)),
                "Number of items that it counts as in its group's summary; ignored from iOS 15."
            ),
            MessageField("action", .text(.any), "Label of the button on a Safari website push."),
        ],
        needs: [
            .init("title-loc-args", beside: "title-loc-key"),
            .init("subtitle-loc-args", beside: "subtitle-loc-key"),
            .init("loc-args", beside: "loc-key"),
        ]
    )

    private static let wording = [
        MessageField("title", .text(.any), "The title on Apple devices."),
        MessageField("subtitle", .text(.any), "Line between title and text."),
        MessageField("body", .text(.any), "The text on Apple devices."),
    ]

    private static let localization = [
        MessageField(
            "title-loc-key",
            .text(.any),
            "Key of the title in the app's Localizable.strings.",
            examples: ["TIDE_TITLE"]
        ),
        MessageField(
            "title-loc-args",
            .list(.text(.any)),
            "Arguments for the title's string.",
            examples: [["Horta", "16:42"]]
        ),
        MessageField(
            "subtitle-loc-key",
            .text(.any),
            "Key of the subtitle in the app's Localizable.strings."
        ),
        MessageField(
            "subtitle-loc-args",
            .list(.text(.any)),
            "Arguments for the subtitle's string."
        ),
        MessageField(
            "loc-key",
            .text(.any),
            "Key of the text in the app's Localizable.strings."
        ),
        MessageField("loc-args", .list(.text(.any)), "Arguments for the text's string."),
        MessageField(
            "action-loc-key",
            .text(.any),
            "Key of the button's label in the app's Localizable.strings."
        ),
    ]
}
