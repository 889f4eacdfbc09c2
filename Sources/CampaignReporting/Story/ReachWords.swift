import CampaignModel
import CampaignPlanning

/// How many app instances a topic or condition reaches, and how that is known.
struct ReachWords {
    let topics: [Topic: PlannedTopic]

    /// At most so many; nil where nothing tells.
    ///
    /// `&&` reaches at most the smaller side, `||` at most both together; of a negation nothing is
    /// known.
    func upperBound(of expression: Condition.Expression) -> Int? {
        switch expression {
        case .subscribed(let topic): return size(of: topic)
        case .not: return nil
        case .all(let left, let right):
            return [upperBound(of: left), upperBound(of: right)].compactMap(\.self).min()
        case .any(let left, let right):
            guard let left = upperBound(of: left), let right = upperBound(of: right) else {
                return nil
            }
            return left.addingReportingOverflow(right).partialValue
        }
    }

    /// As the project declares, else what the lists that are kept subscribed add up to.
    func size(of topic: Topic) -> Int? {
        guard let planned = topics[topic] else { return nil }
        return planned.reach ?? planned.known
    }

    /// How many a topic has, and which audiences are kept in it.
    func sentences(about topic: Topic) -> [String] {
        let reach = topics[topic]?.reach.map { "\($0.grouped) by declared reach." }
        return [reach ?? "Nobody declares how many are in the topic."] + kept(in: topic)
    }

    /// The estimate of a condition, and how it is made.
    func sentences(about condition: Condition) -> [String] {
        let expression = condition.canonical ?? condition.expression
        let bound = upperBound(of: expression)
        let made = words(expression)
        let estimate =
            bound.map { "At most \($0.grouped) by declared reach: \(made)." }
            ?? "How many they are can't be told: \(made)."
        return [estimate] + condition.topics.flatMap(kept)
    }

    /// `the smaller of tides 40,000 and azores 9,000 + madeira 7,000`.
    private func words(_ expression: Condition.Expression) -> String {
        switch expression {
        case .subscribed(let topic):
            "\(topic) \(size(of: topic).map(\.grouped) ?? "(unknown)")"
        case .not(let operand): "all but \(words(operand))"
        case .all:
            "the smallest of " + expression.conjuncts.map(inner).joined(by: "and")
        case .any: expression.disjuncts.map(inner).joined(separator: " + ")
        }
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

extension PlannedTopic {
    /// Nil where no list is kept subscribed.
    fileprivate var known: Int? { kept.isEmpty ? nil : kept.reduce(0) { $0 + $1.count } }
}
