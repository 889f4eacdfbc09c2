import Testing
import Text

struct TerminalTextTests {
    @Test(arguments: [
        ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\r\tc", "a\\u{A}b\\u{D}\\u{9}c"),
        ("\u{0}\u{7F}\u{9B}", "\\u{0}\\u{7F}\\u{9B}"),
        ("a\u{202E}b\u{202A}", "a\\u{202E}b\\u{202A}"),
        ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"), ("\u{200E}\u{200F}", "\\u{200E}\\u{200F}"),
        ("\u{200B}\u{FEFF}\u{2060}", "\\u{200B}\\u{FEFF}\\u{2060}"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ("x\u{E0041}\u{E007F}", "x\\u{E0041}\\u{E007F}"), ("\r\n", "\\u{D}\\u{A}"),
    ])
    func `shows deceptive characters as escapes`(text: String, printed: String) {
        #expect(TerminalText.printable(text) == printed)
    }

    @Test(arguments: ["", "plain ~", "Açores", "潮位表", "🌊👍🏽", "e\u{301}", "\u{A0}", "नमस्ते"])
    func `leaves other characters unchanged`(text: String) {
        #expect(Array(TerminalText.printable(text).utf8) == Array(text.utf8))
    }
}
