import CampaignModel
import Planning

/// How many app instances a topic or condition reaches, and how that is known.
struct ReachWords {
    private let topics: [Topic: PlannedTopic]
    private let estimate: ReachEstimate

    init(topics: [Topic: PlannedTopic]) {
        self.topics = topics
        estimate = ReachEstimate(sizes: topics.compactMapValues(\.size))
    }

    /// At most so many; nil where nothing tells.
    func upperBound(of condition: Condition) -> Int? {
        estimate.upperBound(of: .condition(condition))
    }

    /// Nil where nothing tells.
    func size(of topic: Topic) -> Int? {
        topics[topic]?.size
    }

    /// How many a topic has, and which audiences are kept in it.
    func sentences(about topic: Topic) -> [String] {
        [count(of: topic)] + kept(in: topic)
    }

    private func count(of topic: Topic) -> String {
        let least = topics[topic]?.keptCount
        guard let size = size(of: topic) else {
            return least.map { "At least \($0.counting("device")); the reach is not declared." }
                ?? "The topic's reach is not declared."
        }
        return isDeclared(topic)
            ? "\(size.counting("device")) (declared reach)."
            : "At least \(size.counting("device")): the managed lists exceed the declared reach."
    }

    /// Whether no list that is kept subscribed is longer than the declared reach.
    private func isDeclared(_ topic: Topic) -> Bool { topics[topic]?.reach == size(of: topic) }

    /// The estimate of a condition, and how it is made.
    func sentences(about condition: Condition) -> [String] {
        let bound = upperBound(of: condition)
        let made = words(condition.expression)
        let source =
            condition.topics.allSatisfy(isDeclared)
            ? "declared reach" : "declared reach and managed lists"
        let estimate =
            bound.map { "At most \($0.counting("device")) by \(source): \(made)." }
            ?? "The reach is unknown: \(made)."
        return [estimate] + condition.topics.flatMap(kept)
    }

    /// `the smaller of tides 40,000 and azores 9,000 + madeira 7,000`.
    private func words(_ expression: Condition.Expression) -> String {
        switch expression {
        case .subscribed(let topic):
            "\(topic) \(size(of: topic)?.grouped ?? unknown(topic))"
        case .not(let operand): "all but \(words(operand))"
        case .all:
            "the smallest of " + expression.conjuncts.map(inner).joined(by: "and")
        case .any: expression.disjuncts.map(inner).joined(separator: " + ")
        }
    }

    private func unknown(_ topic: Topic) -> String {
        let least = topics[topic]?.keptCount
        return least.map { "(at least \($0.grouped), reach not declared)" } ?? "(not declared)"
    }

    private func inner(_ expression: Condition.Expression) -> String {
        if case .all = expression { return "(\(words(expression)))" }
        return words(expression)
    }

    private func kept(in topic: Topic) -> [String] {
        (topics[topic]?.kept ?? []).map { kept in
            "Audience \(kept.audience) keeps \(kept.count.counting("registration")) in \(topic)."
        }
    }
}

extension Condition.Expression {
    fileprivate var conjuncts: [Condition.Expression] {
        if case .all(let left, let right) = self {
            left.conjuncts + right.conjuncts
        } else {
            [self]
        }
    }

    fileprivate var disjuncts: [Condition.Expression] {
        if case .any(let left, let right) = self {
            left.disjuncts + right.disjuncts
        } else {
            [self]
        }
    }
}
