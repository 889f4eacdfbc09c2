import JSON
package import Planning

/// Renders the plan as JSON.
///
/// Contains fingerprints instead of registrations.
package struct PlanJSONView: Sendable {
    package init() {}

    /// Returns the JSON document.
    ///
    /// `projectOnWire`: the project's ID in FCM. `knowsState`: whether the plan was made from the
    /// environment's state; otherwise it has no digest.
    package func render(
        _ plan: Plan,
        projectOnWire: String,
        knowsState: Bool = true
    ) -> String {
        let document = PlanJSON.Document(
            plan: plan,
            summary: PlanSummary(plan),
            projectOnWire: projectOnWire,
            knowsState: knowsState
        )
        return JSONValue.object(PlanJSON.document.json(of: document)).prettyText + "\n"
    }
}
