import Applying
package import JSON

/// The JSON Schema (draft-07) of a line of `herald apply --json`.
package enum EventSchema {
    package static let fileName = "events.schema.json"

    /// The complete text of the schema file.
    package static var text: String { JSONValue.object(root).prettyText + "\n" }

    package static let root: JSONObject = [
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:herald:schema:events",
        "title": "Herald events",
        "description":
            "A line of what `herald apply --json` writes. Later versions of the same first number may add members and events.",
        "oneOf": .array(EventName.allCases.map { ref($0.rawValue) }),
        "definitions": .object(definitions),
    ]

    private static let definitions = JSONObject(
        EventName.allCases.map { name in
            let (about, members) = content(of: name)
            let head: JSONObject = [
                "format": [
                    "type": "string", "pattern": "^1\\.[0-9]+$",
                    "description": "Additions raise the second number, anything else the first.",
                ],
                "event": ["const": .string(name.rawValue)], "at": moment,
            ]
            return JSONObject.Member(
                key: name.rawValue,
                value: object(about, head.followed(by: members), optional: optional(in: name))
            )
        }
    )

    private static func content(of name: EventName) -> (about: String, members: JSONObject) {
        switch name {
        case .plan: ("What is about to be done.", planMembers)
        case .runBegan: ("The run is recorded.", ["run": number("Its number in the history.")])
        case .phaseBegan:
            ("Leaving, joining, reading or sending.", phaseMembers.followed(by: ["total": total]))
        case .phaseProgressed: ("At most once a second.", progressMembers)
        case .phaseEnded: ("The phase came to its end, whatever end.", progressMembers)
        case .settling:
            ("A send waits for joins to settle.", ["seconds": number("How long from now on.")])
        case .pausing: ("Nothing new goes out for a while.", pauseMembers)
        case .note:
            ("Something worth knowing.", ["note": text("`token-renewed` or `transport-chosen`.")])
        case .request: ("A request, with `--verbose`.", requestMembers)
        case .sending: ("What this run added to a sending.", sendingMembers)
        case .result: ("The last line.", resultMembers)
        }
    }

    /// The members that appear only in some lines of an event.
    private static func optional(in name: EventName) -> JSONObject {
        switch name {
        case .phaseBegan, .phaseProgressed, .phaseEnded:
            [
                "audience": text("Who joins or leaves."), "topic": text("Which topic."),
                "campaign": text("What is sent."), "occurrence": text("campaign/slot/revision"),
            ]
        case .note: ["transport": text("Chosen from now on."), "because": text("FCM's answer.")]
        default: [:]
        }
    }

    private static let planMembers: JSONObject = [
        "digest": ["type": "string", "pattern": "^[0-9a-f]{40}@[0-9]+$"],
        "project": text("Its name."), "environment": text("Its name."),
        "has_changes": ["type": "boolean"], "joins": number("Registrations."),
        "leaves": number("Registrations."), "sends": number("Sendings that are due."),
        "requests": number("All that the plan would make."),
    ]

    private static let phaseMembers: JSONObject = [
        "phase": ["enum": ["leaving", "joining", "reading", "sending"]]
    ]

    private static let progressMembers: JSONObject = phaseMembers.followed(by: [
        "total": total, "done": number("How many have their last outcome."),
        "counts": object(
            "What became of them.",
            [
                "done": number("Accepted, joined or left."), "refused": number("By FCM."),
                "unknown": number("Nobody can say."),
            ]
        ),
        "per_second": numberOrNull("Lately."), "seconds_left": numberOrNull("At that rate."),
    ])

    private static let pauseMembers: JSONObject = [
        "reason": ["enum": .array(pauseReasons)],
        "seconds": ["type": "number", "description": "How long from now on."],
    ]

    private static let requestMembers: JSONObject = [
        "method": text("HTTP's."),
        "url": text("Without its query; a registration in it stands as its fingerprint."),
        "status": numberOrNull("HTTP's."), "failure": textOrNull("Why there is no status."),
        "seconds": ["type": "number", "description": "How long it took."],
    ]

    private static let sendingMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"), "campaign": text("Its name."),
        "counts": counts, "repeated": number("How many were repeated under policy."),
    ]

    private static let resultMembers: JSONObject = [
        "exit_code": number("The command's."), "error": textOrNull("Why it stopped."),
        "joined": number("Registrations."), "left": number("Registrations."),
        "refused": number("Registrations that FCM refused to join or leave."), "counts": counts,
        "not_begun": number("Requests of sendings that were planned and not begun."),
        "too_late": number("Occurrences whose moment had passed."),
        "held": occurrences, "paused": occurrences, "stopped": occurrences,
        "waiting": occurrences,
    ]
}

// MARK: - Parts

extension EventSchema {
    private static var pauseReasons: [JSONValue] {
        PauseReason.allCases.map { .string($0.rawValue) }
    }

    private static let total = number("Registrations or requests.")

    private static let occurrences: JSONValue = [
        "type": "array", "items": text("campaign/slot/revision"),
    ]

    private static let counts: JSONValue = {
        let names = [
            "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "not_sent",
        ]
        let members = names.map { JSONObject.Member(key: $0, value: number("How many.")) }
        return object("How many requests.", JSONObject(members))
    }()

    private static let moment: JSONValue = [
        "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$",
    ]

    /// Allows additional members, because minor versions add some.
    private static func object(
        _ about: String,
        _ members: JSONObject,
        optional: JSONObject = [:]
    ) -> JSONValue {
        [
            "type": "object", "description": .string(about),
            "required": .array(members.members.map { .string($0.key) }),
            "properties": .object(members.followed(by: optional)),
        ]
    }

    private static func ref(_ name: String) -> JSONValue {
        ["$ref": .string("#/definitions/\(name)")]
    }

    private static func text(_ about: String) -> JSONValue {
        ["type": "string", "description": .string(about)]
    }

    private static func textOrNull(_ about: String) -> JSONValue {
        ["type": ["string", "null"], "description": .string(about)]
    }

    private static func number(_ about: String) -> JSONValue {
        ["type": "integer", "description": .string(about)]
    }

    private static func numberOrNull(_ about: String) -> JSONValue {
        ["type": ["integer", "null"], "description": .string(about)]
    }
}
