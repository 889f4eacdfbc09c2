/// The SQL that gives a database role the rights that a command needs on a state.
package struct PostgresGrants: Sendable {
    /// What the role may do.
    package enum Purpose: String, CaseIterable, Sendable {
        /// `herald plan`, without registrations, identities or the message IDs of list sends.
        case plan
        /// `herald results`, without a record of the look and without registrations.
        case results
        /// Every command on an existing state.
        case apply
    }

    package let purpose: Purpose
    /// The name of the role.
    package let role: String
    private let hasFrequencyCaps: Bool
    private let schema: String

    /// Describes the rights of one role.
    ///
    /// `hasFrequencyCaps`: whether a role for plans also reads the hashes of identities. A role that
    /// applies always reads them. `schema`: the one with the state's tables.
    package init(
        _ purpose: Purpose,
        to role: String,
        hasFrequencyCaps: Bool = false,
        schema: String = PostgresSchema.name
    ) {
        self.purpose = purpose
        self.role = role
        self.hasFrequencyCaps = hasFrequencyCaps
        self.schema = schema
    }

    /// Statements for the owner of the tables, in one transaction.
    ///
    /// The role loses all other rights on the schema.
    package var sql: String {
        (["BEGIN"] + statements + ["COMMIT"]).map { $0 + ";\n" }.joined()
    }

    var statements: [String] {
        let name = "\"\(role.replacing("\"", with: "\"\""))\""
        let rights = ["GRANT USAGE ON SCHEMA \(schema)"] + rights
        return [
            "REVOKE ALL ON SCHEMA \(schema) FROM \(name)",
            "REVOKE ALL ON ALL TABLES IN SCHEMA \(schema) FROM \(name)",
            "REVOKE ALL ON ALL SEQUENCES IN SCHEMA \(schema) FROM \(name)",
        ] + rights.map { "\($0) TO \(name)" }
    }

    private var rights: [String] {
        switch purpose {
        case .plan: return reading(Self.readable + (hasFrequencyCaps ? [Self.identities] : []))
        case .results: return reading(Self.readable + [Self.identities] + Self.experiments)
        case .apply:
            return [
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema)",
                "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA \(schema)",
                "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA \(schema)",
            ]
        }
    }

    private func reading(_ tables: [String]) -> [String] {
        let whole = tables.map { "\(schema).\($0)" }.joined(separator: ", ")
        let parts = Self.readableColumns.map { table, columns in
            "GRANT SELECT (\(columns)) ON \(schema).\(table)"
        }
        return ["GRANT SELECT ON \(whole)"] + parts
    }
}

// MARK: - Tables

extension PostgresGrants {
    /// The tables that a plan reads, and that have neither registrations nor values of recipients.
    ///
    /// Memberships and dead registrations are fingerprints: keyed hashes. `pauses` and `resolutions`
    /// name the users and machines that paused and resolved. `outcome_details` has the message IDs
    /// of sends to topics, conditions and groups.
    static let readable = [
        "meta", "definitions", "occurrences", "units", "outcome_log", "outcome_final",
        "outcome_details", "people", "contact_windows", "lists", "scopes", "scope_counts",
        "membership_segments", "membership_chunks", "membership_aims", "dead", "pauses",
        "resolutions", "traffic", "upstream_position", "opt_outs", "upstream_exclusions",
    ]

    /// The table with keyed hashes of identities, which a plan reads only for frequency caps.
    ///
    /// Identities can be guessed from the hashes, because `meta` has the key.
    static let identities = "people_chunks"

    /// The tables with arms, outcomes and looks, which only results need.
    static let experiments = [
        "exposures", "exposure_chunks", "subject_outcomes", "result_plans", "result_looks",
        "android_deliveries", "upstream_answers",
    ]

    /// The tables of which a plan reads only some columns.
    ///
    /// The rest of `runs`, `chain` and `worker` names users and machines.
    static let readableColumns = [
        (table: "worker", columns: "commits"), (table: "runs", columns: "id, status"),
        (table: "chain", columns: "number, hash"),
    ]
}
