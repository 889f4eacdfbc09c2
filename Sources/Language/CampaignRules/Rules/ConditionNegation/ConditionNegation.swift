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
            message: "the condition relies on `!`",
            span: first,
            label: "not in FCM's current documents",
            related: others.map { RelatedPlace(span: $0, message: "and here") },
            help: ["FCM's current documents know only `&&`, `||` and parentheses"]
        )
    }
}
