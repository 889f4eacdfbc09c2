import CampaignModel
package import Planning

/// Renders the guard outcomes of a plan as text.
package struct GuardTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// Renders every refusal with its fix.
    package func renderRefusals(_ plan: Plan) -> String {
        style.folded(
            plan.refusals.flatMap { lines($0, of: plan.environment) }
                .map { $0 + "\n" }.joined()
        )
    }

    /// `environment`: needed if the outcome is about the whole run.
    func lines(_ outcome: GuardOutcome, of environment: EnvironmentID? = nil) -> [String] {
        let text = GuardWording(outcome, environment: environment)
        let word = style.paint(outcome.verdict.name.rawValue, in: outcome.verdict.tone)
        let head =
            "  \(word) \(outcome.guard.rawValue): \(TextStyle.safe(text.subject)): "
            + TextStyle.safe(text.reason)
        return switch outcome.verdict {
        case .acknowledged(_, let reason): [head + " (\(TextStyle.safe(reason)))"]
        case .refused:
            [head, "    fix: \(TextStyle.safe(text.wayOut)) (override: \(outcome.guard.option))"]
        case .bypassed: [head + " (\(outcome.guard.option))"]
        }
    }
}

extension GuardVerdict {
    fileprivate var tone: TextStyle.Tone {
        if case .refused = self { .bad } else { .attention }
    }
}
