/// The routes for the request log, the clock and snapshots.
extension RouteDocumentation {
    static let requests = RouteDocumentation(
        "Lists the recorded requests, the oldest first.",
        query: [
            Query("after", summary: "Only requests with a higher number.", schema: .count),
            Query(
                "limit",
                summary: "Maximum number of items.",
                schema: .integer(from: 1)
            ),
            Query("method", summary: "Only this method."),
            Query("path", summary: "Only paths that begin with this."),
            Query(
                "status",
                summary: "Only answers with this status.",
                schema: .integer(from: 100)
            ),
        ],
        answer: .json(
            .record(
                "Requests",
                members: [
                    "requests": .list(
                        .record(
                            "RecordedRequest",
                            members: [
                                "seq": .count, "time": .instant, "method": .text, "path": .text,
                                "body": .anything, "status": .count,
                                "answer": .anything,
                            ],
                            optional: ["fault": .fault, "project": .text, "project_id": .text]
                        )
                    ),
                    "last": .count,
                ]
            )
        )
    )

    static let counters = RouteDocumentation(
        "Counts the sends in the request log by content.",
        query: [Query("after", summary: "Only requests with a higher number.", schema: .count)],
        answer: .json(
            .record(
                "Counters",
                members: [
                    "contents": .list(.record("ContentCounter", members: .counter)), "last": .count,
                ]
            )
        )
    )

    static let counter = RouteDocumentation(
        "Counts the sends of one content by target.",
        query: [Query("after", summary: "Only requests with a higher number.", schema: .count)],
        answer: .json(
            .record(
                "TargetCounters",
                members: .counter + ["targets": .list(.targetCounter), "last": .count]
            )
        )
    )

    static let clock = RouteDocumentation("Shows the model clock.", answer: .json(.clock))

    static let setClock = RouteDocumentation(
        "Sets the mode and time of the model clock, or advances it.",
        body: .json(.shape(.clock)),
        answer: .json(.clock)
    )

    static let snapshot = RouteDocumentation(
        "Exports every device with its subscriptions and messages.",
        answer: .json(.shape(.snapshot))
    )

    static let restore = RouteDocumentation(
        "Replaces all devices with those of a snapshot.",
        body: .json(.shape(.snapshot)),
        answer: .json(.record("RestoredDevices", members: ["restored": .count]))
    )
}

extension OpenAPISchema {
    package static let clock = record(
        "ClockReading",
        members: ["mode": names(["real", "frozen", "running"]), "time": instant, "rate": number]
    )

    fileprivate static let targetCounter = record(
        "TargetCounter",
        members: ["accepted": count, "refused": count, "validated": count],
        optional: ["token": text, "fid": text, "topic": text, "condition": text]
    )

    fileprivate static let answerCounter = record(
        "AnswerCounter",
        members: ["status": count, "code": text, "count": count]
    )
}

extension OpenAPISchema.Members {
    fileprivate static let counter: Self = [
        "digest": .text, "message": .objectOrNull,
        "accepted": .count, "refused": .count, "validated": .count, "registrations": .count,
        "topics": .count, "conditions": .count, "answers": .list(.answerCounter),
    ]
}
