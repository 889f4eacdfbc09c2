package import CampaignLoading
package import Diagnostics

/// A check of one condition, in a campaign or on the command line.
package struct ConditionRule: Sendable {
    package let page: RulePage
    package let findings: @Sendable (ConditionDeclaration) -> [Diagnostic]

    init(
        _ page: RulePage,
        findings: @escaping @Sendable (ConditionDeclaration) -> [Diagnostic]
    ) {
        self.page = page
        self.findings = findings
    }
}

extension Rule {
    /// Checks the conditions of all campaigns.
    init(_ rule: ConditionRule) { self.init(rule.page, .condition(rule.findings)) }
}

extension ConditionDeclaration {
    /// The findings of all condition rules.
    package var findings: [Diagnostic] { conditionRules.flatMap { $0.findings(self) } }
}

/// Every rule that needs only a condition.
package let conditionRules: [ConditionRule] = [
    .conditionNeverTrue,
    .conditionReachesEverybody,
    .conditionNegationsOnly,
    .conditionMixedOperators,
    .conditionUselessTopic,
    .conditionTooManyMentions,
    .conditionNegation,
    .topicPrefix,
]
