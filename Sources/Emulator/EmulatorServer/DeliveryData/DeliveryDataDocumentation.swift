extension RouteDocumentation {
    static let messages = RouteDocumentation(
        "Counts the delivery results of messages on the devices.",
        query: [
            Query("ids", "The messages: up to 100 IDs, separated by commas."),
            Query("label", "Instead of ids: the messages with this analytics label."),
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
        "Counts the delivery results of an Android app's messages, by day and analytics label.",
        query: [
            Query("pageSize", "Maximum number of items, up to 10,000 (default: 1,000)."),
            Query("pageToken", "The nextPageToken of the previous page."),
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
