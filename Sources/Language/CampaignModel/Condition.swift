/// A Boolean expression over topic memberships, with FCM's order of evaluation.
///
/// FCM evaluates parentheses first, then left to right, with no precedence between `&&` and `||`
/// (Firebase documentation, Topic messaging). `!` negates the operand that follows it; older
/// editions of that page document it, the current one does not.
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
    /// The meaning of `syntax` in FCM's order of evaluation.
    package var expression: Expression { parts.expression }
    /// The topics in order of appearance, each with the UTF-8 range of its name.
    package var mentions: [Mention] { parts.mentions }
    /// The UTF-8 range of each `!`.
    package var negations: [Range<Int>] { parts.negations }
    /// The condition's value for every set of subscriptions.
    package var truth: ConditionTruth { parts.truth }
    /// Whether a chain contains both operators.
    var mixesOperators: Bool { parts.mixesOperators }

    private let parts: Parts

    /// The result of parsing the text.
    ///
    /// It is a class, because campaigns are passed on often, and all of this with them.
    private final class Parts: Sendable {
        let text: String
        let syntax: ConditionSyntax
        let expression: Expression
        let mentions: [Mention]
        let negations: [Range<Int>]
        let truth: ConditionTruth
        let mixesOperators: Bool

        init(
            text: String,
            syntax: ConditionSyntax,
            parser: ConditionParser,
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

    /// The maximum number of different topics (Firebase documentation, Topic messaging).
    package static let maximumTopics = 5
    /// The maximum number of mentions that is safe.
    ///
    /// FCM does not document whether a topic that is named twice counts twice, so the limit is the
    /// number of topics.
    package static let maximumMentions = maximumTopics

    package init(parsing text: String) throws(ConditionError) {
        var parser = ConditionParser(text)
        let syntax = try parser.parse()
        let topics = Self.different(parser.mentions)
        guard topics.count <= Self.maximumTopics else {
            let problem = ConditionError.Problem.tooManyTopics(topics.count)
            throw ConditionError(problem: problem, range: 0..<text.utf8.count)
        }
        parts = Parts(text: text, syntax: syntax, parser: parser, topics: topics)
    }

    /// Everything else follows from the text.
    package static func == (left: Condition, right: Condition) -> Bool {
        left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The expression as FCM receives it, with bare topic names.
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

    /// Whether every mention of a topic is negated.
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

    /// Whether a topic is below an odd number of negations (`negated`), or an even one.
    fileprivate func hasLiteral(negated: Bool) -> Bool {
        switch self {
        case .subscribed: !negated
        case .not(let operand): operand.hasLiteral(negated: !negated)
        case .all(let left, let right), .any(let left, let right):
            left.hasLiteral(negated: negated) || right.hasLiteral(negated: negated)
        }
    }
}

/// Why a text is not a condition; the range counts UTF-8 bytes of the text.
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
