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

    /// `Declared reach 40,000.`, and the audiences that are kept in it.
    func sentences(about topic: Topic) -> [String] {
        let planned = topics[topic]
        let kept = keptWords(topic)
        if let reach = planned?.reach {
            return ["Declared reach of the topic: \(reach.grouped)."] + kept
        }
        return ["Nobody declares how many are in the topic."] + kept
    }

    /// The estimate of a condition and what it is made of.
    func sentences(about condition: Condition) -> [String] {
        let parts = condition.topics.map { topic in
            "\(topic) \(words(size(of: topic), isDeclared: topics[topic]?.reach != nil))"
        }
        let made = parts.joined(separator: ", ")
        guard let bound = upperBound(of: condition.canonical ?? condition.expression) else {
            return ["How many that are can't be told: \(made)."]
        }
        return ["At most \(bound.grouped): \(made)."]
            + condition.topics.flatMap(keptWords)
    }

    private func words(_ size: Int?, isDeclared: Bool) -> String {
        guard let size else { return "declares no reach" }
        return isDeclared ? "declares \(size.grouped)" : "has \(size.grouped) from lists"
    }

    private func keptWords(_ topic: Topic) -> [String] {
        (topics[topic]?.kept ?? []).map { kept in
            "Audience \(kept.audience) keeps \(kept.count.counting("registration")) in \(topic)."
        }
    }
}

extension PlannedTopic {
    /// Nil where no list is kept subscribed.
    fileprivate var known: Int? { kept.isEmpty ? nil : kept.reduce(0) { $0 + $1.count } }
}
