import Diagnostics
import Presentation
import Testing

struct WideLineTests {
    private static let hundred = String(repeating: "abcdefghi ", count: 10)

    /// Returns the excerpt and the line with the carets, without the frame.
    private func excerpt(
        _ line: String,
        marking marker: String
    ) throws -> (text: String, marks: String) {
        var page = RenderedPage()
        let file = page.add("wide.yaml", line)
        let span = try page.span(of: marker, in: file)
        let lines = page.render(Diagnostic(rule: .wrongKind, message: "m", span: span))
            .split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines[3].dropFirst(5)), String(lines[4].dropFirst(5)))
    }

    @Test func `shows lines of 120 columns completely`() throws {
        let line = Self.hundred + "abcdefghi 12345678 X"
        let shown = try excerpt(line, marking: "X")
        #expect(shown.text == line)
        #expect(shown.marks == String(repeating: " ", count: 119) + "^")
    }

    @Test func `cuts text far after the mark`() throws {
        let shown = try excerpt("key: XX " + Self.hundred + Self.hundred, marking: "XX")
        #expect(shown.text == "key: XX " + Self.hundred + "abcdefghi " + "…")
        #expect(shown.marks == "     ^^")
    }

    @Test func `cuts on both sides of the mark`() throws {
        let shown = try excerpt(
            Self.hundred + Self.hundred + "<XX>" + Self.hundred,
            marking: "XX"
        )
        #expect(shown.text.count == 120)
        #expect(shown.text.hasPrefix("…"))
        #expect(shown.text.hasSuffix("…"))
        let column = shown.marks.count { $0 == " " }
        #expect(shown.text.dropFirst(column).hasPrefix("XX>"))
        #expect(shown.marks.hasSuffix(" ^^"))
    }

    @Test func `ends the carets at the cut of a long mark`() throws {
        let mark = "<" + String(repeating: "x", count: 300) + ">"
        let shown = try excerpt(Self.hundred + mark, marking: mark)
        #expect(shown.text.hasPrefix("…"))
        #expect(shown.text.hasSuffix("x…"))
        let carets = shown.marks.count { $0 == "^" }
        #expect(shown.marks.count == 119)
        #expect(shown.text.dropFirst(119 - carets).hasPrefix("<xxx"))
    }

    @Test func `finds the mark in a line of a million wide characters`() throws {
        let half = String(repeating: "潮", count: 500_000)
        var page = RenderedPage()
        let file = page.add("long.yaml", half + "X" + half)
        let span = SourceSpan(source: file, start: 1_500_000, end: 1_500_001)
        let text = page.render(Diagnostic(rule: .wrongKind, message: "m", span: span))
        #expect(text.utf8.count < 1000)
        #expect(text.contains("潮X潮"))
        #expect(text.contains("long.yaml:1:500001\n"))
    }
}
