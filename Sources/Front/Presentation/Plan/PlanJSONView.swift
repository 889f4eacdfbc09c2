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
    /// environment's state; otherwise it has no digest. `isFull`: whether it lists all registrations
    /// and not a sample of each set.
    package func render(
        _ plan: Plan,
        projectOnWire: String,
        knowsState: Bool = true,
        isFull: Bool = false
    ) -> String {
        let document = PlanJSON.Document(
            plan: plan,
            summary: PlanSummary(plan),
            projectOnWire: projectOnWire,
            knowsState: knowsState,
            limit: isFull ? nil : PlanJSON.sampleSize
        )
        return JSONValue.object(PlanJSON.document.json(of: document)).prettyText + "\n"
    }
}
