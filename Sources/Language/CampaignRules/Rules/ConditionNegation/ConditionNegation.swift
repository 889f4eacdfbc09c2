import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionNegation = Rule.ofConditions(.conditionNegation) { declared in
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
            message: "the condition uses `!`, which FCM no longer documents",
            span: first,
            label: "undocumented operator",
            related: others.map { RelatedPlace(span: $0, message: "also here") },
            help: ["rewrite the condition with `&&`, `||` and parentheses"]
        )
    }
}
