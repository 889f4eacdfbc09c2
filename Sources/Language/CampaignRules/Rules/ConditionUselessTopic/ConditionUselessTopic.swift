import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionUselessTopic = Rule.ofConditions(.conditionUselessTopic) { declared in
        let truth = declared.condition.truth
        guard !truth.isNeverTrue, !truth.isAlwaysTrue else { return [] }
        return truth.uselessTopics.compactMap { .conditionUselessTopic($0, in: declared) }
    }
}

extension Diagnostic {
    fileprivate static func conditionUselessTopic(
        _ topic: Topic,
        in declared: ConditionDeclaration
    ) -> Diagnostic? {
        let condition = declared.condition
        let places = condition.mentions.filter { $0.topic == topic }
            .map { declared.span(of: $0.range) }
        guard let canonical = condition.canonical, let first = places.first else { return nil }
        return Diagnostic(
            rule: .conditionUselessTopic,
            message: "topic `\(topic)` has no effect on the condition",
            span: first,
            label: "the audience is the same without it",
            related: places.dropFirst().filter { $0 != first }.map {
                RelatedPlace(span: $0, message: "also has no effect here")
            },
            help: ["write the equivalent condition: \(canonical.text)"],
            fix: declared.fix(condition.syntax.range, with: canonical.text)
        )
    }
}
