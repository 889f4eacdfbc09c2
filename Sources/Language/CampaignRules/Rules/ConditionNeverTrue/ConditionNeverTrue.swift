import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionNeverTrue = Rule.ofConditions(.conditionNeverTrue) { declared in
        declared.condition.truth.isNeverTrue ? [.conditionNeverTrue(declared)] : []
    }
}

extension Diagnostic {
    fileprivate static func conditionNeverTrue(_ declared: ConditionDeclaration) -> Diagnostic {
        Diagnostic(
            rule: .conditionNeverTrue,
            message: "the condition is never true",
            span: declared.span,
            label: "false for every set of subscriptions",
            help: ["the condition requires a topic and excludes it; remove one of the two"]
        )
    }
}
