import JSON

/// The JSON Schema (draft-07) of the JSON plan.
///
/// Specifies the required members and their types. Allows additional members, because later plans
/// with the same major version may have some.
package enum PlanJSONSchema {
    package static let fileName = "plan.schema.json"

    package static var text: String { document.prettyText + "\n" }

    private static var document: JSONValue {
        let major = PlanJSONView.formatVersion.prefix { $0 != "." }
        var schema = object(
            "The changes that `herald apply` would make, as written by `herald plan --format json` "
                + "and `--out`.",
            required: [
                "format_version": text(
                    "Additions raise the second number, other changes the first.",
                    pattern: "^\(major)\\.[0-9]+$"
                ),
                "project": string, "environment": string, "lineage": string, "now": moment,
                "digest": text(
                    "Hash of `reviewed`, and the serial of the state that the plan was made from.",
                    pattern: "^[0-9a-f]{40}@[0-9]+$"
                ),
                "has_changes": boolean, "summary": summary,
                "memberships": array(membership), "campaigns": array(campaign),
                "notices": array(notice), "guards": array(guardOutcome), "left_out": count,
                "requests": array(request), "reviewed": reviewed,
                "checksum": text(
                    "SHA-256 of all other members, as compact JSON with sorted keys.",
                    pattern: "^[0-9a-f]{64}$"
                ),
            ]
        )
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
        schema["$id"] = "urn:herald:schema:plan"
        schema["title"] = "Herald plan"
        return .object(schema)
    }

    // MARK: - Parts

    private static var summary: JSONValue {
        let keys = [
            "joins", "leaves", "forgotten", "noted", "sends", "scheduled", "changed", "removed",
            "expired", "stopped", "paused", "requests",
        ]
        return .object(
            object(
                "Counts of the planned changes.",
                required: JSONObject(keys.map { JSONObject.Member(key: $0, value: count) })
            )
        )
    }

    private static var membership: JSONValue {
        .object(
            object(
                "Fingerprints of the registrations that join or leave a topic for an audience.",
                required: [
                    "audience": string, "topic": string, "joins": array(fingerprint),
                    "leaves": array(fingerprint), "forgotten": array(fingerprint),
                    "noted": array(fingerprint),
                ]
            )
        )
    }

    private static var notice: JSONValue {
        .object(
            object(
                "A remark for reviewers; `notice` is its kind, which determines the other members.",
                required: ["notice": string],
                optional: [
                    "campaign": string, "field": string, "platforms": array(string), "due": moment,
                    "gap_seconds": integer, "moved_from": string, "audience": string,
                    "topic": string, "count": count, "occurrence": occurrence, "seconds": integer,
                ]
            )
        )
    }

    private static var guardOutcome: JSONValue {
        .object(
            object(
                "A guard whose limit is exceeded; `outcome` is `acknowledged`, `refused` or "
                    + "`bypassed`.",
                required: [
                    "guard": string, "outcome": string, "reason": string, "way_out": string,
                    "bypass": string,
                ],
                optional: [
                    "campaign": string, "audience": string, "topic": string,
                    "acknowledged": string,
                ]
            )
        )
    }

    private static var request: JSONValue {
        .object(
            object(
                "One request, or one per item of `registrations`, which differ only in that item.",
                required: ["method": string, "path": string, "body": ["type": "object"]],
                optional: [
                    "audience": string, "campaign": string, "registrations": array(fingerprint),
                ]
            )
        )
    }

    private static var reviewed: JSONValue {
        let campaign = object(
            "The complete definition of a campaign to record, or `gone` if it was removed.",
            required: ["campaign": string],
            optional: [
                "definition": ["type": "object"], "occurrence": occurrence, "renamed_from": string,
                "gone": boolean,
            ]
        )
        let who = JSONValue.object(
            object(
                "Count and hash of registrations.",
                required: ["count": count, "members": contentID]
            )
        )
        let membership = object(
            "The registrations that join or leave a topic for an audience.",
            required: [
                "audience": string, "topic": string, "joins": who, "leaves": who,
                "forgotten": who, "noted": who, "rejoin": boolean,
                "wanted": boolean,
            ],
            optional: [
                "list": .object(
                    object(
                        "Size and content hash of the list.",
                        required: ["count": count, "id": contentID]
                    )
                )
            ]
        )
        let reviewedGuard = object(
            "Outcome of a guard; `refused` even if it is bypassed.",
            required: ["guard": string, "outcome": string],
            optional: ["campaign": string, "audience": string, "topic": string]
        )
        return .object(
            object(
                "The input of the digest: SHA-256 of this object as compact JSON with sorted keys.",
                required: [
                    "format": integer, "project": string, "environment": string,
                    "lineage": string, "project_id": string,
                    "campaigns": array(.object(campaign)),
                    "memberships": array(.object(membership)),
                    "guards": array(.object(reviewedGuard)),
                ]
            )
        )
    }
}

// MARK: - Campaigns

extension PlanJSONSchema {
    private static var campaign: JSONValue {
        var schema = object(
            "An action on a campaign or one of its occurrences.",
            required: ["campaign": string, "action": string],
            optional: [
                "occurrence": occurrence, "due": moment, "was_due": moment, "requests": count,
                "deduplication_key": string, "hold": string, "unknown": count, "missed": count,
                "more_missed": boolean, "first_due": moment, "last_due": moment, "fails": boolean,
                "occurrences": array(occurrence), "revision": integer, "sent_revision": integer,
                "from": string, "message": ["type": "object"], "paused": pause,
                "audience": audience, "changes": array(change),
            ]
        )
        schema["allOf"] = .array(
            actions.map { name, keys in
                [
                    "if": ["properties": ["action": ["const": .string(name)]]],
                    "then": ["required": .array(keys.map(JSONValue.string))],
                ]
            }
        )
        return .object(schema)
    }

    /// The additional keys of each action.
    ///
    /// Actions that are not listed have only a name.
    private static let actions: [(name: String, keys: [String])] = [
        ("send", ["occurrence", "due", "requests", "message", "audience"]),
        ("resume", ["occurrence", "due", "requests", "message"]),
        ("lapse", ["occurrence", "due", "requests", "message"]),
        ("paused", ["occurrence", "due", "requests", "message", "paused"]),
        ("held", ["occurrence", "due", "requests", "message", "hold"]),
        ("schedule", ["occurrence", "due", "message", "audience"]),
        ("reschedule", ["occurrence", "was_due", "due", "message", "audience"]),
        ("redefine", ["due", "message", "audience", "changes"]),
        ("expire", ["occurrence", "due"]), ("skip", ["occurrence", "due"]),
        (
            "miss",
            ["missed", "more_missed", "first_due", "last_due", "fails", "occurrences"]
        ),
        ("unschedule", ["occurrence", "was_due"]), ("lowered", ["revision", "sent_revision"]),
        ("stopped", ["occurrence", "unknown"]), ("rename", ["from"]),
        ("cancel", []), ("already_sent", []), ("ended", []), ("retire", []), ("unchanged", []),
    ]

    private static var pause: JSONValue {
        .object(
            object(
                "The pause: its scope, start, user and host.",
                required: ["scope": string, "since": moment, "user": string, "host": string]
            )
        )
    }

    private static var audience: JSONValue {
        .object(
            object(
                "The audience of a send.",
                required: [:],
                optional: [
                    "topic": string, "reach": nullable("integer"), "condition": string,
                    "group": string, "list": nullable("string"),
                    "registrations": nullable("integer"),
                ]
            )
        )
    }

    private static var change: JSONValue {
        .object(
            object(
                "A field that differs from the last applied definition; null if absent.",
                required: ["path": string, "before": true, "after": true]
            )
        )
    }
}

// MARK: - Values

extension PlanJSONSchema {
    private static func object(
        _ description: String,
        required: JSONObject,
        optional: JSONObject = [:]
    ) -> JSONObject {
        let keys = required.members.map { JSONValue.string($0.key) }
        return [
            "type": "object",
            "description": .string(description),
            "required": .array(keys),
            "properties": .object(JSONObject(required.members + optional.members)),
        ]
    }

    private static func array(_ items: JSONValue) -> JSONValue {
        ["type": "array", "items": items]
    }

    private static func text(_ description: String? = nil, pattern: String) -> JSONValue {
        var schema: JSONObject = ["type": "string", "pattern": .string(pattern)]
        schema["description"] = description.map(JSONValue.string)
        return .object(schema)
    }

    private static func nullable(_ type: String) -> JSONValue {
        ["type": [.string(type), "null"]]
    }

    private static let string: JSONValue = ["type": "string"]
    private static let boolean: JSONValue = ["type": "boolean"]
    private static let integer: JSONValue = ["type": "integer"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    private static let fingerprint = text(pattern: "^[0-9a-f]{16}$")
    private static let contentID = text(pattern: "^[0-9a-f]{64}$")
    private static let moment = text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$")
    private static let occurrence = text(pattern: "^[^/]+/[^/]+/[0-9]+$")
}
