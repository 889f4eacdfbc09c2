import JSON

/// Apple documentation, Generating a remote notification.
extension MessageFields {
    static let aps = MessageFields(
        "`aps`",
        fields: apsPresentation + apsHandling + apsLiveActivity,
        moved: movedFromAps,
        needs: liveActivityNeeds,
        checks: [.relevanceScore]
    )

    private static let apsPresentation = [
        MessageField(
            "alert",
            as: .textOr(alert),
            about:
                "Visible alert: a text, or a mapping with title, text and more; overrides the common "
                + "notification.",
            examples: [["title": "High water at 16:42", "body": "Best angling from 15:30."]]
        ),
        MessageField(
            "badge",
            as: .integer(0...Int64(Int32.max)),
            about: "Number on the app's icon; 0 removes it.",
            examples: [3]
        ),
        MessageField(
            "sound",
            as: .textOr(sound),
            about: "`default`, a sound file of the app, or a mapping for critical alerts.",
            examples: ["default"]
        ),
        MessageField(
            "interruption-level",
            as: .choice(["passive", "active", "time-sensitive", "critical"]),
            about: "Interruption level (default: `active`)."
        ),
        MessageField(
            "relevance-score",
            as: .number(0...Double.greatestFiniteMagnitude),
            about:
                "Relevance for sorting in a summary, from 0 to 1; for Live Activities any number.",
            examples: [.number(0.5)]
        ),
    ]

    private static let apsHandling = [
        MessageField(
            "category",
            as: .text(.any),
            about: "Notification category of the app, which defines the buttons.",
            examples: ["TIDES"]
        ),
        MessageField(
            "thread-id",
            as: .text(.any),
            about: "Notifications of one thread are grouped."
        ),
        MessageField(
            "content-available",
            as: .integer(0...1),
            about: "1 wakes the app in the background.",
            examples: [1]
        ),
        MessageField(
            "mutable-content",
            as: .integer(0...1),
            about: "1 lets the app's service extension change it before display.",
            examples: [1]
        ),
        MessageField(
            "target-content-id",
            as: .text(.any),
            about: "Window of the app that a tap brings forward."
        ),
        MessageField(
            "filter-criteria",
            as: .text(.any),
            about: "Value that the app's Focus filter compares to decide whether to show it."
        ),
        MessageField(
            "url-args",
            as: .list(.text(.any)),
            about: "Arguments for the URL of a Safari website push."
        ),
    ]

    /// Apple documentation, Starting and updating Live Activities with ActivityKit push
    /// notifications; times are UNIX seconds of up to 11 digits, to the year 5138.
    private static let apsLiveActivity = [
        MessageField(
            "event",
            as: .choice(["start", "update", "end"]),
            about: "What to do with the Live Activity."
        ),
        MessageField(
            "timestamp",
            as: .integer(0...99_999_999_999),
            about: "UNIX time in seconds of this state; an older state is ignored."
        ),
        MessageField(
            "content-state",
            as: .freeObject,
            about: "State of the Live Activity, as the app defines it.",
            examples: [["height": .number(4.2)]]
        ),
        MessageField(
            "stale-date",
            as: .integer(0...99_999_999_999),
            about: "UNIX time in seconds from which the state is out of date."
        ),
        MessageField(
            "dismissal-date",
            as: .integer(0...99_999_999_999),
            about: "UNIX time in seconds at which an ended Live Activity disappears."
        ),
        MessageField(
            "attributes-type",
            as: .text(.any),
            about: "Type of the Live Activity to start, as the app defines it.",
            examples: ["TideAttributes"]
        ),
        MessageField(
            "attributes",
            as: .freeObject,
            about: "Constant attributes of the Live Activity to start."
        ),
        MessageField(
            "input-push-token",
            as: .integer(0...1),
            about: "1 requests a push token for updates of the Live Activity to start.",
            examples: [1]
        ),
        MessageField(
            "input-push-channel",
            as: .text(.any),
            about: "Broadcast channel to which the Live Activity to start subscribes.",
            examples: ["dHN0LXNyY2gtY2hubA=="]
        ),
    ]

    private static let sound = MessageFields(
        "`aps.sound`",
        fields: [
            MessageField(
                "name",
                as: .text(.any),
                about: "`default`, or a sound file of the app.",
                examples: ["default"],
                isRequired: true
            ),
            MessageField(
                "critical",
                as: .integer(0...1),
                about: "1 plays it in silent mode, too; the app needs Apple's permission."
            ),
            MessageField(
                "volume",
                as: .number(0...1),
                about: "Volume of a critical alert.",
                examples: [1]
            ),
        ]
    )
}
