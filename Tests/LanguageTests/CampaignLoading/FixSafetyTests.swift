import Diagnostics
import TestSupport
import Testing

/// Tests which fixes a program may apply without asking.
struct FixSafetyTests {
    /// Returns the first finding's fix, and the campaign after it.
    private static func fix(
        _ text: String
    ) throws -> (applicability: Fix.Applicability, text: String) {
        let files = LoadedFiles(campaign: text)
        let fix = try #require(files.diagnostics.first { $0.fix != nil }?.fix)
        let bytes = AppliedFixes([fix], to: Array(text.utf8)).bytes
        return (fix.applicability, String(decoding: bytes, as: UTF8.self))
    }

    private static func message(_ message: String) -> String {
        "campaign: a\naudience: { topic: tides }\nmessage: \(message)\n"
    }

    private static func audience(_ audience: String) -> String {
        "campaign: a\naudience: { \(audience) }\nmessage: {}\n"
    }

    @Test(arguments: [
        ("{ Data: { a: b } }", "{ data: { a: b } }"),
        ("{ android: { collapseKey: a } }", "{ android: { collapse_key: a } }"),
        ("{ android: {\"collapse-key\":a } }", "{ android: {\"collapse_key\":a } }"),
        (
            "{ android: { notification: { android_channel_id: a } } }",
            "{ android: { notification: { channel_id: a } } }"
        ),
        (
            "{ webpush: { headers: { Urgency: 'Very_Low' } } }",
            "{ webpush: { headers: { Urgency: 'very-low' } } }"
        ),
        (
            "{ android: { notification: { title: a, visibility: Public } } }",
            "{ android: { notification: { title: a, visibility: PUBLIC } } }"
        ),
        (
            "{ android: { direct_boot_ok: Yes } }",
            "{ android: { direct_boot_ok: true } }"
        ),
    ])
    func `a fix of case and separators is safe and keeps the quotes`(
        written: String,
        meant: String
    ) throws {
        let fix = try Self.fix(Self.message(written))
        #expect(fix.text == Self.message(meant))
        #expect(fix.applicability == .safe)
    }

    @Test(arguments: [
        // Another key may be intended.
        "{ dta: { a: b } }",
        "{ android: { collapse_kye: a } }",
        "{ android: { priority: HIHG } }",
        // `high` and `HIGH` are both correct.
        "{ android: { priority: High } }",
        // The correct key is also present.
        "{ android: { collapseKey: a, collapse_key: b } }",
        "{ android: { notification: { image_url: a, image: b } } }",
        // The page may have its own keys.
        "{ webpush: { notification: { require_interaction: true } } }",
        // An escape: the source text is not verbatim.
        "{ \"D\\u0061ta\": { a: b } }",
    ])
    func `a guess is not safe`(written: String) throws {
        #expect(try Self.fix(Self.message(written)).applicability == .suggested)
    }

    @Test(arguments: [
        ("12 h", "12h"), ("1 hour 30 min", "1h30m"), ("'90 Seconds'", "'90s'"), ("2D", "2d"),
        ("\"45mins\"", "\"45m\""),
    ])
    func `a duration in another notation is rewritten`(written: String, meant: String) throws {
        let fix = try Self.fix(Self.message("{}\ndelivery: { ttl: \(written) }"))
        #expect(fix.text == Self.message("{}\ndelivery: { ttl: \(meant) }"))
        #expect(fix.applicability == .safe)
    }

    @Test(arguments: ["5M", "1w", "1.5h", "30 min 1 hour", "h", "12", "-1 h", "\"1,5 h\"", "\"\""])
    func `an ambiguous duration has no fix`(written: String) {
        let files = LoadedFiles(campaign: Self.message("{}\ndelivery: { ttl: «\(written)» }"))
        #expect(files.findings == files.expected(.durationSyntax))
        #expect(files.diagnostics.allSatisfy { $0.fix == nil })
    }

    @Test func `the fix of an undeclared topic is only a suggestion`() throws {
        #expect(try Self.fix(Self.audience("topic: tydes")).applicability == .suggested)
    }

    @Test(arguments: [
        ("topic: /topics/tides", "topic: tides"),
        ("topic: '/topics/tides'", "topic: 'tides'"),
        ("topic: /topics/1st", "topic: 1st"),
        // The bare name would not be text, or not YAML.
        ("topic: /topics/-", "topic: \"-\""),
        ("topic: /topics/~", "topic: \"~\""),
        ("topic: /topics/Null", "topic: \"Null\""),
        ("topic: /topics/%41", "topic: \"%41\""),
        ("condition: \"'/topics/tides' in topics\"", "condition: \"'tides' in topics\""),
        ("condition: ('/topics/tides' in topics)", "condition: \"('tides' in topics)\""),
        ("condition: '''/topics/tides'' in topics'", "condition: \"'tides' in topics\""),
    ])
    func `removing a prefix keeps the rest unchanged`(written: String, meant: String) throws {
        let fix = try Self.fix(Self.audience(written))
        #expect(fix.text == Self.audience(meant))
        #expect(fix.applicability == .safe)
    }

    @Test func `a condition over several lines is rewritten on one line`() throws {
        let text = "campaign: a\naudience:\n  condition: |\n    '/topics/tides' in topics\n\n"
        let fix = try Self.fix(text + "    && 'azores' in topics\nmessage: {}\n")
        let condition = "\"'tides' in topics  && 'azores' in topics\""
        #expect(fix.text == "campaign: a\naudience:\n  condition: \(condition)\nmessage: {}\n")
    }

    @Test(arguments: [
        ("(t && a) || (t && m) || (t && a && m)", Fix.Applicability.safe),
        // A topic without effect was probably intended to have one.
        ("(t && a) || (t && !a) || (t && m)", .suggested),
        // Readers may group it differently.
        ("t || a && m || (t && a && m)", .suggested),
    ])
    func `a shorter condition is safe if the long one has no other findings`(
        short: String,
        applicability: Fix.Applicability
    ) throws {
        let names: [Character: String] = ["t": "tides", "a": "azores", "m": "madeira"]
        let condition = short.map { letter in
            names[letter].map { "'\($0)' in topics" } ?? String(letter)
        }.joined()
        let files = LoadedFiles(campaign: Self.audience("condition: \"\(condition)\""))
        let finding = try #require(
            files.diagnostics.first { $0.rule == .conditionTooManyMentions }
        )
        #expect(finding.fix?.applicability == applicability)
    }
}
