package import JSON
import RunControl

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
            "A line of `herald apply --json`. Later versions with the same first number may add members and events.",
        "oneOf": .array(EventName.allCases.map { ref($0.rawValue) }),
        "definitions": .object(definitions),
    ]

    private static let definitions = JSONObject(
        EventName.allCases.map { name in
            let (about, members) = content(of: name)
            let head: JSONObject = [
                "format": [
                    "type": "string", "pattern": "^1\\.[0-9]+$",
                    "description": "Additions raise the second number, other changes the first.",
                ],
                "event": ["const": .string(name.rawValue)], "at": moment,
            ]
            return JSONObject.Member(
                key: name.rawValue,
                value: object(
                    about,
                    members: head.followed(by: members),
                    optional: optional(in: name)
                )
            )
        }
    )

    private static func content(of name: EventName) -> (about: String, members: JSONObject) {
        switch name {
        case .plan: ("The plan that is applied.", planMembers)
        case .runBegan:
            ("The run is recorded.", ["run": number("Number of the run in the history.")])
        case .phaseBegan:
            (
                "A phase began: leaving, joining, reading or sending.",
                phaseMembers.followed(by: ["total": total])
            )
        case .phaseProgressed: ("Progress of a phase, at most once per second.", progressMembers)
        case .phaseEnded: ("A phase ended, successfully or not.", progressMembers)
        case .settling:
            ("A send waits for joins to settle.", ["seconds": number("Seconds from now.")])
        case .pausing: ("No new requests are sent for a time.", pauseMembers)
        case .note:
            ("Additional information.", ["note": text("`token-renewed` or `transport-chosen`.")])
        case .request: ("A request. Only with `--verbose`.", requestMembers)
        case .sending: ("Results that this run added to an occurrence.", sendingMembers)
        case .result: ("The result, in the last line.", resultMembers)
        }
    }

    /// The members that appear only in some lines of an event.
    private static func optional(in name: EventName) -> JSONObject {
        switch name {
        case .phaseBegan, .phaseProgressed, .phaseEnded:
            [
                "audience": text("Audience that joins or leaves."), "topic": text("Topic."),
                "campaign": text("Campaign that is sent."),
                "occurrence": text("campaign/slot/revision"),
            ]
        case .note: ["transport": text("Transport from now on."), "because": text("FCM's answer.")]
        default: [:]
        }
    }

    private static let planMembers: JSONObject = [
        "digest": ["type": "string", "pattern": "^[0-9a-f]{40}@[0-9]+$"],
        "project": text("Name."), "environment": text("Name."),
        "has_changes": ["type": "boolean"], "joins": number("Number of registrations."),
        "leaves": number("Number of registrations."), "sends": number("Occurrences that are due."),
        "requests": number("Requests that the plan needs."),
    ]

    private static let phaseMembers: JSONObject = [
        "phase": ["enum": ["leaving", "joining", "reading", "sending"]]
    ]

    private static let progressMembers: JSONObject = phaseMembers.followed(by: [
        "total": total, "done": number("Registrations or requests with a final outcome."),
        "counts": object(
            "Outcomes.",
            members: [
                "done": number("Accepted, joined or left."), "refused": number("Refused by FCM."),
                "unknown": number("Outcome unknown."),
            ]
        ),
        "per_second": numberOrNull("Current rate."),
        "seconds_left": numberOrNull("At the current rate."),
    ])

    private static let pauseMembers: JSONObject = [
        "reason": ["enum": .array(pauseReasons)],
        "seconds": ["type": "number", "description": "Seconds from now."],
    ]

    private static let requestMembers: JSONObject = [
        "method": text("HTTP method."),
        "url": text("URL without the query. Registrations are replaced by fingerprints."),
        "status": numberOrNull("HTTP status."),
        "failure": textOrNull("Reason if there is no status."),
        "seconds": ["type": "number", "description": "Duration in seconds."],
    ]

    private static let sendingMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"), "campaign": text("Name."),
        "counts": counts, "repeated": number("Requests that were repeated under policy."),
    ]

    private static let resultMembers: JSONObject = [
        "exit_code": number("Exit code of the command."),
        "error": textOrNull("Reason why the command stopped."),
        "joined": number("Number of registrations."), "left": number("Number of registrations."),
        "refused": number("Registrations that FCM refused to subscribe or unsubscribe."),
        "counts": counts,
        "not_begun": number("Requests of occurrences that were planned but not started."),
        "too_late": number("Occurrences that were too late."),
        "held": occurrences, "paused": occurrences, "stopped": occurrences,
        "waiting": occurrences,
    ]
}

// MARK: - Parts

extension EventSchema {
    private static var pauseReasons: [JSONValue] {
        PauseReason.allCases.map { .string($0.rawValue) }
    }

    private static let total = number("Number of registrations or requests.")

    private static let occurrences: JSONValue = [
        "type": "array", "items": text("campaign/slot/revision"),
    ]

    private static let counts: JSONValue = {
        let names = [
            "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "not_sent",
        ]
        let members = names.map { JSONObject.Member(key: $0, value: number("Number of requests.")) }
        return object("Requests by outcome.", members: JSONObject(members))
    }()

    private static let moment: JSONValue = [
        "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$",
    ]

    /// Allows additional members, because minor versions add some.
    private static func object(
        _ about: String,
        members: JSONObject,
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
