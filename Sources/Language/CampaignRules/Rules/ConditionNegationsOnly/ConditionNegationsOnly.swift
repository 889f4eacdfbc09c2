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
            message: "the condition consists of negations only",
            span: declared.span,
            label: "FCM answers 400 INVALID_ARGUMENT",
            help: ["add a topic that has to be subscribed to: `'NAME' in topics && …`"]
        )
    }
}
