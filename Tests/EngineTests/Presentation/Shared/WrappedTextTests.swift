import TestSupport
import Testing

@testable import Presentation

struct WrappedTextTests {
    private let plain = TextStyle(useColor: false)

    private func lines(_ text: WrappedText, _ width: Int) -> [String] {
        text.lines(width: width, style: plain)
    }

    @Test func `breaks lines between words`() {
        #expect(lines(WrappedText("one two three"), 7) == ["one two", "three"])
        #expect(lines(WrappedText("one two three"), 8) == ["one two", "three"])
        #expect(lines(WrappedText("one two three"), 3) == ["one", "two", "three"])
        #expect(lines(WrappedText(""), 3) == [])
    }

    @Test func `a word that is too wide gets a separate line`() {
        #expect(lines(WrappedText("a endless b"), 4) == ["a", "endless", "b"])
    }

    @Test func `keeps a command on one line`() {
        #expect(lines(WrappedText("run `herald plan` now"), 10) == ["run", "`herald plan`", "now"])
    }

    @Test func `wide characters take two columns and may be separated`() {
        var text = WrappedText()
        text.append(foreign: "明日は大潮")
        #expect(lines(text, 4) == ["明日", "は大", "潮"])
        #expect(lines(text, 5) == ["明日", "は大", "潮"])
    }

    @Test func `user text keeps its spaces and does not control the terminal`() {
        var text = WrappedText()
        text.append(foreign: "a  b\u{1B}[2J")
        #expect(lines(text, 80) == ["a  b\\u{1B}[2J"])
    }

    @Test func `line breaks in user text are shown as symbols`() {
        var text = WrappedText()
        text.append(foreign: "a\nb\r\n\n")
        #expect(lines(text, 80) == ["a⏎b\\u{D}⏎⏎"])
    }

    @Test func `adjacent pieces stay together and keep their colours`() {
        var text = WrappedText()
        text.append("at ")
        text.append("16:", in: .bad)
        text.append("42", in: .good)
        #expect(lines(text, 6) == ["at", "16:42"])
        #expect(
            text.lines(width: 80, style: TextStyle(useColor: true))
                == ["at \u{1B}[31m16:\u{1B}[0m\u{1B}[32m42\u{1B}[0m"]
        )
    }
}
