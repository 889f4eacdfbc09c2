import FCMWire
import JSON

/// Apple documentation, Generating a remote notification.
extension MessageFields {
    static let aps = MessageFields(
        "`aps`",
        apsPresentation + apsHandling + apsLiveActivity,
        moved: movedFromAps,
        needs: liveActivityNeeds,
        checks: [.relevanceScore]
    )

    private static let apsPresentation = [
        MessageField(
            "alert",
            .textOr(alert),
            "What is shown: a text, or title, text and more; over the common notification.",
            examples: [["title": "High water at 16:42", "body": "Best angling from 15:30."]]
        ),
        MessageField(
            "badge",
            .integer(0...Int64(Int32.max)),
            "The number on the app's icon; 0 takes it away.",
            examples: [3]
        ),
        MessageField(
            "sound",
            .textOr(sound),
            "`default`, a sound file of the app's, or a mapping for critical alerts.",
            examples: ["default"]
        ),
        MessageField(
            "interruption-level",
            .choice(["passive", "active", "time-sensitive", "critical"]),
            "How much it may disturb; `active` where nothing is said."
        ),
        MessageField(
            "relevance-score",
            .number(0...Double.greatestFiniteMagnitude),
            "How far up it stands in a summary, from 0 to 1; among Live Activities any number.",
            examples: [.number(0.5)]
        ),
    ]

    private static let apsHandling = [
        MessageField(
            "category",
            .text(.any),
            "The app's notification category, which has the buttons.",
            examples: ["TIDES"]
        ),
        MessageField("thread-id", .text(.any), "Notifications of one thread are grouped."),
        MessageField(
            "content-available",
            .integer(0...1),
            "1 wakes the app in the background.",
            examples: [1]
        ),
        MessageField(
            "mutable-content",
            .integer(0...1),
            "1 lets the app's service extension change it before it is shown.",
            examples: [1]
        ),
        MessageField(
            "target-content-id",
            .text(.any),
            "Which window of the app a tap brings forward."
        ),
        MessageField(
            "filter-criteria",
            .text(.any),
            "What the app's Focus filter compares to decide whether it is shown."
        ),
        MessageField(
            "url-args",
            .list(.text(.any)),
            "What fills the places in a Safari website push's address."
        ),
    ]

    /// Apple documentation, Starting and updating Live Activities with ActivityKit push
    /// notifications; times are UNIX seconds of up to 11 digits, to the year 5138.
    private static let apsLiveActivity = [
        MessageField(
            "event",
            .choice(["start", "update", "end"]),
            "What becomes of the Live Activity."
        ),
        MessageField(
            "timestamp",
            .integer(0...99_999_999_999),
            "The UNIX time in seconds of this state; an older one is passed over."
        ),
        MessageField(
            "content-state",
            .freeObject,
            "The Live Activity's state, as the app defines it.",
            examples: [["height": .number(4.2)]]
        ),
        MessageField(
            "stale-date",
            .integer(0...99_999_999_999),
            "The UNIX time in seconds from which the state counts as out of date."
        ),
        MessageField(
            "dismissal-date",
            .integer(0...99_999_999_999),
            "The UNIX time in seconds at which an ended Live Activity disappears."
        ),
        MessageField(
            "attributes-type",
            .text(.any),
            "The app's type of the Live Activity that is started.",
            examples: ["TideAttributes"]
        ),
        MessageField(
            "attributes",
            .freeObject,
            "What never changes in the Live Activity that is started."
        ),
    ]

    private static let sound = MessageFields(
        "`aps.sound`",
        [
            MessageField(
                "name",
                .text(.any),
                "`default`, or a sound file of the app's.",
                examples: ["default"],
                isRequired: true
            ),
            MessageField(
                "critical",
                .integer(0...1),
                "1 plays it in silence too; Apple has to allow that to the app."
            ),
            MessageField("volume", .number(0...1), "How loud a critical alert is.", examples: [1]),
        ]
    )
}
