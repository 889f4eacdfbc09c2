import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let conditionUselessTopic = RulePage(
        .conditionUselessTopic,
        whatItDoes: "Finds topics that change nothing for any set of subscriptions.",
        whyIsThisBad: "Their author believed that they narrow or widen the audience.",
        example: """
            campaign: spring-tide
            audience:
              condition: "'tides' in topics || ('tides' in topics && 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

extension ConditionRule {
    static let conditionUselessTopic = ConditionRule(.conditionUselessTopic) { declared in
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
