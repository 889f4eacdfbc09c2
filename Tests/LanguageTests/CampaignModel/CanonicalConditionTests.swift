import Testing

@testable import CampaignModel

struct CanonicalConditionTests {
    @Test(arguments: [
        ("a", "a"), ("((a))", "a"), ("!!a", "a"), ("!a", "!(a)"),
        ("(a && b) && c", "a && b && c"),
        ("a || b && c", "(a || b) && c"),
        ("a || a", "a"), ("a || (a && b)", "a"), ("a && (b || !b)", "a"),
        ("(a && b) || (a && c)", "a && (b || c)"),
        ("(a || b) && (a || c)", "a || (b && c)"),
        ("(a && b) || (a && c) || (a && d) || (a && e)", "a && (b || c || d || e)"),
        ("!(a || b) && c", "!(a) && !(b) && c"),
        // Two of three: six mentions become five.
        ("(a && b) || (b && c) || (a && c)", "(a && (b || c)) || (b && c)"),
        ("b || a", "b || a"),
    ])
    func `has the same meaning with fewer mentions and parentheses`(
        short: String,
        canonical: String
    ) throws {
        let condition = try ConditionTruthTests.condition(short)
        let expected = try Condition(parsing: ConditionTruthTests.spelled(canonical))
        let found = try #require(condition.canonical)
        #expect(found.text == expected.text)
    }

    @Test(arguments: ["a && !a", "a || !a", "(a || b) && !a && !b"])
    func `a constant has no canonical form`(short: String) throws {
        #expect(try ConditionTruthTests.condition(short).canonical == nil)
    }

    @Test func `counts the mentions of each topic`() throws {
        let condition = try ConditionTruthTests.condition("(a && b) || (a && !c) || a")
        let counts = condition.expression.mentionCounts.map { "\($0.key)\($0.value)" }.sorted()
        #expect(counts == ["a3", "b1", "c1"])
        #expect(condition.expression.mentionCount == 5)
    }

    @Test func `always has the same truth table and never more mentions`() throws {
        var chance = Numbers(state: 3)
        var shorter = 0
        for _ in 0..<3_000 {
            let text = Self.someCondition(depth: 3, &chance)
            let condition = try Condition(parsing: text)
            guard let canonical = condition.canonical else {
                #expect(condition.truth.isNeverTrue || condition.truth.isAlwaysTrue, "\(text)")
                continue
            }
            let again = try Condition(parsing: canonical.text)
            for row in condition.truth.rows {
                let reached = again.isTrue(for: Set(row.subscribed))
                #expect(reached == row.isReached, "\(text) became \(canonical.text)")
            }
            #expect(again.ambiguousChains.isEmpty)
            #expect(again.truth.uselessTopics.isEmpty)
            #expect(canonical.mentionCount <= condition.mentions.count)
            shorter += canonical.mentionCount < condition.mentions.count ? 1 : 0
        }
        #expect(shorter > 500)
    }

    private static func someCondition(depth: Int, _ chance: inout Numbers) -> String {
        let operands = (0...chance.next(3)).map { _ in
            let mark = chance.next(4) == 0 ? "!" : ""
            let isInner = depth > 0 && chance.next(3) == 0
            return mark
                + (isInner
                    ? "(\(someCondition(depth: depth - 1, &chance)))"
                    : "'\(["a", "b", "c", "d", "e"][chance.next(5)])' in topics")
        }
        return operands.dropFirst().reduce(operands[0]) { text, operand in
            "\(text) \(chance.next(2) == 0 ? "&&" : "||") \(operand)"
        }
    }
}

/// Pseudorandom numbers that are the same in every run.
private struct Numbers {
    var state: UInt64

    /// The next number in `0..<limit`.
    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
