import Testing

@testable import CampaignModel

/// Conditions are written with single letters for `'a' in topics`.
struct ConditionTruthTests {
    static func condition(_ short: String) throws -> Condition {
        try Condition(parsing: spelled(short))
    }

    static func spelled(_ short: String) -> String {
        short.map { $0.isLetter ? "'\($0)' in topics" : String($0) }.joined()
    }

    /// The true rows, as the letters of their topics; `-` for none.
    static func reached(_ truth: ConditionTruth) -> [String] {
        truth.rows.filter(\.isReached).map { row in
            row.subscribed.isEmpty ? "-" : row.subscribed.map(\.name).joined()
        }
    }

    @Test(arguments: [
        ("a", ["a"]),
        ("b && a", ["ba"]),
        ("a && (b || c)", ["ab", "ac", "abc"]),
        ("a || b && c", ["ac", "bc", "abc"]),
        ("a && !b", ["a"]),
        ("!a && !b", ["-"]),
        ("a && !a", []),
        ("a || !a", ["-", "a"]),
        ("(a || b) && !(a && b)", ["a", "b"]),
        ("a && b && c && d && e", ["abcde"]),
    ])
    func `lists the true rows, those with few subscriptions first`(
        short: String,
        rows: [String]
    ) throws {
        #expect(Self.reached(try Self.condition(short).truth) == rows)
    }

    @Test func `has a row for every set of subscriptions`() throws {
        let rows = try Self.condition("c || a || b || e || d").truth.rows
        #expect(rows.count == 32)
        #expect(Set(rows.map { Set($0.subscribed) }).count == 32)
        #expect(rows.allSatisfy { $0.subscribed.count + $0.others.count == 5 })
        #expect(rows.count(where: \.isReached) == 31)
        #expect(rows[2].subscribed.map(\.name) == ["a"])
        #expect(rows[2].others.map(\.name) == ["c", "b", "e", "d"])
    }

    @Test(arguments: [
        ("a", ""), ("a && b", ""), ("a || (a && b)", "b"), ("a && (a || b)", "b"),
        ("(a && b) || (a && !b)", "b"), ("a && (b || !b) && (c || a)", "bc"), ("a && !a", "a"),
        ("(a || b) && (a || !b)", "b"), ("(a || b) && !(a && b)", ""),
    ])
    func `finds the topics without effect`(short: String, useless: String) throws {
        let truth = try Self.condition(short).truth
        #expect(truth.uselessTopics.map(\.name).joined() == useless)
    }

    @Test(arguments: [
        ("a || b", false, false, false), ("!a", false, true, true),
        ("!a || !b", false, true, true), ("!(a && b)", false, true, true),
        ("!(!a)", false, false, false), ("!(a && !b)", false, true, false),
        ("a || !b", false, true, false), ("a && !a", true, false, false),
        ("a || !a", false, true, false), ("!(a || !a)", true, false, false),
    ])
    func `detects constants, reach without subscriptions, and conditions of negations only`(
        short: String,
        never: Bool,
        unsubscribed: Bool,
        negations: Bool
    ) throws {
        let condition = try Self.condition(short)
        #expect(condition.truth.isNeverTrue == never)
        #expect(condition.truth.reachesTheUnsubscribed == unsubscribed)
        #expect(condition.hasNegationsOnly == negations)
    }

    /// The expected texts were written by hand: left to right, right to left, `&&` first.
    @Test(arguments: [
        ("a || b && c", ["(a || b) && c", "a || (b && c)", "a || (b && c)"]),
        ("a && b || c", ["(a && b) || c", "a && (b || c)", "(a && b) || c"]),
        (
            "a && b || c && d",
            ["((a && b) || c) && d", "a && (b || (c && d))", "(a && b) || (c && d)"]
        ),
        (
            "a || b || c && !d",
            ["(a || b || c) && !d", "a || b || (c && !d)", "a || b || (c && !d)"]
        ),
        (
            "a||(b||c&&d)&&e",
            [
                "(a || (b||c&&d)) && e", "a || ((b||c&&d) && e)", "a || ((b||c&&d) && e)",
            ]
        ),
    ])
    func `writes each reading of a chain`(short: String, readings: [String]) throws {
        let condition = try Self.condition(short)
        let chain = try #require(condition.syntax.chains.first)
        #expect(
            ConditionReading.allCases.map { chain.text($0, in: condition.text) }
                == readings.map(Self.spelled)
        )
    }

    @Test(arguments: [
        ("a && b && c", []), ("a || (b && c)", []), ("(a || b) && c", []),
        ("a || b && c", ["a || b && c"]),
        ("a && b || c", ["a && b || c"]),
        // ab or a = a; a(b or a) = a.
        ("a && b || a", []),
        // (a or b)a = a; a or ba = a.
        ("a || b && a", []),
        ("a && (b || c && d)", ["b || c && d"]),
        ("(a && b || c) && (d && e || a)", ["a && b || c", "d && e || a"]),
        // (a or b)c and a or bc differ only if c is false, and then nothing is reached anyway.
        ("(a || b && c) && c", []),
        ("!(a || b && c)", ["a || b && c"]),
    ])
    func `finds the chains whose meaning changes in another reading`(
        short: String,
        chains: [String]
    ) throws {
        let condition = try Self.condition(short)
        let bytes = Array(condition.text.utf8)
        #expect(
            condition.ambiguousChains.map { String(decoding: bytes[$0.range], as: UTF8.self) }
                == chains.map(Self.spelled)
        )
    }
}
