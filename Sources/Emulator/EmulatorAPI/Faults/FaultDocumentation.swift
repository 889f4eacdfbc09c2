/// The routes for fault scripts.
extension RouteDocumentation {
    static let faults = RouteDocumentation(
        "Shows the fault script and how often each rule matched and fired.",
        answer: .json(.faultPlan)
    )

    static let setFaults = RouteDocumentation(
        "Replaces the fault script.",
        body: .json(.shape(.faultScript)),
        answer: .json(.faultPlan)
    )

    static let clearFaults = RouteDocumentation(
        "Removes all fault rules; the seed is kept.",
        answer: .json(.faultPlan)
    )
}

extension OpenAPISchema {
    /// The recorded description of a fault.
    static let fault = record(
        "Fault",
        members: [
            "rule": .text, "what": .text,
            "effect": .names(["performed", "performed twice", "withheld"]),
        ],
        optional: [
            "except": .list(.count),
            "concealed": .record(
                "ConcealedAnswer",
                members: ["status": .count, "answer": .anything]
            ),
        ]
    )

    fileprivate static let faultPlan = record(
        "FaultPlan",
        members: [
            "seed": .count,
            "rules": .list(
                .record(
                    "FaultCounts",
                    members: ["id": .text, "matched": .count, "fired": .count],
                    optional: [
                        "match": .shape(.faultMatcher), "when": .shape(.faultOccasion),
                        "accepted": .flag, "duplicate": .flag, "answer": .shape(.faultAnswer),
                        "delivery": .shape(.faultDelivery),
                    ]
                )
            ),
        ]
    )
}
