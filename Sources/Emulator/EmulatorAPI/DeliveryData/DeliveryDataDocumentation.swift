extension RouteDocumentation {
    static let messages = RouteDocumentation(
        "Counts the delivery outcomes of messages.",
        query: [
            Query("ids", summary: "Up to 100 message IDs, separated by commas."),
            Query("label", summary: "The messages with this analytics label, instead of `ids`."),
        ],
        answer: .json(
            .record(
                "MessageFates",
                members: [
                    "messages": .list(
                        .record(
                            "MessageFate",
                            members: [
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
        "Counts the delivery outcomes of an Android app by day and analytics label.",
        query: [
            Query(
                "pageSize",
                summary: "Maximum number of items per page, up to 10,000 (default: 1,000)."
            ),
            Query("pageToken", summary: "The nextPageToken of the previous page."),
        ],
        answer: .json(
            .record(
                "DeliveryData",
                members: [:],
                optional: ["androidDeliveryData": .list(.object), "nextPageToken": .text]
            )
        ),
        refusals: [400],
        needsBearer: true
    )
}
