extension RouteDocumentation {
    static let messages = RouteDocumentation(
        "Counts what became of messages on the devices.",
        query: [
            Query("ids", "The messages: up to 100 ids with commas between them."),
            Query("label", "In place of ids: the messages with this analytics label."),
        ],
        answer: .json(
            .record(
                "MessageFates",
                [
                    "messages": .list(
                        .record(
                            "MessageFate",
                            [
                                "message_id": .text, "accepted_at": .instant, "devices": .count,
                                "outcomes": .object, "delays": .object, "shown": .count,
                                "opened": .count,
                            ],
                            optional: ["label": .text]
                        )
                    )
                ]
            )
        )
    )

    static let deliveryData = RouteDocumentation(
        "Counts what became of an Android app's messages, by day and analytics label.",
        query: [
            Query("pageSize", "How many at most; 1,000 where nothing is said, never over 10,000."),
            Query("pageToken", "The nextPageToken of the page before."),
        ],
        answer: .json(
            .record(
                "DeliveryData",
                [:],
                optional: ["androidDeliveryData": .list(.object), "nextPageToken": .text]
            )
        ),
        refusals: [400],
        needsBearer: true
    )
}
