package import CampaignPlanning

/// The refusals of a plan, for people.
package struct RefusalTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// Each with its way out.
    package func render(_ plan: Plan) -> String {
        plan.refusals.map { outcome in
            let text = GuardText(outcome, environment: plan.environment)
            return """
                  \(style.paint("refused", .bad)) \(outcome.guard.rawValue): \
                \(TextStyle.safe(text.subject)): \(TextStyle.safe(text.reason))
                    way out: \(TextStyle.safe(text.wayOut)); or \(outcome.guard.option)

                """
        }.joined()
    }
}
