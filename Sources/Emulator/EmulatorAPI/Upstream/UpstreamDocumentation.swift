import DeliveryModel

extension RouteDocumentation {
    static let sendUpstream = RouteDocumentation(
        "Sends a message from the app to its app server, as with `sendMessage`.",
        body: .json(.shape(.upstreamSend)),
        answer: .json(
            .record(
                "UpstreamCall",
                members: ["message_id": .text, "category": .text, "connected": .flag],
                optional: ["to": .text]
            )
        )
    )

    static let upstreamMessages = RouteDocumentation(
        "Lists the messages of a device to its app server, and what happened to them.",
        query: Query.page,
        answer: .json(
            .record(
                "UpstreamMessages",
                members: [
                    "messages": .list(.upstreamMessage), "connected": .flag, "last": .count,
                    "total": .count,
                ]
            )
        )
    )

    static let upstream = RouteDocumentation(
        "Counts the messages of the devices to their app servers, and the XMPP connections.",
        answer: .json(
            .record(
                "UpstreamCounts",
                members: [
                    "waiting": .count, "sent": .count, "acknowledged": .count, "failed": .count,
                    "connections": .count,
                ]
            )
        )
    )

    static let acknowledgeUpstream = RouteDocumentation(
        "Acknowledges a message of a device, as an app server does over XMPP.",
        body: .json(.shape(.upstreamAcknowledgement)),
        answer: .json(.record("AcknowledgedUpstream", members: ["device": .text]))
    )

    static let drainUpstream = RouteDocumentation(
        "Announces the end of the project's XMPP connections with CONNECTION_DRAINING.",
        answer: .json(.empty)
    )
}

extension OpenAPISchema {
    fileprivate static let error = names(ClientFailure.allCases.map(\.rawValue))

    fileprivate static let upstreamMessage = record(
        "UpstreamMessage",
        members: [
            "number": count, "message_id": text, "category": text, "data": map,
            "time_to_live": .number, "created_at": instant, "expires_at": instant,
            "state": names(["waiting", "sent", "acknowledged", "failed"]),
            "callbacks": list(
                record(
                    "UpstreamCallback",
                    members: [
                        "callback": names(["success", "failure"]), "at": instant,
                        "decided_at": instant,
                    ],
                    optional: ["error": error]
                )
            ),
        ],
        optional: [
            "to": text, "sent_at": instant, "acknowledged_at": instant, "failed_at": instant,
            "error": error,
        ]
    )
}
