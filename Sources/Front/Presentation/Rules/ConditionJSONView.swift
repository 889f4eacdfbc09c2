package import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
package import JSON

/// Renders a condition's truth table and findings as JSON.
package struct ConditionJSONView: Sendable {
    package init() {}

    /// Keys: `expression` as given; `canonical`, null if the condition is always true or never
    /// true; `topics`; `rows`, one per set of subscriptions; `findings`.
    package func value(_ declaration: ConditionDeclaration) -> JSONValue {
        let condition = declaration.condition
        let truth = condition.truth
        return .object([
            "expression": .string(condition.text),
            "canonical": condition.canonical.map { .string($0.text) } ?? .null,
            "topics": Self.array(truth.topics),
            "rows": .array(
                truth.rows.map { row in
                    .object([
                        "subscribed": Self.array(row.subscribed), "reached": .bool(row.isReached),
                    ])
                }
            ),
            "findings": .array(
                declaration.findings.map { finding in
                    .object([
                        "rule": .string(finding.rule.rawValue),
                        "severity": .string(finding.severity.rawValue),
                        "message": .string(finding.message),
                    ])
                }
            ),
        ])
    }

    private static func array(_ topics: [Topic]) -> JSONValue {
        .array(topics.map { .string($0.name) })
    }
}
