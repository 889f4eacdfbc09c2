import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionNegation = RulePage(
        .conditionNegation,
        whatItDoes: "Finds `!` in a condition.",
        whyIsThisBad: """
            Older editions of FCM's documents have it, the current ones know only `&&`, `||` and \
            parentheses.
            """,
        example: """
            campaign: mainland-tides
            audience:
              condition: "'tides' in topics && !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: mainland-tides
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
    static let conditionNegation = ConditionRule(.conditionNegation) { declared in
        let places = declared.condition.negations.map(declared.span)
        guard let first = places.first else { return [] }
        return [.conditionNegation(first, others: places.filter { $0 != first })]
    }
}

extension Diagnostic {
    fileprivate static func conditionNegation(
        _ first: SourceSpan,
        others: [SourceSpan]
    ) -> Diagnostic {
        Diagnostic(
            rule: .conditionNegation,
            message: "the condition relies on `!`",
            span: first,
            label: "not in FCM's current documents",
            related: others.map { RelatedPlace(span: $0, message: "and here") },
            help: ["FCM's current documents know only `&&`, `||` and parentheses"]
        )
    }
}
