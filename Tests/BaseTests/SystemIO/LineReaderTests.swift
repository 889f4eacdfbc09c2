import SystemIO
import TestSupport
import Testing

struct LineReaderTests {
    private static func lines(_ text: String, _ reader: LineReader) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("a", text)
        let file = try File(folder.path + "/a", for: .reading)
        var reader = reader
        var lines: [String] = []
        while let line = try reader.next(in: file) {
            switch line {
            case .complete(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
            case .unfinished(let bytes): lines.append(String(decoding: bytes, as: UTF8.self) + "…")
            case .tooLong: lines.append("<too long>")
            }
        }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a…"]), ("a\n", ["a"]), ("a\n\nbc", ["a", "", "bc…"]),
        ("abcd\nefgh\n", ["abcd", "efgh"]), ("abcdefghijk\nl\n", ["abcdefghijk", "l"]),
    ])
    func `splits at LF, in blocks of any size`(text: String, lines: [String]) throws {
        for size in 1...6 {
            #expect(try Self.lines(text, LineReader(blockSize: size)) == lines)
        }
        #expect(try Self.lines(text, LineReader()) == lines)
    }

    @Test func `reads a part of a file`() throws {
        let text = "one\ntwo\nthree\nfour\n"
        #expect(try Self.lines(text, LineReader(from: 4, to: 14)) == ["two", "three"])
        #expect(try Self.lines(text, LineReader(from: 4, to: 12)) == ["two", "thre…"])
        #expect(try Self.lines(text, LineReader(from: 14, blockSize: 2)) == ["four"])
    }

    @Test func `skips a long line and continues after it`() throws {
        let text = "a\n" + String(repeating: "x", count: 40) + "\nb\n"
        let reader = LineReader(blockSize: 8, maximumLength: 10)
        #expect(try Self.lines(text, reader) == ["a", "<too long>", "b"])
        let end = String(repeating: "y", count: 40)
        #expect(try Self.lines(text + end, reader).last == "<too long>")
    }
}
