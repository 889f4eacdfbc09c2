import CampaignLoading
import Diagnostics
import TestSupport
import Testing

/// Conditions are written with single letters for `'a' in topics`.
struct ConditionRuleTests {
    /// Returns a campaign with this condition as a YAML value.
    static func files(yaml: String) -> LoadedFiles {
        LoadedFiles([
            (
                "herald.yaml",
                "version: 1\nproject: p\ntopics: { a: {}, b: {}, c: {}, d: {}, e: {}, f: {} }\n"
            ),
            ("campaigns/a.yaml", "campaign: a\naudience:\n  condition: \(yaml)\nmessage: {}\n"),
        ])
    }

    static func files(_ short: String) -> LoadedFiles { files(yaml: "\"\(spelled(short))\"") }

    static func spelled(_ short: String) -> String {
        short.map { $0.isLetter ? "'\($0)' in topics" : String($0) }.joined()
    }

    /// Returns the file after the fix of the rule's first finding.
    static func repaired(_ files: LoadedFiles, _ rule: RuleID) throws -> String {
        let finding = try #require(files.diagnostics.first { $0.rule == rule })
        let fix = try #require(finding.fix)
        var bytes = files.loaded.catalog[fix.span.source].bytes
        bytes.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return String(lines[2].dropFirst("  condition: ".count))
    }

    @Test(arguments: [
        "a", "a && b", "a && (b || c)", "(a || b) && (c || d)", "a || b || c || d || e",
    ])
    func `a good condition has no findings`(short: String) {
        #expect(Self.files(short).findings == [])
    }

    @Test func `a condition that is never true is an error on the expression`() {
        let files = Self.files(" «a && ‹!›a» ")
        #expect(
            files.diagnostics.map(\.rule) == [.conditionNeverTrue, .conditionNegation]
        )
        #expect(files.findings.first == files.expected(.conditionNeverTrue).first)
        #expect(files.diagnostics.map(\.severity) == [.error, .warning])
    }

    @Test(arguments: ["«a || !b»", "«a || !a»", "«!(a && !b)»", "«(a && b) || !c»"])
    func `a condition that is true without any subscription is an error`(short: String) {
        let files = Self.files(short)
        #expect(files.findings.contains(files.expected(.conditionReachesEverybody)[0]))
        #expect(
            Set(files.diagnostics.map(\.rule)) == [.conditionReachesEverybody, .conditionNegation]
        )
        #expect(files.loaded.log.isEmpty)
    }

    @Test(
        .covers("A60"),
        arguments: ["«!a»", "«!(a || b)»", "«!a && !b»", "«!(a && b)»", "«!!!a»"]
    )
    func `a condition of negations only is one error`(short: String) {
        let files = Self.files(short)
        #expect(files.findings.contains(files.expected(.conditionNegationsOnly)[0]))
        #expect(
            Set(files.diagnostics.map(\.rule)) == [.conditionNegationsOnly, .conditionNegation]
        )
    }

    @Test(.covers("A60", "F3-negation")) func `all exclamation marks are one warning`() {
        let files = Self.files("a && «!»b && ‹!›(c || d)")
        #expect(files.findings == files.expected(.conditionNegation))
        #expect(files.diagnostics.map(\.severity) == [.warning])
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test(arguments: [
        ("a || b «&&» c", "(a || b) && c"),
        ("a && b «||» c", "(a && b) || c"),
        ("a && b && c «||» d && e", "((a && b && c) || d) && e"),
        ("a && (b||c  «&&»  d)", "a && ((b || c) && d)"),
        ("(a) || (b) «&&» (c || d)", "((a) || (b)) && (c || d)"),
    ])
    func `mixed operators are an error with FCM's reading as the fix`(
        short: String,
        fixed: String
    ) throws {
        let files = Self.files(short)
        #expect(files.findings == files.expected(.conditionMixedOperators))
        #expect(files.diagnostics.map(\.severity) == [.error])
        #expect(
            try Self.repaired(files, .conditionMixedOperators) == "\"\(Self.spelled(fixed))\""
        )
    }

    @Test(.covers("A51", "F3-precedence")) func `help for mixed operators has every reading once`()
    {
        #expect(
            Self.files("a || b && c").diagnostics.map(\.help) == [
                [
                    "FCM evaluates from left to right: " + Self.spelled("(a || b) && c"),
                    "if you mean another order: " + Self.spelled("a || (b && c)"),
                ]
            ]
        )
        #expect(
            Self.files("a && b || c && d").diagnostics.map(\.help) == [
                [
                    "FCM evaluates from left to right: " + Self.spelled("((a && b) || c) && d"),
                    "if you mean another order: " + Self.spelled("(a && b) || (c && d)"),
                    "if you mean another order: " + Self.spelled("a && (b || (c && d))"),
                ]
            ]
        )
    }

    @Test(.covers("A51")) func `mixed operators are accepted if all readings agree`() {
        // ab or a = a and a(b or a) = a: only b has no effect.
        #expect(Self.files("a && b || a").diagnostics.map(\.rule) == [.conditionUselessTopic])
    }

    @Test(arguments: [
        ("a || (a && '«b»' in topics)", "a"),
        ("(a && '«b»' in topics) || (a && !'‹b›' in topics)", "a"),
        ("(a || '«c»' in topics || b) && (b || a)", "a || b"),
    ])
    func `a topic without effect is a warning on its name`(
        condition: String,
        fixed: String
    ) throws {
        let text = condition.replacing(" in topics", with: "¶")
        let files = Self.files(yaml: "\"\(Self.expanded(text))\"")
        let useless = files.findings.filter { $0.rule == .conditionUselessTopic }
        #expect(useless == files.expected(.conditionUselessTopic))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.diagnostics.allSatisfy { $0.severity == .warning })
        #expect(try Self.repaired(files, .conditionUselessTopic) == "\"\(Self.spelled(fixed))\"")
    }

    /// Letters outside of quotes become mentions; `¶` is ` in topics`.
    static func expanded(_ text: String) -> String {
        var isQuoted = false
        return text.map { character in
            if character == "'" { isQuoted.toggle() }
            if character == "¶" { return " in topics" }
            return character.isLetter && !isQuoted
                ? "'\(character)' in topics" : String(character)
        }
        .joined()
    }

    @Test(.covers("F3-older-limit")) func `five mentions of five topics are accepted`() {
        #expect(Self.files("a && (b || c || d || e)").findings == [])
    }

    @Test func `the sixth mention of five topics is an error with a shorter fix`() throws {
        let files = Self.files(
            yaml: "\""
                + Self.expanded("(a && (b || c || d)) || (a && '«e»'¶)") + "\""
        )
        #expect(files.findings == files.expected(.conditionTooManyMentions))
        #expect(files.diagnostics.map(\.severity) == [.error])
        #expect(
            files.diagnostics.first?.message
                == "the condition names topics 6 times, 5 of them different"
        )
        #expect(
            try Self.repaired(files, .conditionTooManyMentions)
                == "\"\(Self.spelled("a && (b || c || d || e)"))\""
        )
    }

    @Test func `the help splits a condition of six mentions that has no shorter form`() throws {
        // The parity of three topics.
        let files = Self.files("(a && b && !c) || (a && c && !b) || (b && c && !a)")
        let finding = try #require(
            files.diagnostics.first { $0.rule == .conditionTooManyMentions }
        )
        #expect(finding.fix == nil)
        #expect(finding.help == ["split it into campaigns whose conditions exclude each other"])
    }

    @Test func `a fix that would nest too deeply is not offered`() throws {
        let marks = String(repeating: "!", count: 64)
        let files = Self.files("a || \(marks)b && c")
        let finding = files.diagnostics.first { $0.rule == .conditionMixedOperators }
        #expect(try #require(finding).fix == nil)
        let fewer = Self.files("a || \(marks.dropLast())b && c")
        let fixed = try Self.repaired(fewer, .conditionMixedOperators)
        #expect(fixed == "\"\(Self.spelled("(a || \(marks.dropLast())b) && c"))\"")
    }

    @Test(arguments: ["'''a''in topics || ''b'' in topics && ''c'' in topics'", "plain"])
    func `a fix rewrites the whole value if it isn't in double quotes`(yaml: String) throws {
        let plain = "('a' in topics || 'b' in topics) || 'b' in topics && 'c' in topics"
        let isPlain = yaml == "plain"
        let files = Self.files(yaml: isPlain ? plain : yaml)
        let fixed =
            isPlain
            ? "\"" + Self.spelled("((a || b) || b) && c") + "\""
            : "\"('a'in topics || 'b' in topics) && 'c' in topics\""
        #expect(try Self.repaired(files, .conditionMixedOperators) == fixed)
    }
}
