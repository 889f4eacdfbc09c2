extension OpenAPISchema {
    /// `{"error": {code, message, status, details}}`.
    static let googleError = record(
        "Error",
        [
            "error": record(
                "Status",
                ["code": count, "message": text, "status": text, "details": list(object)]
            )
        ]
    )

    /// `{"error": "…"}`, as the Instance ID API refuses.
    fileprivate static let instanceIDError = record("InstanceIDError", ["error": text])

    fileprivate static let batch = record(
        "MembershipBatch",
        ["to": text, "registration_tokens": list(text)]
    )

    fileprivate static let batchAnswer = record(
        "MembershipResults",
        ["results": list(record("MembershipResult", [:], optional: ["error": text]))]
    )
}

/// Google's APIs.
extension RouteDocumentation {
    static let send = RouteDocumentation(
        "Sends a message, or checks one with validate_only.",
        body: .json(.shape(.sendRequest)),
        answer: .json(.record("SentMessage", ["name": .text])),
        needsBearer: true
    )

    static let batchAdd = membershipBatch("Subscribes registrations to a topic.")

    static let batchRemove = membershipBatch("Unsubscribes registrations from a topic.")

    private static func membershipBatch(_ summary: String) -> RouteDocumentation {
        RouteDocumentation(
            summary,
            body: .json(.batch),
            answer: .json(.batchAnswer),
            refusal: .any(of: .instanceIDError, .googleError),
            needsBearer: true
        )
    }

    static let info = RouteDocumentation(
        "Says what a registration is subscribed to.",
        query: [Query("details", "With true the topics are told too.")],
        answer: .json(
            .record(
                "InstanceIDInfo",
                ["application": .text, "authorizedEntity": .text, "platform": .text],
                optional: [
                    "rel": .record("InstanceIDRelations", [:], optional: ["topics": .object])
                ]
            )
        ),
        refusal: .any(of: .instanceIDError, .googleError),
        needsBearer: true
    )
}
