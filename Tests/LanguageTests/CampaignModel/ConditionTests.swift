import TestSupport
import Testing

@testable import CampaignModel

struct ConditionTests {
    @Test(.covers("A42"))
    func `topics are sent by their bare names`() throws {
        let text = "'/topics/a' in topics && !( '/topics/b' in topics || 'c' in topics)"
        let condition = try Condition(parsing: text)
        #expect(condition.onWire == "'a' in topics && !( 'b' in topics || 'c' in topics)")
        #expect(condition.prefixes.count == 2)
        #expect(try Condition(parsing: condition.onWire).onWire == condition.onWire)
    }

    /// Eight rows each: the condition's value for no topics, c, b, bc, a, ac, ab, abc.
    @Test(
        .covers(
            "A50",
            "A51",
            "A52",
            "A53",
            "A54",
            "F3-negation",
            "F3-operators",
            "F3-order",
            "F3-precedence"
        ),
        arguments: [
            ("'a' in topics", "00001111"),
            ("'a' in topics && 'b' in topics", "00000011"),
            ("'a' in topics || 'b' in topics", "00111111"),
            ("'a' in topics || 'b' in topics && 'c' in topics", "00010101"),
            ("'a' in topics && 'b' in topics || 'c' in topics", "01010111"),
            ("'a' in topics || ('b' in topics && 'c' in topics)", "00011111"),
            ("'a' in topics && ('b' in topics || 'c' in topics)", "00000111"),
            ("('a' in topics || 'b' in topics) && ('a' in topics || 'c' in topics)", "00011111"),
            ("(('c' in topics))", "01010101"),
            ("!'a' in topics", "11110000"),
            ("!!'a' in topics", "00001111"),
            ("! ( 'a' in topics ) && 'b' in topics", "00110000"),
            ("!('a' in topics && 'b' in topics)", "11111100"),
            ("'a' in topics || !'b' in topics && !'c' in topics", "10001010"),
            ("'a' in topics && !('b' in topics || 'c' in topics)", "00001000"),
        ]
    )
    func `evaluates from left to right, parentheses first`(text: String, rows: String) throws {
        let condition = try Condition(parsing: text)
        let found = (0..<8).map { row in
            let topics = [("a", 4), ("b", 2), ("c", 1)].filter { row & $0.1 != 0 }
                .compactMap { Topic($0.0) }
            return condition.isTrue(for: Set(topics)) ? "1" : "0"
        }
        #expect(found.joined() == rows)
    }

    @Test func `keeps its text and the place of each topic`() throws {
        let text = "'tides' in topics && ('a' in topics || 'tides' in topics)"
        let condition = try Condition(parsing: text)
        #expect(condition.text == text)
        #expect(condition.mentions.map(\.topic.name) == ["tides", "a", "tides"])
        #expect(condition.mentions.map(\.range) == [1..<6, 23..<24, 40..<45])
        #expect(condition.topics.map(\.name) == ["tides", "a"])
    }

    @Test(arguments: [
        "'a'in topics", "  'a' in topics  ", "'a'\tin\ntopics&&'b'\r\nin topics",
        "'/topics/a' in topics", "( 'a' in topics )",
    ])
    func `accepts white space between tokens`(text: String) {
        #expect(throws: Never.self) { try Condition(parsing: text) }
    }

    @Test(.covers("A55", "F3-max-topics"))
    func `allows five different topics with any number of mentions`() throws {
        let five = ["a", "b", "c", "d", "e"]
        let text = (five + five).map { "'\($0)' in topics" }.joined(separator: " || ")
        #expect(try Condition(parsing: text).topics.map(\.name) == five)
    }

    @Test(.covers("A55", "F3-max-topics")) func `refuses six different topics as a whole`() {
        let text = ["a", "b", "c", "d", "e", "f"].map { "'\($0)' in topics" }
            .joined(separator: " && ")
        #expect(throws: ConditionError(problem: .tooManyTopics(6), range: 0..<98)) {
            try Condition(parsing: text)
        }
        #expect(text.utf8.count == 98)
    }

    @Test func `accepts at most 64 levels of parentheses`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "'a' in topics"
                + String(repeating: ")", count: depth)
        }
        #expect(try Condition(parsing: nested(64)).topics.count == 1)
        #expect(throws: ConditionError(problem: .tooDeep, range: 64..<65)) {
            try Condition(parsing: nested(65))
        }
        #expect(throws: ConditionError(problem: .tooDeep, range: 64..<65)) {
            try Condition(parsing: nested(100_000))
        }
    }

    @Test func `accepts at most 64 exclamation marks in a row`() throws {
        func negated(_ count: Int) -> String {
            String(repeating: "!", count: count) + "'a' in topics"
        }
        #expect(try Condition(parsing: negated(64)).negations.count == 64)
        #expect(throws: ConditionError(problem: .tooDeep, range: 64..<65)) {
            try Condition(parsing: negated(65))
        }
    }

    @Test func `accepts at most 1,000 mentions`() throws {
        func long(_ count: Int) -> String {
            Array(repeating: "'a' in topics", count: count).joined(separator: "||")
        }
        #expect(try Condition(parsing: long(1_000)).mentions.count == 1_000)
        #expect(throws: ConditionError(problem: .tooLong, range: 15_001..<15_002)) {
            try Condition(parsing: long(1_001))
        }
    }

    @Test func `records the place of each exclamation mark`() throws {
        let condition = try Condition(parsing: "!('a' in topics) && !!'b' in topics")
        #expect(condition.negations == [0..<1, 20..<21, 21..<22])
    }
}
