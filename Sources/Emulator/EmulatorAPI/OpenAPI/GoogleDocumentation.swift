import DeliveryModel

extension OpenAPISchema {
    /// `{"error": {code, message, status, details}}`.
    static let googleError = record("Error", members: ["error": googleStatus])

    static let googleStatus = record(
        "Status",
        members: ["code": count, "message": text, "status": text],
        optional: ["details": list(object)]
    )

    /// `{"error": "…"}`, the error format of the Instance ID API.
    fileprivate static let instanceIDError = record("InstanceIDError", members: ["error": text])

    fileprivate static let batch = record(
        "MembershipBatch",
        members: ["to": text, "registration_tokens": list(text)]
    )

    fileprivate static let batchAnswer = record(
        "MembershipResults",
        members: [
            "results": list(record("MembershipResult", members: [:], optional: ["error": text]))
        ]
    )
}

/// Google's APIs.
extension RouteDocumentation {
    static let send = RouteDocumentation(
        "Sends a message, or checks one with validate_only.",
        body: .json(.shape(.sendRequest)),
        answer: .json(.record("SentMessage", members: ["name": .text])),
        refusals: [403, 404, 429],
        needsBearer: true
    )

    static let batchAdd = membershipBatch("Subscribes registrations to a topic.")

    static let batchRemove = membershipBatch("Unsubscribes registrations from a topic.")

    private static func membershipBatch(_ summary: String) -> RouteDocumentation {
        RouteDocumentation(
            summary,
            body: .json(.batch),
            answer: .json(.batchAnswer),
            refusals: [429],
            refusal: .any(of: .instanceIDError, .googleError),
            needsBearer: true
        )
    }

    static let info = RouteDocumentation(
        "Shows the subscriptions of a registration.",
        query: [Query("details", summary: "Include the topics.")],
        answer: .json(
            .record(
                "InstanceIDInfo",
                members: [
                    "application": .text, "applicationVersion": .text,
                    "authorizedEntity": .text, "platform": .text,
                ],
                optional: [
                    "rel": .record(
                        "InstanceIDRelations",
                        members: [:],
                        optional: ["topics": .object]
                    )
                ]
            )
        ),
        refusal: .any(of: .instanceIDError, .googleError),
        needsBearer: true
    )
}

/// Single requests of the Instance ID API.
extension RouteDocumentation {
    static let batchImport = RouteDocumentation(
        "Creates an Apple device for each APNs token.",
        body: .json(
            .record(
                "TokenImport",
                members: ["application": .text, "sandbox": .flag, "apns_tokens": .list(.text)]
            )
        ),
        answer: .json(
            .record(
                "ImportResults",
                members: [
                    "results": .list(
                        .record(
                            "ImportResult",
                            members: ["apns_token": .text, "status": .text],
                            optional: ["registration_token": .text]
                        )
                    )
                ]
            )
        ),
        refusal: .any(of: .instanceIDError, .googleError),
        needsBearer: true
    )

    static let join = membership("Subscribes a registration to a topic.")
    static let leave = membership("Unsubscribes a registration from a topic.")

    private static func membership(_ summary: String) -> RouteDocumentation {
        RouteDocumentation(
            summary,
            answer: .json(.empty),
            refusals: [400, 429],
            refusal: .any(of: .instanceIDError, .googleError),
            needsBearer: true
        )
    }
}

/// Device groups.
extension RouteDocumentation {
    static let changeGroup = RouteDocumentation(
        "Creates or changes a device group; requires the header project_id.",
        body: .json(
            .record(
                "GroupChange",
                members: ["operation": .names(["create", "add", "remove"])],
                optional: [
                    "notification_key_name": .text, "notification_key": .text,
                    "registration_ids": .list(.text),
                ]
            )
        ),
        answer: .json(.group),
        refusal: .any(of: .instanceIDError, .googleError),
        needsBearer: true
    )

    static let group = RouteDocumentation(
        "Shows the key of a device group; requires the header project_id.",
        query: [Query("notification_key_name", summary: "The group's name.")],
        answer: .json(.group),
        refusal: .any(of: .instanceIDError, .googleError),
        needsBearer: true
    )
}

/// Topic subscriptions of the v1 API.
extension RouteDocumentation {
    static let createSubscription = RouteDocumentation(
        "Subscribes a registration to a topic.",
        query: [Query("topicName", summary: "The topic.")],
        body: .json(.anySubscription),
        answer: .json(.subscription),
        refusals: [403, 409, 429],
        needsBearer: true
    )

    static let subscriptions = RouteDocumentation(
        "Lists the topics of a registration.",
        query: [
            Query(
                "pageSize",
                summary: "Maximum number of topics per page, up to 2,000 (default: 1,000)."
            ),
            Query("pageToken", summary: "The next_page_token of the previous page."),
        ],
        answer: .json(
            .record(
                "TopicSubscriptions",
                members: [:],
                optional: [
                    "topic_subscriptions": .list(.subscription), "next_page_token": .text,
                ]
            )
        ),
        refusals: [400, 403],
        needsBearer: true
    )

    static let subscription = RouteDocumentation(
        "Shows a subscription and its creation time.",
        answer: .json(.subscription),
        refusals: [400, 403],
        needsBearer: true
    )

    static let ensureSubscription = RouteDocumentation(
        "Subscribes a registration to a topic unless it is subscribed.",
        query: [
            allowMissing("Create the subscription if it is missing."),
            Query("updateMask", summary: "Has no effect."),
        ],
        body: .json(.anySubscription),
        answer: .json(.subscription),
        refusals: [403, 429],
        needsBearer: true
    )

    static let deleteSubscription = RouteDocumentation(
        "Unsubscribes a registration from a topic.",
        query: [
            allowMissing("Succeed if the subscription is missing."),
            Query("updateMask", summary: "Has no effect."),
        ],
        answer: .json(.empty),
        refusals: [400, 403, 429],
        needsBearer: true
    )

    private static func allowMissing(_ summary: String) -> Query {
        Query("allowMissing", summary: summary, schema: .names(["true", "false"]))
    }
}

extension OpenAPISchema {
    fileprivate static let group = record("Group", members: ["notification_key": text])

    fileprivate static let subscription = record(
        "TopicSubscription",
        members: ["name": text, "topic_name": text, "create_time": instant]
    )

    /// The body that a request may have; all its members are output only.
    fileprivate static let anySubscription = shape(.topicSubscription)
}
