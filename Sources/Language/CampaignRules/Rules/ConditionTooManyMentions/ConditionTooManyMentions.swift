import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionTooManyMentions = Rule.ofConditions(
        .conditionTooManyMentions
    ) { declared in
        let mentions = declared.condition.mentions
        guard mentions.count > Condition.maximumMentions else { return [] }
        return [.conditionTooManyMentions(in: declared, sixth: mentions[Condition.maximumMentions])]
    }
}

extension Diagnostic {
    fileprivate static func conditionTooManyMentions(
        in declared: ConditionDeclaration,
        sixth: Condition.Mention
    ) -> Diagnostic {
        let condition = declared.condition
        let topics = condition.topics.count
        let shorter = condition.canonical.flatMap {
            $0.mentionCount <= Condition.maximumMentions ? $0.text : nil
        }
        return Diagnostic(
            rule: .conditionTooManyMentions,
            message: "the condition names topics \(condition.mentions.count) times, "
                + (topics == 1 ? "always the same one" : "\(topics) of them different"),
            span: declared.span(of: sixth.range),
            label: "the sixth; FCM may refuse more than five",
            help: [
                shorter.map { "write the equivalent condition: \($0)" }
                    ?? "split it into campaigns whose conditions exclude each other"
            ],
            fix: shorter.flatMap {
                declared.fix(
                    condition.syntax.range,
                    with: $0,
                    applicability: condition.isClear ? .safe : .suggested
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
