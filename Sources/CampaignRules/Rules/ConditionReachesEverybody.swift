import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionReachesEverybody = RulePage(
        .conditionReachesEverybody,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension ConditionRule {
    /// What it does: works out the condition for an app instance with none of its topics.
    ///
    /// Why is this bad: `!` matches app instances that never subscribed to anything, so a condition
    /// that is true for them reaches nearly everybody who has the app.
    ///
    /// Example: `'tides' in topics || !('beta' in topics)`
    ///
    /// Use instead: `'tides' in topics && !('beta' in topics)`
    static let conditionReachesEverybody = ConditionRule(
        .conditionReachesEverybody
    ) { declared in
        let condition = declared.condition
        guard condition.truth.reachesTheUnsubscribed, !condition.hasNegationsOnly else {
            return []
        }
        return [.conditionReachesEverybody(declared)]
    }
}

extension Diagnostic {
    fileprivate static func conditionReachesEverybody(
        _ declared: ConditionDeclaration
    ) -> Diagnostic {
        Diagnostic(
            rule: .conditionReachesEverybody,
            message: "the condition reaches everybody who is subscribed to none of its topics",
            span: declared.span,
            label: declared.condition.truth.isAlwaysTrue
                ? "true for every set of subscriptions" : "true without any subscription",
            help: ["join what is negated by `&&` to a topic that has to be subscribed to"]
        )
    }
}
