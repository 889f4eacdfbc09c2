import JSON
package import Planning

/// Renders the plan as JSON.
///
/// Contains fingerprints instead of registrations.
package struct PlanJSONView: Sendable {
    package init() {}

    package func render(_ plan: Plan, projectOnWire: String) -> String {
        let document = PlanJSON.Document(
            plan: plan,
            summary: PlanSummary(plan),
            projectOnWire: projectOnWire
        )
        return JSONValue.object(PlanJSON.document.json(of: document)).prettyText + "\n"
    }
}
