import State

/// A table whose rows are the same in both databases.
struct MovedTable {
    let name: String
    /// All columns that both databases have.
    let columns: [String]
    /// Whether it numbers its rows in `id`; a number of a removed row is not used again.
    var isNumbered = false

    private init(_ name: String, _ columns: String, isNumbered: Bool = false) {
        self.name = name
        self.columns = columns.split(separator: ", ").map(String.init)
        self.isNumbered = isNumbered
    }

    /// The columns of `meta`, without the marks of a single database.
    static let meta = MovedTable(
        "meta",
        "id, lineage, serial, fingerprint_key, keys, project_id, membership_transport, "
            + "environment, approvals"
    )

    /// Each table comes after those that it refers to.
    static let all = [
        MovedTable(
            "runs",
            "id, status, command, \"user\", host, process, began, ended, cause, commit_id, dirty, "
                + "ci_run, ci_actor, digest, bypasses, approvals, serial, " + OutcomeTally.columns,
            isNumbered: true
        ),
        MovedTable(
            "plans",
            "id, digest, serial, made, \"user\", host, size, content",
            isNumbered: true
        ),
        MovedTable(
            "units",
            "id, kind, target, count, block, ids, compacted, commits, released, capped, "
                + OutcomeTally.columns,
            isNumbered: true
        ),
        MovedTable("outcome_details", "unit, request, detail"),
        MovedTable(
            "occurrences",
            "campaign, slot, revision, status, due, message, deduplication_key, hold, objective, "
                + "reached, rollout, recall, kept, unit, run"
        ),
        MovedTable(
            "definitions",
            "campaign, content, slots_after, sending, list, reviewed, run"
        ),
        MovedTable(
            "people",
            "id, list, identity, timezone, current, count, identities, zones",
            isNumbered: true
        ),
        MovedTable("people_chunks", "people, first, checksum, keys"),
        MovedTable("contact_windows", "unit, number, people, begins, zone, mark, returned"),
        MovedTable("exposures", "unit, people, begins, experiment, arms"),
        MovedTable("exposure_chunks", "unit, first, checksum, arms"),
        MovedTable("subject_outcomes", "unit, event, name, arm, subject, at, value"),
        MovedTable("result_plans", "campaign, experiment, outcome, content"),
        MovedTable("result_looks", "campaign, experiment, outcome, at, content"),
        MovedTable("android_deliveries", "label, day, app, accepted, delivered"),
        MovedTable(
            "lists",
            "id, digest, kind, columns, count, pending, name",
            isNumbered: true
        ),
        MovedTable("scopes", "id, audience, topic, joined, counted", isNumbered: true),
        MovedTable("scope_counts", "scope, status, members"),
        MovedTable(
            "membership_segments",
            "id, scope, level, count, target, bits, done, last_page",
            isNumbered: true
        ),
        MovedTable("membership_chunks", "segment, last, first, count, checksum, records"),
        MovedTable(
            "registration_pages",
            "id, scope, checksum, registrations",
            isNumbered: true
        ),
        MovedTable("membership_aims", "audience, topic, list, run"),
        MovedTable("dead", "fingerprint, since"),
        MovedTable("upstream_position", "id, inbox, number"),
        MovedTable("opt_outs", "fingerprint, since"),
        MovedTable("upstream_exclusions", "topic, fingerprint, since"),
        MovedTable("upstream_members", "rule, fingerprint, registration"),
        MovedTable("upstream_answers", "campaign, name, inbox, number, fingerprint, at"),
        MovedTable("device_groups", "name, whole"),
        MovedTable("device_group_members", "name, fingerprint"),
        MovedTable("pauses", "campaign, since, \"user\", host"),
        MovedTable("runners", "host, process, command, since, seen, lists, standby"),
        MovedTable("traffic", "kind, round_trip, rate, at"),
        MovedTable(
            "resolutions",
            "id, campaign, slot, revision, resolution, unknown, \"user\", host, at",
            isNumbered: true
        ),
        MovedTable(
            "run_sendings",
            "run, campaign, slot, revision, repeated, capped, problems, " + OutcomeTally.columns
        ),
        MovedTable("run_memberships", "run, audience, topic, joins, leaves, refusals, upstream"),
        MovedTable("chain", "number, run, content, hash"),
    ]
}
