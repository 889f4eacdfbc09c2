import Testing

@testable import HeraldCommands

struct LastLinesTests {
    private static func lines(_ blocks: [String], limit: Int = 3) -> [String] {
        var lines = LastLines(limit)
        for block in blocks { lines.append(Array(block.utf8)) }
        return lines.lines
    }

    @Test func `keeps the last lines across blocks`() {
        #expect(Self.lines(["one\ntw", "o\nthree\n\n \nfo", "ur"]) == ["two", "three", "four"])
        #expect(Self.lines([]) == [])
        #expect(Self.lines(["a\r\nb\rc"]) == ["a", "b", "c"])
    }

    @Test func `cuts long lines and replaces bytes that are not UTF-8`() {
        let long = Self.lines([String(repeating: "x", count: 400)])
        #expect(long.map(\.count) == [301] && long[0].hasSuffix("…"))
        var lines = LastLines(1)
        lines.append([0x61, 0xFF, 0x62])
        #expect(lines.lines == ["a\u{FFFD}b"])
    }

    @Test func `holds a bounded part of an endless output`() {
        var lines = LastLines(2)
        for number in 0..<200_000 { lines.append(Array("line \(number)\n".utf8)) }
        #expect(lines.lines == ["line 199998", "line 199999"])
        var single = LastLines(2)
        for _ in 0..<200 { single.append([UInt8](repeating: 0x61, count: 4_096)) }
        #expect(single.lines.count <= 1)
    }
}
