/// A Boolean expression over topic memberships, as FCM evaluates it: parentheses first, then
/// left to right, with no precedence between `&&` and `||` (Firebase documentation, Topic
/// messaging).
///
/// `!` negates the operand that follows it: older editions of that page have it, the current one
/// doesn't.
package struct Condition: Hashable, Sendable {
    package indirect enum Expression: Hashable, Sendable {
        case subscribed(Topic)
        case not(Expression)
        case all(Expression, Expression)
        case any(Expression, Expression)
    }

    /// The expression as its author wrote it.
    package var text: String { parts.text }
    package var syntax: ConditionSyntax { parts.syntax }
    /// What `syntax` means to FCM.
    package var expression: Expression { parts.expression }
    /// The topics in the order in which they appear, each with the UTF-8 range of its name.
    package var mentions: [Mention] { parts.mentions }
    /// The UTF-8 range of each `!`.
    package var negations: [Range<Int>] { parts.negations }
    /// What it is for every set of subscriptions.
    package var truth: ConditionTruth { parts.truth }
    /// Whether some chain has both operators.
    var mixesOperators: Bool { parts.mixesOperators }

    private let parts: Parts

    /// What was read of the text.
    ///
    /// A class, because campaigns are handed on often and all of this with them.
    private final class Parts: Sendable {
        let text: String
        let syntax: ConditionSyntax
        let expression: Expression
        let mentions: [Mention]
        let negations: [Range<Int>]
        let truth: ConditionTruth
        let mixesOperators: Bool

        init(
            _ text: String,
            _ syntax: ConditionSyntax,
            _ parser: ConditionParser,
            topics: [Topic]
        ) {
            self.text = text
            self.syntax = syntax
            expression = syntax.expression(.leftToRight)
            mentions = parser.mentions
            negations = parser.negations
            truth = ConditionTruth(expression, topics: topics)
            mixesOperators = parser.mixesOperators
        }
    }

    package struct Mention: Hashable, Sendable {
        package let topic: Topic
        package let range: Range<Int>
    }

    /// A condition may name this many different topics (Firebase documentation, Topic messaging).
    package static let maximumTopics = 5
    /// FCM's documents don't say whether a topic that is named twice counts twice, so no more
    /// mentions than topics are safe.
    package static let maximumMentions = maximumTopics

    package init(parsing text: String) throws(ConditionError) {
        var parser = ConditionParser(text)
        let syntax = try parser.parse()
        let topics = Self.different(parser.mentions)
        guard topics.count <= Self.maximumTopics else {
            let problem = ConditionError.Problem.tooManyTopics(topics.count)
            throw ConditionError(problem: problem, range: 0..<text.utf8.count)
        }
        parts = Parts(text, syntax, parser, topics: topics)
    }

    /// All else follows from the text.
    package static func == (left: Condition, right: Condition) -> Bool {
        left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The expression as it is sent: with topics by their bare names.
    package var onWire: String {
        let bytes = Array(text.utf8)
        var start = 0
        var result: [UInt8] = []
        for mention in mentions {
            result += bytes[start..<mention.range.lowerBound] + Array(mention.topic.name.utf8)
            start = mention.range.upperBound
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    /// The UTF-8 range of each `/topics/` before a topic's name.
    package var prefixes: [Range<Int>] {
        mentions.filter { $0.range.count > $0.topic.name.utf8.count }.map { mention in
            mention.range.lowerBound..<mention.range.lowerBound + Topic.prefix.utf8.count
        }
    }

    /// Whether an app instance with these subscriptions is addressed.
    package func isTrue(for subscriptions: Set<Topic>) -> Bool {
        expression.isTrue(for: subscriptions)
    }

    /// The different topics, in the order of their first mention.
    package var topics: [Topic] { truth.topics }

    private static func different(_ mentions: [Mention]) -> [Topic] {
        var seen: Set<Topic> = []
        return mentions.map(\.topic).filter { seen.insert($0).inserted }
    }

    /// Every topic is mentioned only where it is negated.
    package var hasNegationsOnly: Bool {
        !negations.isEmpty && !expression.hasLiteral(negated: false)
    }
}

extension Condition.Expression {
    package func isTrue(for subscriptions: Set<Topic>) -> Bool {
        switch self {
        case .subscribed(let topic): subscriptions.contains(topic)
        case .not(let operand): !operand.isTrue(for: subscriptions)
        case .all(let left, let right):
            left.isTrue(for: subscriptions) && right.isTrue(for: subscriptions)
        case .any(let left, let right):
            left.isTrue(for: subscriptions) || right.isTrue(for: subscriptions)
        }
    }

    /// Whether some topic stands below an odd number of negations, or an even one.
    fileprivate func hasLiteral(negated: Bool) -> Bool {
        switch self {
        case .subscribed: !negated
        case .not(let operand): operand.hasLiteral(negated: !negated)
        case .all(let left, let right), .any(let left, let right):
            left.hasLiteral(negated: negated) || right.hasLiteral(negated: negated)
        }
    }
}

/// Why a text is not a condition, and where: the range counts UTF-8 bytes of the text.
package struct ConditionError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case expected(String)
        case invalidTopic(String)
        case unclosedParenthesis
        case tooDeep
        case tooLong
        case tooManyTopics(Int)
    }

    package let problem: Problem
    package let range: Range<Int>
}
