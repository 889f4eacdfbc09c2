import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionNegationsOnly = Rule.ofConditions(.conditionNegationsOnly) { declared in
        declared.condition.hasNegationsOnly ? [.conditionNegationsOnly(declared)] : []
    }
}

extension Diagnostic {
    fileprivate static func conditionNegationsOnly(
        _ declared: ConditionDeclaration
    ) -> Diagnostic {
        Diagnostic(
            rule: .conditionNegationsOnly,
            message: "the condition contains only negated topics",
            span: declared.span,
            label: "FCM refuses this with 400 INVALID_ARGUMENT",
            help: ["require at least one topic: `'NAME' in topics && …`"]
        )
    }
}
