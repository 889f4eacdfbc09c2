import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionNegationsOnly = RulePage(
        .conditionNegationsOnly,
        whatItDoes: "Finds conditions in which every topic is negated.",
        whyIsThisBad: "FCM refuses a condition of negations only with 400 INVALID_ARGUMENT.",
        example: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "!('azores' in topics || 'madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic holds everybody else
              condition: "'tides' in topics && !('azores' in topics || 'madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
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
