import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionNegationsOnly = RulePage(
        .conditionNegationsOnly,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension ConditionRule {
    /// What it does: looks for a topic that isn't negated.
    ///
    /// Why is this bad: FCM refuses a condition of negations only with 400 INVALID_ARGUMENT.
    ///
    /// Example: `!('beta' in topics)`
    ///
    /// Use instead: `'tides' in topics && !('beta' in topics)`
    static let conditionNegationsOnly = ConditionRule(.conditionNegationsOnly) { declared in
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
