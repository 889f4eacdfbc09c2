import Testing

@testable import Presentation

struct MarkdownTextTests {
    @Test(arguments: [
        ("plain", "`plain`"), ("", "(empty)"), ("a `b` c", "``a `b` c``"), ("`", "`` ` ``"),
        ("``` x", "```` ``` x ````"), (" a ", "`  a  `"), ("`\u{301}`", "`` `\u{301}` ``"),
        ("a\nb\r\n", "`a⏎b\\u{D}⏎`"), ("\u{202E}@x", "`\\u{202E}@x`"), ("\\`", "`` \\` ``"),
    ])
    func `a code span is longer than any backticks in it`(text: String, code: String) {
        #expect(Array(MarkdownText.code(text).utf8) == Array(code.utf8))
    }

    @Test(arguments: [
        ("is sent now, to 40,000", "is sent now, to 40,000"),
        ("max_recipients *now* <b> [x](y)", "max\\_recipients `*now*` \\<b\\> `[x](y)`"),
        ("'a' in topics && !('b' in topics)", "'a' in topics \\&\\& \\!('b' in topics)"),
        ("tell @ada and #12", "tell `@ada` and `#12`"), ("a@b.example c", "`a@b.example` c"),
        ("see https://x.example or WWW.x.example", "see `https://x.example` or `WWW.x.example`"),
        (":smile: 09:30 12:00:00", "`:smile:` 09:30 `12:00:00`"),
        ("GH-12 x-1 a-b 1-2", "`GH-12 x-1` a-b 1-2"),
        ("!12 ~bug %3 &4 $5 ^6 30%", "`!12 ~bug %3 &4 $5 ^6` 30%"),
        ("0badc0de 123456 1234567", "`0badc0de` 123456 `1234567`"),
        ("a | b ~~c~~", "a \\| b `~~c~~`"),
        ("[vulnerability:1] *iteration:1 * [", "`[vulnerability:1] *iteration:1` \\* \\["),
        ("line\nbreak\u{1B}", "line⏎break\\\\u{1B}"),
        ("\u{301}@x @\u{301}y", "`\u{301}@x @\u{301}y`"),
        ("at 12:00:00; then @x.", "at `12:00:00`; then `@x`."),
        ("it is (12:00:00), or [x](y)", "it is (`12:00:00`), or `[x](y)`"),
    ])
    func `inline text with special characters is code, and the rest is escaped`(
        text: String,
        prose: String
    ) {
        #expect(Array(MarkdownText.prose(text).utf8) == Array(prose.utf8))
    }

    @Test(arguments: [
        ("a <b> & @c", "a &lt;b&gt; &amp; <code>@c</code>"), ("2 * 3 `y`", "2 * 3 `y`"),
        ("</summary> <@d>", "&lt;/summary&gt; <code>&lt;@d&gt;</code>"),
    ])
    func `text in an element uses entities`(text: String, summary: String) {
        #expect(MarkdownText.summary(text) == summary)
    }

    @Test(arguments: [
        ("raise `revision` now", "raise `revision` now"), ("a_b `c_d`", "a\\_b `c_d`"),
        ("`a` `@b`: c.", "`a` `@b`: c."), ("one ` alone", "one \\` alone"), ("none", "none"),
    ])
    func `commands are code`(text: String, advice: String) {
        #expect(MarkdownText.advice(text) == advice)
    }

    @Test(arguments: [
        ("raise `re<v>ision` < 3", "raise <code>re&lt;v&gt;ision</code> &lt; 3"),
        ("`a` @b: c.", "<code>a</code> <code>@b:</code> c."), ("one ` alone", "one ` alone"),
    ])
    func `commands in an element are code`(text: String, advice: String) {
        #expect(MarkdownText.summaryAdvice(text) == advice)
    }

    @Test func `a code fence is longer than any fence in its text`() {
        #expect(
            MarkdownText.block(["a", "````", "\u{1B}"], language: "diff")
                == ["`````diff", "a", "````", "\\u{1B}", "`````"]
        )
    }

    @Test func `counts the rest of a very long text`() {
        let long = String(repeating: "é", count: 10_000)
        let cut = String(repeating: "é", count: 1_000)
        #expect(MarkdownText.code(long) == "`\(cut)` (9,000 more characters)")
        #expect(MarkdownText.prose(long) == "\(cut)… (9,000 more characters)")
        #expect(MarkdownText.code(cut) == "`\(cut)`")
    }
}
