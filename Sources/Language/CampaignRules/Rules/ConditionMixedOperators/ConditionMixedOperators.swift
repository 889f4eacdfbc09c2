import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionMixedOperators = Rule.ofConditions(.conditionMixedOperators) { declared in
        declared.condition.ambiguousChains.map { .conditionMixedOperators($0, in: declared) }
    }
}

extension Diagnostic {
    fileprivate static func conditionMixedOperators(
        _ chain: ConditionSyntax.Chain,
        in declared: ConditionDeclaration
    ) -> Diagnostic {
        let condition = declared.condition
        let written = chain.text(.leftToRight, in: condition.text)
        var others = [ConditionReading.andBeforeOr, .rightToLeft].map {
            chain.text($0, in: condition.text)
        }
        if others[0] == others[1] { others.removeLast() }
        return Diagnostic(
            rule: .conditionMixedOperators,
            message: "`&&` and `||` are mixed without parentheses",
            span: declared.span(of: chain.firstMixed?.range ?? chain.range),
            label: "the order of evaluation is unclear",
            help: ["FCM evaluates from left to right: \(written)"]
                + others.filter { $0 != written }.map { "if you mean another order: \($0)" },
            fix: declared.fix(chain.range, with: written)
        )
    }
}
