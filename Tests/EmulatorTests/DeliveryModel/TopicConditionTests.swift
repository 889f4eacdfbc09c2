import DeliveryModel
import TestSupport
import Testing

struct TopicConditionTests {
    /// An expression, the topics of a device, and whether the device is reached.
    static let readings: [(String, [String], Bool)] = [
        ("'a' in topics", ["a"], true),
        ("'a' in topics", ["b"], false),
        ("  'a'  in\ttopics  ", ["a"], true),
        ("'a'in topics&&'b'in topics", ["a", "b"], true),
        ("'a' in topics && 'b' in topics", ["a"], false),
        ("'a' in topics || 'b' in topics", ["b"], true),
        // From left to right: (a || b) && c. With the precedence of C, the first line would be
        // true.
        ("'a' in topics || 'b' in topics && 'c' in topics", ["a"], false),
        ("'a' in topics || 'b' in topics && 'c' in topics", ["a", "c"], true),
        ("'a' in topics || ('b' in topics && 'c' in topics)", ["a"], true),
        // (a && b) || c, then (… || c) && d.
        ("'a' in topics && 'b' in topics || 'c' in topics && 'd' in topics", ["a", "b"], false),
        ("'a' in topics && 'b' in topics || 'c' in topics && 'd' in topics", ["c", "d"], true),
        ("'a' in topics && !('b' in topics)", ["a"], true),
        ("'a' in topics && !('b' in topics)", ["a", "b"], false),
        ("!('a' in topics) || 'b' in topics", [], true),
        // A negation applies to the next operand only.
        ("!'a' in topics && 'b' in topics", ["b"], true),
        ("!!('a' in topics)", ["a"], true),
        ("((('a' in topics)))", ["a"], true),
        (
            "'a' in topics && 'b' in topics && 'c' in topics && 'd' in topics && 'e' in topics",
            ["a", "b", "c", "d", "e"], true
        ),
        ("'A' in topics", ["a"], false),
    ]

    @Test(
        .covers("A51", "F3-case", "F3-operators", "F3-order", "F3-precedence"),
        arguments: readings
    )
    func `evaluates from left to right without precedence`(
        text: String,
        topics: [String],
        isReached: Bool
    ) throws {
        let condition = try TopicCondition(text)
        var mask: UInt32 = 0
        for (bit, topic) in condition.topics.enumerated() where topics.contains(topic.text) {
            mask |= 1 << bit
        }
        #expect(condition.isTrue(ofTopics: mask) == isReached)
    }

    static let malformed = [
        "", "a in topics", "\"a\" in topics", "'a' in topic", "'a' in topicsX", "'a' intopics",
        "'a'", "'' in topics", "'/topics/a' in topics", "('a' in topics", "'a' in topics)",
        "'a' in topics &&", "&& 'a' in topics", "'a' in topics & 'b' in topics",
        "'a' in topics 'b' in topics", "!", "'a in topics",
        String(repeating: "(", count: 100_000),
    ]

    @Test(.covers("F3-atom"), arguments: malformed)
    func `refuses malformed conditions`(text: String) {
        let failure = #expect(throws: TopicCondition.Failure.self) { try TopicCondition(text) }
        guard case .malformed? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(.covers("A55", "F3-max-topics")) func `counts different topics, at most five`() throws {
        let repeated = (0..<12).map { "'t\($0 % 5)' in topics" }.joined(separator: " || ")
        #expect(try TopicCondition(repeated).topics.count == 5)
        let six = (0..<6).map { "'t\($0)' in topics" }.joined(separator: " || ")
        #expect(throws: TopicCondition.Failure.tooManyTopics) { try TopicCondition(six) }
    }

    @Test(arguments: [
        "!('a' in topics)", "!'a' in topics && !'b' in topics",
        "!('a' in topics || 'b' in topics)", "!!!('a' in topics)",
    ])
    func `refuses conditions that consist of negations only`(text: String) {
        #expect(throws: TopicCondition.Failure.negationsOnly) { try TopicCondition(text) }
    }
}
