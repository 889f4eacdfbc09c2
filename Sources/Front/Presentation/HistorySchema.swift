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
            "What `herald history --format json` writes: all runs, one run, its requests joined with a list, or what was delivered of it. `definitions/line` is a line of `--format ndjson`.",
        "oneOf": [ref("list"), ref("one"), ref("join"), ref("delivery")],
        "definitions": .object(definitions),
    ]

    private static let definitions: JSONObject = {
        let version = text("Additions raise the second number, anything else the first.")
        let nothing: JSONValue = ["anyOf": [ref("chain"), ["type": "null"]]]
        return [
            "list": object(
                "All runs, the newest first.",
                [
                    "format_version": version, "chain": nothing,
                    "runs": array(of: ref("run")),
                ]
            ),
            "one": object(
                "One run.",
                [
                    "format_version": version, "chain": ref("chain"),
                    "run": object("The run.", runMembers.followed(by: oneMembers)),
                ]
            ),
            "join": object(
                "The requests of a run to lists.",
                [
                    "format_version": version, "run": number("The run."),
                    "requests": array(of: ref("request")),
                ]
            ),
            "delivery": object(
                "What became of a run's messages on the devices.",
                [
                    "format_version": version, "run": number("The run."),
                    "delivery": array(of: object("A sending.", deliveryMembers)),
                ]
            ),
            "line": [
                "oneOf": [
                    line("run", runMembers), line("membership", ofRun(membershipMembers)),
                    line("sending", ofRun(sendingMembers)), line("problem", problemLine),
                    ref("request"),
                ]
            ],
            "chain": object("Whether all runs are what was written.", chainMembers),
            "run": object("A run.", runMembers),
            "request": object("A request with the columns of a list.", requestMembers),
            "counts": counts,
        ]
    }()

    private static let runMembers: JSONObject = [
        "run": number("Its number."),
        "status": choice(["running", "complete", "stopped", "interrupted", "cut_off"]),
        "cause": textOrNull("Why it stopped."),
        "command": text("What was run."), "user": text("By whom."), "host": text("Where."),
        "process": number("The process id."),
        "began": moment, "ended": ["anyOf": [moment, ["type": "null"]]],
        "commit": textOrNull("The commit of the project's files."),
        "dirty": [
            "type": ["boolean", "null"],
            "description": "Whether the project's files differed from the commit.",
        ],
        "ci_run": textOrNull("The run of the continuous integration."),
        "ci_actor": textOrNull("Who set it off there."),
        "digest": textOrNull("The reviewed plan."),
        "bypasses": array(of: text("A guard's option that was given.")),
        "serial": ["type": ["integer", "null"], "description": "The state's, from then on."],
        "chain": ["enum": ["intact", "differs", "before", .null]],
        "counts": ref("counts"),
    ]

    private static let oneMembers: JSONObject = [
        "memberships": array(of: object("What changed of a membership.", membershipMembers)),
        "sendings": array(
            of: object(
                "What it added to a sending.",
                sendingMembers.followed(by: [
                    "problems": array(
                        of: object("A request worth a look.", problemMembers(kind: "kind"))
                    )
                ])
            )
        ),
    ]

    private static let membershipMembers: JSONObject = [
        "audience": text("The list."), "topic": text("The topic."),
        "joined": number("How many joined."), "left": number("How many left."),
        "refused": number("How many FCM refused."),
    ]

    private static let deliveryMembers: JSONObject = [
        "occurrence": text("Campaign, slot and revision."),
        "accepted": number("Requests of the run that FCM accepted."),
        "by": ["enum": ["ids", "label", .null]],
        "label": textOrNull("The analytics label that stands for the messages."),
        "devices": numberOrNull("Devices that the messages were for."),
        "shown": numberOrNull("How often a system showed one."),
        "opened": numberOrNull("How often a notification was tapped."),
        "outcomes": [
            "type": "object", "description": "Devices by FCM's word for what became of a message.",
            "additionalProperties": ["type": "integer"],
        ],
    ]

    private static let sendingMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"),
        "target": ["type": ["object", "null"]],
        "message": textOrNull("FCM's id, of a single message."),
        "compacted": textOrNull("When what became of single requests was dropped (`retain`)."),
        "counts": ref("counts"), "repeated": number("How many were repeated under policy."),
    ]

    private static func problemMembers(kind: String) -> JSONObject {
        let kinds = JSONObject([
            JSONObject.Member(key: kind, value: choice(["rejected", "unknown", "repeated"]))
        ])
        return kinds.followed(by: [
            "registration": textOrNull("A fingerprint."), "reason": text("Why."),
        ])
    }

    private static let problemLine = ofRun(["occurrence": text("campaign/slot/revision")])
        .followed(by: problemMembers(kind: "outcome"))

    private static let requestMembers: JSONObject = [
        "occurrence": text("campaign/slot/revision"),
        "request": number("Its place in the list that was sent to, from 1."),
        "registration": textOrNull("A fingerprint."),
        "outcome": choice([
            "not_sent", "in_flight", "accepted", "rejected", "unknown", "expired", "suppressed",
            "cancelled",
        ]),
        "detail": textOrNull("FCM's reason."), "message": textOrNull("FCM's id."),
        "columns": ["type": "object", "additionalProperties": ["type": "string"]],
    ]

    private static let chainMembers: JSONObject = [
        "intact": ["type": "boolean"],
        "head": ["type": "string", "pattern": "^[0-9]+@[0-9a-f]{64}$"],
        "runs_before": number("Runs up to this one are of formats without a chain."),
        "differences": array(
            of: object(
                "Something that is not what was written.",
                [
                    "run": ["type": ["integer", "null"]],
                    "subject": choice([
                        "run", "sending", "membership", "pause", "resolution", "entry", "serial",
                    ]),
                    "name": textOrNull("Which one."),
                    "finding": choice(["added", "gone", "changed", "broken"]),
                    "values": array(
                        of: object(
                            "A column.",
                            [
                                "name": text("Its name."),
                                "written": textOrNull("As it was written."),
                                "found": textOrNull("As it is."),
                            ]
                        )
                    ),
                ]
            )
        ),
        "differences_left_out": number("How many more there are."),
    ]

    private static let counts: JSONValue = {
        let names = [
            "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "not_sent",
        ]
        let members = names.map { JSONObject.Member(key: $0, value: number("How many.")) }
        return object("How many requests.", JSONObject(members))
    }()
}

// MARK: - Parts

extension HistorySchema {
    private static func ofRun(_ members: JSONObject) -> JSONObject {
        let run: JSONObject = ["run": number("The run.")]
        return run.followed(by: members)
    }

    private static func line(_ kind: String, _ members: JSONObject) -> JSONValue {
        let head: JSONObject = ["kind": ["const": .string(kind)]]
        return object("A line of a \(kind).", head.followed(by: members))
    }

    /// Allows additional members, because minor versions add some.
    private static func object(_ about: String, _ members: JSONObject) -> JSONValue {
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
