import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionTooManyMentions = RulePage(
        .conditionTooManyMentions,
        whatItDoes: """
            Counts how often a condition names topics, the same topic as often as it is named.
            """,
        whyIsThisBad: """
            FCM takes five topics in a condition and doesn't say that it counts a repeated one \
            once. What is certain to be taken has five mentions.
            """,
        example: """
            campaign: lagoon-tides
            audience:
              condition: >-
                ('tides' in topics && 'azores' in topics)
                || ('tides' in topics && 'madeira' in topics)
                || ('tides' in topics && 'algarve' in topics)
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, azores: {}, madeira: {}, algarve: {} }
            """,
        useInstead: """
            campaign: lagoon-tides
            audience:
              condition: >-
                'tides' in topics
                && ('azores' in topics || 'madeira' in topics || 'algarve' in topics)
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, azores: {}, madeira: {}, algarve: {} }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
    static let conditionTooManyMentions = ConditionRule(
        .conditionTooManyMentions
    ) { declared in
        let mentions = declared.condition.mentions
        guard mentions.count > Condition.maximumMentions else { return [] }
        return [.conditionTooManyMentions(declared, mentions[Condition.maximumMentions])]
    }
}

extension Diagnostic {
    fileprivate static func conditionTooManyMentions(
        _ declared: ConditionDeclaration,
        _ sixth: Condition.Mention
    ) -> Diagnostic {
        let condition = declared.condition
        let topics = condition.topics.count
        let shorter = condition.canonical.flatMap {
            $0.mentionCount <= Condition.maximumMentions ? $0.text : nil
        }
        return Diagnostic(
            rule: .conditionTooManyMentions,
            message: "the condition names topics \(condition.mentions.count) times, "
                + (topics == 1 ? "always the same one" : "\(topics) different ones"),
            span: declared.span(of: sixth.range),
            label: "the sixth; only five are sure to be taken",
            help: [
                shorter.map { "this means the same: \($0)" }
                    ?? "split it into campaigns whose conditions exclude each other"
            ],
            fix: shorter.flatMap {
                declared.fix(
                    condition.syntax.range,
                    with: $0,
                    condition.isClear ? .safe : .suggested
                )
            }
        )
    }
}

extension Condition {
    /// Whether no reading changes the meaning and every topic has an effect, so no other rule
    /// reports it.
    fileprivate var isClear: Bool { ambiguousChains.isEmpty && truth.uselessTopics.isEmpty }
}
