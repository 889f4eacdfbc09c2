import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionNeverTrue = RulePage(
        .conditionNeverTrue,
        whatItDoes: """
            Finds conditions that are false for every set of subscriptions to their topics.
            """,
        whyIsThisBad: "Such a condition reaches nobody, and FCM takes it in silence.",
        example: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "'tides' in topics && !('tides' in topics || 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "'tides' in topics && !('madeira' in topics || 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
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
