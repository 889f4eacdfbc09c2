import CampaignModel
import Planning

/// Describes the reach of a topic or condition and its source.
struct ReachWording {
    private let topics: [Topic: PlannedTopic]
    private let estimate: ReachEstimate

    init(topics: [Topic: PlannedTopic]) {
        self.topics = topics
        estimate = ReachEstimate(sizes: topics.compactMapValues(\.size))
    }

    /// The maximum reach; nil if unknown.
    func upperBound(of condition: Condition) -> Int? {
        estimate.upperBound(of: .condition(condition))
    }

    /// Nil if unknown.
    func size(of topic: Topic) -> Int? {
        topics[topic]?.size
    }

    /// For a summary: `40,000 devices`, `at least 12 devices`, `reach unknown`.
    func brief(_ topic: Topic) -> String {
        let least = topics[topic]?.keptCount
        guard let size = size(of: topic) else {
            return least.map { "at least \($0.counting("device"))" } ?? "reach unknown"
        }
        return (isDeclared(topic) ? "" : "at least ") + size.counting("device")
    }

    /// For a summary: `at most 16,000 devices`, `reach unknown`.
    func brief(_ condition: Condition) -> String {
        upperBound(of: condition).map { "at most \($0.counting("device"))" } ?? "reach unknown"
    }

    /// The reach of a topic and the audiences that are subscribed to it.
    func sentences(about topic: Topic) -> [String] {
        [count(of: topic)] + kept(in: topic, as: "These devices")
    }

    private func count(of topic: Topic) -> String {
        let least = topics[topic]?.keptCount
        guard let size = size(of: topic) else {
            let start = least.map { "At least \($0.counting("device"))" }
            return (start ?? "The number of devices is unknown")
                + "; herald.yaml declares no reach for topic \(topic)."
        }
        return isDeclared(topic)
            ? "\(size.counting("device")), as declared for topic \(topic) in herald.yaml."
            : "At least \(size.counting("device")): the managed lists exceed the reach declared "
                + "in herald.yaml."
    }

    /// Whether the declared reach determines the size: no subscribed list is longer.
    private func isDeclared(_ topic: Topic) -> Bool { topics[topic]?.reach == size(of: topic) }

    /// The estimate for a condition and how it is calculated.
    func sentences(about condition: Condition) -> [String] {
        let bound = upperBound(of: condition)
        let made = wording(condition.expression)
        let source =
            condition.topics.allSatisfy(isDeclared)
            ? "the reach that herald.yaml declares"
            : "the reach that herald.yaml declares and by managed lists"
        let estimate =
            bound.map { "At most \($0.counting("device")), by \(source): \(made)." }
            ?? "The reach is unknown: \(made)."
        return [estimate]
            + condition.topics.flatMap { kept(in: $0, as: "The devices of topic \($0)") }
    }

    /// For example, `the smaller of tides 40,000 and azores 9,000 + madeira 7,000`.
    private func wording(_ expression: Condition.Expression) -> String {
        switch expression {
        case .subscribed(let topic):
            "\(topic) \(size(of: topic)?.grouped ?? unknown(topic))"
        case .not(let operand):
            "all devices (number unknown) except \(wording(operand))"
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
        if case .all = expression { return "(\(wording(expression)))" }
        return wording(expression)
    }

    /// The part of the reach that Herald manages.
    private func kept(in topic: Topic, as devices: String) -> [String] {
        (topics[topic]?.kept ?? []).map { kept in
            "\(devices) include the \(kept.count.counting("registration")) of audience "
                + "\(kept.audience), which Herald keeps subscribed."
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
