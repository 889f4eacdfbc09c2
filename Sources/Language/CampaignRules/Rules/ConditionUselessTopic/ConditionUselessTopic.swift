import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let conditionUselessTopic = Rule.ofConditions(.conditionUselessTopic) { declared in
        let truth = declared.condition.truth
        guard !truth.isNeverTrue, !truth.isAlwaysTrue else { return [] }
        return truth.uselessTopics.compactMap { .conditionUselessTopic($0, declared) }
    }
}

extension Diagnostic {
    fileprivate static func conditionUselessTopic(
        _ topic: Topic,
        _ declared: ConditionDeclaration
    ) -> Diagnostic? {
        let condition = declared.condition
        let places = condition.mentions.filter { $0.topic == topic }
            .map { declared.span(of: $0.range) }
        guard let canonical = condition.canonical, let first = places.first else { return nil }
        return Diagnostic(
            rule: .conditionUselessTopic,
            message: "topic `\(topic)` changes nothing in this condition",
            span: first,
            label: "the same are reached without it",
            related: places.dropFirst().filter { $0 != first }.map {
                RelatedPlace(span: $0, message: "nor here")
            },
            help: ["this means the same: \(canonical.text)"],
            fix: declared.fix(condition.syntax.range, with: canonical.text)
        )
    }
}
