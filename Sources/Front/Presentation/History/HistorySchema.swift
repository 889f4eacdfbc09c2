package import JSON

/// The JSON Schema (draft-07) of `herald history` in JSON.
package enum HistorySchema {
    package static let fileName = "history.schema.json"

    /// The complete text of the schema file.
    package static var text: String { JSONValue.object(root).prettyText + "\n" }

    package static let root: JSONObject = [
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:herald:schema:history",
        "title": "Herald history",
        "description":
            "Output of `herald history --format json`: all runs, one run, its requests joined with a list, or its delivery. `definitions/line` is a line of `--format ndjson`.",
        "oneOf": [ref("list"), ref("one"), ref("join"), ref("delivery")],
        "definitions": .object(definitions),
    ]

    private static let definitions: JSONObject = {
        let version = text("Additions raise the second number, other changes the first.")
        let nothing: JSONValue = ["anyOf": [ref("chain"), ["type": "null"]]]
        return [
            "list": object(
                "All runs, newest first.",
                members: [
                    "format_version": version, "chain": nothing,
                    "runs": array(of: ref("run")),
                ]
            ),
            "one": object(
                "One run.",
                members: [
                    "format_version": version, "chain": ref("chain"),
                    "run": object("The run.", members: runMembers.followed(by: oneMembers)),
                ]
            ),
            "join": object(
                "The list requests of a run.",
                members: [
                    "format_version": version, "run": number("The run."),
                    "requests": array(of: ref("request")),
                ]
            ),
            "delivery": object(
                "Delivery of a run's messages on the devices.",
                members: [
                    "format_version": version, "run": number("The run."),
                    "delivery": array(of: object("An occurrence.", members: deliveryMembers)),
                ]
            ),
            "line": [
                "oneOf": [
                    line("run", members: runMembers),
                    line("membership", members: ofRun(membershipMembers)),
                    line("sending", members: ofRun(sendingMembers)),
                    line("problem", members: problemLine),
                    ref("request"),
                ]
            ],
            "chain": object("Whether the history is unchanged.", members: chainMembers),
            "run": object("A run.", members: runMembers),
            "request": object("A request with the columns of a list.", members: requestMembers),
            "counts": counts,
        ]
    }()

    private static let runMembers: JSONObject = [
        "run": number("Number of the run."),
        "status": choice(["running", "complete", "stopped", "interrupted", "cut_off"]),
        "cause": textOrNull("Reason why it stopped."),
        "command": text("Command."), "user": text("User."), "host": text("Host."),
        "process": number("Process ID."),
        "began": moment, "ended": ["anyOf": [moment, ["type": "null"]]],
        "commit": textOrNull("Commit of the project's files."),
        "dirty": [
            "type": ["boolean", "null"],
            "description": "Whether the project's files differed from the commit.",
        ],
        "ci_run": textOrNull("CI run."),
        "ci_actor": textOrNull("User who started the CI run."),
        "digest": textOrNull("Digest of the reviewed plan."),
        "bypasses": array(of: text("Option that switched off a guard.")),
        "serial": [
            "type": ["integer", "null"], "description": "Serial of the state after the run.",
        ],
        "chain": ["enum": ["intact", "differs", "before", .null]],
        "counts": ref("counts"),
    ]

    private static let oneMembers: JSONObject = [
        "memberships": array(of: object("Changes of a membership.", members: membershipMembers)),
        "sendings": array(
            of: object(
                "Results that it added to an occurrence.",
                members: sendingMembers.followed(by: [
                    "problems": array(
                        of: object(
                            "A request with a problem.",
                            members: problemMembers(kind: "kind")
                        )
                    )
                ])
            )
        ),
    ]

    private static let membershipMembers: JSONObject = [
        "audience": text("Audience."), "topic": text("Topic."),
        "joined": number("Registrations that joined."), "left": number("Registrations that left."),
        "refused": number("Registrations that FCM refused."),
    ]

    private static let deliveryMembers: JSONObject = [
        "occurrence": text("Campaign, slot and revision."),
        "accepted": number("Requests of the run that FCM accepted."),
        "by": ["enum": ["ids", "label", .null]],
        "label": textOrNull("Analytics label that identifies the messages."),
        "devices": numberOrNull("Devices that the messages addressed."),
        "shown": numberOrNull("Number of times that a message was shown."),
        "opened": numberOrNull("Number of times that a notification was tapped."),
        "outcomes": [
            "type": "object", "description": "Devices by FCM's name of the outcome.",
            "additionalProperties": ["type": "integer"],
        ],
    ]

    private static let sendingMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"),
        "target": ["type": ["object", "null"]],
        "message": textOrNull("FCM message ID, if there is a single message."),
        "compacted": textOrNull("Time when outcomes of single requests were deleted (`retain`)."),
        "counts": ref("counts"), "repeated": number("Requests that were repeated under policy."),
    ]

    private static func problemMembers(kind: String) -> JSONObject {
        let kinds = JSONObject([
            JSONObject.Member(key: kind, value: choice(["rejected", "unknown", "repeated"]))
        ])
        return kinds.followed(by: [
            "registration": textOrNull("Fingerprint of the registration."),
            "reason": text("Reason."),
        ])
    }

    private static let problemLine = ofRun(["occurrence": text("campaign/slot/revision")])
        .followed(by: problemMembers(kind: "outcome"))

    private static let requestMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"),
        "request": number("Position in the list, from 1."),
        "registration": textOrNull("Fingerprint of the registration."),
        "outcome": choice([
            "not_sent", "in_flight", "accepted", "rejected", "unknown", "expired", "suppressed",
            "cancelled",
        ]),
        "detail": textOrNull("FCM's reason."), "message": textOrNull("FCM message ID."),
        "columns": ["type": "object", "additionalProperties": ["type": "string"]],
    ]

    private static let chainMembers: JSONObject = [
        "intact": ["type": "boolean"],
        "head": ["type": "string", "pattern": "^[0-9]+@[0-9a-f]{64}$"],
        "runs_before": number("Runs up to this one are from formats without a hash chain."),
        "differences": array(
            of: object(
                "An edit that the hash chain reveals.",
                members: [
                    "run": ["type": ["integer", "null"]],
                    "subject": choice([
                        "run", "sending", "membership", "pause", "resolution", "entry", "serial",
                    ]),
                    "name": textOrNull("Name of the subject."),
                    "finding": choice(["added", "gone", "changed", "broken"]),
                    "values": array(
                        of: object(
                            "A column.",
                            members: [
                                "name": text("Name."),
                                "written": textOrNull("Value that was written."),
                                "found": textOrNull("Current value."),
                            ]
                        )
                    ),
                ]
            )
        ),
        "differences_left_out": number("Number of omitted differences."),
    ]

    private static let counts: JSONValue = {
        let names = [
            "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "not_sent",
        ]
        let members = names.map { JSONObject.Member(key: $0, value: number("Number of requests.")) }
        return object("Requests by outcome.", members: JSONObject(members))
    }()
}

// MARK: - Parts

extension HistorySchema {
    private static func ofRun(_ members: JSONObject) -> JSONObject {
        let run: JSONObject = ["run": number("The run.")]
        return run.followed(by: members)
    }

    private static func line(_ kind: String, members: JSONObject) -> JSONValue {
        let head: JSONObject = ["kind": ["const": .string(kind)]]
        return object("A line of a \(kind).", members: head.followed(by: members))
    }

    /// Allows additional members, because minor versions add some.
    private static func object(_ about: String, members: JSONObject) -> JSONValue {
        [
            "type": "object", "description": .string(about),
            "required": .array(members.members.map { .string($0.key) }),
            "properties": .object(members),
        ]
    }

    private static func ref(_ name: String) -> JSONValue {
        ["$ref": .string("#/definitions/\(name)")]
    }

    private static func array(of element: JSONValue) -> JSONValue {
        ["type": "array", "items": element]
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

    private static func choice(_ names: [String]) -> JSONValue {
        ["enum": .array(names.map { .string($0) })]
    }

    private static let moment: JSONValue = [
        "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$",
    ]
}
