import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionReachesEverybody = RulePage(
        .conditionReachesEverybody,
        whatItDoes: "Finds conditions that are true for an app instance with none of their topics.",
        whyIsThisBad: """
            `!` matches app instances that never subscribed to anything, so such a condition \
            reaches nearly everybody who has the app.
            """,
        example: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "'tides' in topics || !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "'tides' in topics && !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
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
