import JSON

/// Apple documentation, Generating a remote notification, and, for `action`, Configuring Safari
/// Push Notifications.
extension MessageFields {
    static let alert = MessageFields(
        "`aps.alert`",
        fields: wording + localization + [
            MessageField(
                "launch-image",
                as: .text(.any),
                about: "Launch image of the app, shown while a tap opens it."
            ),
            MessageField(
                "summary-arg",
                as: .text(.any),
                about: "Text for its group's summary; ignored from iOS 15."
            ),
            MessageField(
                "summary-arg-count",
                as: .integer(0...Int64(Int32.max)),
                about:
                    "Number of items that it counts as in its group's summary; ignored from iOS 15."
            ),
            MessageField(
                "action",
                as: .text(.any),
                about: "Label of the button on a Safari website push."
            ),
        ],
        needs: [
            .init("title-loc-args", beside: "title-loc-key"),
            .init("subtitle-loc-args", beside: "subtitle-loc-key"),
            .init("loc-args", beside: "loc-key"),
        ]
    )

    private static let wording = [
        MessageField("title", as: .text(.any), about: "The title on Apple devices."),
        MessageField("subtitle", as: .text(.any), about: "Line between title and text."),
        MessageField("body", as: .text(.any), about: "The text on Apple devices."),
    ]

    private static let localization = [
        MessageField(
            "title-loc-key",
            as: .text(.any),
            about: "Key of the title in the app's Localizable.strings.",
            examples: ["TIDE_TITLE"]
        ),
        MessageField(
            "title-loc-args",
            as: .list(.text(.any)),
            about: "Arguments for the title's string.",
            examples: [["Horta", "16:42"]]
        ),
        MessageField(
            "subtitle-loc-key",
            as: .text(.any),
            about: "Key of the subtitle in the app's Localizable.strings."
        ),
        MessageField(
            "subtitle-loc-args",
            as: .list(.text(.any)),
            about: "Arguments for the subtitle's string."
        ),
        MessageField(
            "loc-key",
            as: .text(.any),
            about: "Key of the text in the app's Localizable.strings."
        ),
        MessageField("loc-args", as: .list(.text(.any)), about: "Arguments for the text's string."),
        MessageField(
            "action-loc-key",
            as: .text(.any),
            about: "Key of the button's label in the app's Localizable.strings."
        ),
    ]
}
