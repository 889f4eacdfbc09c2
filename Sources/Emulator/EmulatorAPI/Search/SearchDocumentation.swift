import DeliveryModel
import PhoneKeys

/// The documentation of search, wait and assert.
extension RouteDocumentation {
    static let searchDevices = RouteDocumentation(
        "Searches the devices; the answer has one page in seeding order.",
        query: [
            Query(
                "text",
                summary: "Part of the name, package, registration or a topic, regardless of case; "
                    + "or the whole fingerprint."
            ),
            .platform, Query("topic", summary: "Only members of this topic."),
            Query("online", summary: "Only devices that are online or offline.", schema: .flag),
            Query("installed", summary: "Only devices with or without the app.", schema: .flag),
        ] + Query.searchPage,
        answer: .json(.page("FoundDevices", member: "devices", of: .object))
    )

    static let searchMessages = RouteDocumentation(
        "Searches the messages on all devices, newest first.",
        query: Query.terms + Query.ofMessages + Query.searchPage,
        answer: .json(.page("FoundMessages", member: "messages", of: .foundMessage))
    )

    static let searchRequests = RouteDocumentation(
        "Searches the request log, newest first.",
        query: Query.terms + Query.ofRequests + [
            Query(
                "before",
                summary: "Only requests with a lower number.",
                schema: .integer(from: 1)
            ),
            .searchLimit,
        ],
        answer: .json(
            .record(
                "FoundRequests",
                members: ["requests": .list(.foundRequest), "last": .count]
            )
        )
    )

    static let request = RouteDocumentation(
        "Shows one recorded request with its message, header fields and recipients.",
        answer: .json(.object)
    )

    static let wait = RouteDocumentation(
        "Waits until enough messages or requests match.",
        query: [
            .subject,
            Query(
                "count",
                summary: "Minimum number of matches (default: 1).",
                schema: .integer(from: 1)
            ),
            Query(
                "timeout",
                summary: "Maximum wait, up to 60s (default: 10s).",
                schema: .duration
            ),
        ] + Query.terms + Query.ofMessages + Query.ofRequests + Query.searchPage,
        answer: .json(.object),
        refusals: [412],
        refusal: .unmetExpectation
    )

    static let assert = RouteDocumentation(
        "Checks the number of matching messages or requests.",
        query: [
            .subject,
            Query("count", summary: "The exact number of matches.", schema: .count),
            Query("at_least", summary: "Minimum number of matches.", schema: .count),
            Query("at_most", summary: "Maximum number of matches.", schema: .count),
        ] + Query.terms + Query.ofMessages + Query.ofRequests,
        answer: .json(.record("Matches", members: ["matches": .count])),
        refusals: [412],
        refusal: .unmetExpectation
    )
}

extension RouteDocumentation.Query {
    fileprivate static let subject = RouteDocumentation.Query(
        "for",
        summary: "What to count (default: messages).",
        schema: .names(["messages", "requests"])
    )
    fileprivate static let platform = RouteDocumentation.Query(
        "platform",
        summary: "Only devices of this platform.",
        schema: .names(DevicePlatform.allCases.map(\.rawValue))
    )
    fileprivate static let searchLimit = RouteDocumentation.Query(
        "limit",
        summary: "Maximum number of items (default: 100).",
        schema: .integer(1...Int64(SearchPage.mostItems))
    )
    fileprivate static let searchPage = [
        RouteDocumentation.Query("after", summary: "Number of items to skip.", schema: .count),
        searchLimit,
    ]

    fileprivate static let terms = [
        RouteDocumentation.Query(
            "text",
            summary: "Part of a title, body, data entry, topic, condition, label or tag, "
                + "regardless of case. Of a request: part of any text in its body or path."
        ),
        RouteDocumentation.Query("title", summary: "Only this title."),
        RouteDocumentation.Query("body", summary: "Only this body."),
        RouteDocumentation.Query("data", summary: "A data key, or KEY=VALUE."),
        RouteDocumentation.Query("topic", summary: "Only messages to this topic."),
        RouteDocumentation.Query("condition", summary: "Only messages to this condition."),
        RouteDocumentation.Query("label", summary: "Only this analytics label."),
        RouteDocumentation.Query("registration", summary: "Only this registration."),
        RouteDocumentation.Query(
            "fingerprint",
            summary: "Only the registration with this fingerprint."
        ),
        RouteDocumentation.Query("since", summary: "Earliest time.", schema: .instant),
        RouteDocumentation.Query("until", summary: "Latest time.", schema: .instant),
    ]

    fileprivate static let ofMessages = [
        RouteDocumentation.Query("device", summary: "Only the device with this name."), platform,
        RouteDocumentation.Query("message_id", summary: "Only this message ID."),
        RouteDocumentation.Query(
            "request",
            summary: "Only messages of the request with this number.",
            schema: .integer(from: 1)
        ),
        RouteDocumentation.Query(
            "outcome",
            summary: "Only this outcome.",
            schema: .names(MessageOutcome.allCases.map(\.rawValue))
        ),
        RouteDocumentation.Query(
            "how",
            summary: "Only messages shown in the tray or passed to the app.",
            schema: .names(ReceivedMessage.Manner.allCases.map(\.rawValue))
        ),
        RouteDocumentation.Query("sound", summary: "Only this sound."),
        RouteDocumentation.Query(
            "badge",
            summary: "Only this number on the app's icon.",
            schema: .count
        ),
    ]

    fileprivate static let ofRequests = [
        RouteDocumentation.Query("method", summary: "Only this method."),
        RouteDocumentation.Query("path", summary: "Only paths that begin with this."),
        RouteDocumentation.Query(
            "status",
            summary: "Only answers with this status.",
            schema: .integer(from: 100)
        ),
        RouteDocumentation.Query("error", summary: "Only answers with this error code."),
        RouteDocumentation.Query("fault", summary: "Only requests of this fault rule."),
        RouteDocumentation.Query(
            "control",
            summary: "Also requests to the emulator's own routes (default: false).",
            schema: .flag
        ),
    ]
}

extension OpenAPISchema {
    fileprivate static let foundMessage = record(
        "FoundMessage",
        members: [
            "device": text, "platform": names(DevicePlatform.allCases.map(\.rawValue)),
            "message_id": text, "accepted_at": instant,
            "outcome": names(MessageOutcome.allCases.map(\.rawValue)), "data": map,
        ],
        optional: .content + [
            "registration": text, "fingerprint": text, "number": count, "message_id_key": text,
            "received_at": instant, "how": text, "delay": text, "priority_lowered": flag,
            "opened_at": instant, "waits_for": text, "expires_at": instant, "dropped_at": instant,
            "undefined_by_fcm": flag, "decrypted": object,
            "not_decrypted": names(OpenedMessage.Reason.allCases.map(\.rawValue)),
        ]
    )

    /// An error in Google's format; with status 412, also the expected number, the matches, and the newest messages
    /// or requests of the project, whether they match or not.
    fileprivate static let unmetExpectation = record(
        "ExpectationError",
        members: ["error": googleStatus],
        optional: [
            "matches": count,
            "expected": record(
                "ExpectedMatches",
                members: [:],
                optional: ["at_least": count, "at_most": count]
            ),
            "messages": list(foundMessage), "requests": list(foundRequest), "total": count,
            "last": count, "newest_messages": list(foundMessage),
            "newest_requests": list(foundRequest),
        ]
    )

    fileprivate static let foundRequest = record(
        "FoundRequest",
        members: [
            "seq": count, "time": instant, "method": text, "path": text, "status": count,
        ],
        optional: [
            "project": text, "target": object, "title": text, "body": text, "data": anything,
            "validate_only": flag, "message_id": text, "error": text, "reason": text,
            "fault": text,
        ]
    )
}
