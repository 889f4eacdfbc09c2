import SystemIO
import Testing

struct LineSplitterTests {
    /// Returns the lines with the offsets at which they begin.
    private static func lines(
        _ blocks: [String],
        maximumLength: Int = .max
    ) -> [String] {
        var splitter = LineSplitter(maximumLength: maximumLength)
        var blocks = blocks[...]
        var lines: [String] = []
        while true {
            switch splitter.next() {
            case .complete(let bytes)?:
                lines.append("\(splitter.lineStart): \(String(decoding: bytes, as: UTF8.self))")
            case .unfinished(let bytes)?:
                lines.append("\(splitter.lineStart): \(String(decoding: bytes, as: UTF8.self))…")
            case .tooLong?: lines.append("\(splitter.lineStart): <too long>")
            case nil where splitter.isAtEnd: return lines
            case nil:
                splitter.makeRoom()
                splitter.buffer += Array((blocks.popFirst() ?? "").utf8)
                splitter.isAtEnd = blocks.isEmpty
            }
        }
    }

    @Test func `lines have the offset of their first byte`() {
        let lines = ["0: a", "2: ", "3: bc", "6: def…"]
        #expect(Self.lines(["a\n\nbc\ndef"]) == lines)
        #expect(Self.lines(["a", "\n", "\nb", "c\nd", "", "ef"]) == lines)
    }

    @Test func `a long line has the offset of its first byte, too`() {
        let lines = ["0: a", "2: <too long>", "9: b", "11: <too long>"]
        #expect(Self.lines(["a\nxx", "xxx", "x\nb\nyyyy", "y"], maximumLength: 3) == lines)
        #expect(
            Self.lines(["a\n", "x", "xx", "xxx", "\n", "b\n", "yyyyy", ""], maximumLength: 3)
                == lines
        )
    }

    @Test func `an end without bytes has no line`() {
        #expect(Self.lines([""]) == [])
        #expect(Self.lines(["a\n", ""]) == ["0: a"])
    }
}
