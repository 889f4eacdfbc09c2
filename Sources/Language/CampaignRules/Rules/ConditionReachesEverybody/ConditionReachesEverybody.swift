import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionReachesEverybody = Rule.ofConditions(
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
            message: "the condition reaches registrations that are subscribed to none of its "
                + "topics",
            span: declared.span,
            label: declared.condition.truth.isAlwaysTrue
                ? "true for every set of subscriptions" : "true without any subscription",
            help: ["require at least one topic: `'NAME' in topics && …`"]
        )
    }
}
