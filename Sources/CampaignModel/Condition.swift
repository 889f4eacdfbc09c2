/// A Boolean expression over topic memberships, as FCM evaluates it: parentheses first, then
/// left to right, with no precedence between `&&` and `||` (Firebase documentation, Topic
/// messaging).
package struct Condition: Hashable, Sendable {
    package indirect enum Expression: Hashable, Sendable {
        case subscribed(Topic)
        case all(Expression, Expression)
        case any(Expression, Expression)
    }

    /// The expression as its author wrote it: this is what is sent.
    package let text: String
    package let expression: Expression
    /// The topics in the order in which they first appear, each with the UTF-8 range of its name.
    package let mentions: [Mention]

    package struct Mention: Hashable, Sendable {
        package let topic: Topic
        package let range: Range<Int>
    }

    /// A condition may name this many different topics (Firebase documentation, Topic messaging).
    package static let maximumTopics = 5

    package init(parsing text: String) throws(ConditionError) {
        var parser = ConditionParser(text)
        expression = try parser.parse()
        mentions = parser.mentions
        self.text = text
        if Set(mentions.map(\.topic)).count > Self.maximumTopics {
            throw ConditionError(
                problem: .tooManyTopics(Set(mentions.map(\.topic)).count),
                range: 0..<text.utf8.count
            )
        }
    }

    /// Whether an app instance with these subscriptions is addressed.
    package func isTrue(for subscriptions: Set<Topic>) -> Bool {
        Self.isTrue(expression, for: subscriptions)
    }

    private static func isTrue(_ expression: Expression, for topics: Set<Topic>) -> Bool {
        switch expression {
        case .subscribed(let topic): topics.contains(topic)
        case .all(let left, let right): isTrue(left, for: topics) && isTrue(right, for: topics)
        case .any(let left, let right): isTrue(left, for: topics) || isTrue(right, for: topics)
        }
    }

    /// The different topics, in the order of their first mention.
    package var topics: [Topic] {
        var seen: Set<Topic> = []
        return mentions.map(\.topic).filter { seen.insert($0).inserted }
    }
}

/// Why a text is not a condition, and where: the range counts UTF-8 bytes of the text.
package struct ConditionError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case expected(String)
        case invalidTopic(String)
        case unclosedParenthesis
        case negation
        case tooDeep
        case tooManyTopics(Int)
    }

    package let problem: Problem
    package let range: Range<Int>
}
