import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionNeverTrue = RulePage(
        .conditionNeverTrue,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension ConditionRule {
    /// What it does: works out the condition for every set of subscriptions to its topics.
    ///
    /// Why is this bad: a condition that is never true reaches nobody, and FCM takes it in silence.
    ///
    /// Example: `'tides' in topics && !('tides' in topics)`
    static let conditionNeverTrue = ConditionRule(.conditionNeverTrue) { declared in
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
            help: ["it asks for a topic and against it at once; take one of the two out"]
        )
    }
}
