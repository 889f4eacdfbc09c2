import Testing
import Text

struct VisibleTextTests {
    @Test(arguments: [
        ("a\nb\r\tc", "a\nb\\u{D}\\u{9}c"), ("\u{1B}[2J", "\\u{1B}[2J"),
        ("\u{202E}\u{2066}\u{200F}", "\\u{202E}\\u{2066}\\u{200F}"),
        ("pay\u{200D}pal \u{200D}", "pay\\u{200D}pal \\u{200D}"), ("1\u{200D}2", "1\\u{200D}2"),
        ("👩\u{200D}x", "👩\\u{200D}x"), ("x\u{200D}👩", "x\\u{200D}👩"),
    ])
    func `escapes deceptive characters and keeps line feeds`(text: String, visible: String) {
        #expect(Array(TerminalText.visible(text).utf8) == Array(visible.utf8))
    }

    @Test(arguments: [
        "👩\u{200D}💻", "👩🏽\u{200D}💻", "👨\u{200D}👩\u{200D}👧", "🏳️\u{200D}🌈", "❤️\u{200D}🔥", "Açores", "",
    ])
    func `keeps emoji of several parts`(text: String) {
        #expect(Array(TerminalText.visible(text).utf8) == Array(text.utf8))
    }
}
