import TestSupport
import Testing

@testable import RegistrationLists

struct ListLineReaderTests {
    private static func lines(_ bytes: some Sequence<UInt8>) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", bytes)
        var reader = try ListLineReader(path: folder.path + "/a.txt")
        var lines: [String] = []
        while let line = try reader.next() {
            switch line {
            case .text(let text): lines.append(text)
            case .notUTF8: lines.append("<not UTF-8>")
            case .tooLong: lines.append("<too long>")
            }
        }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n", [""]),
        ("a\n\nb\n", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\r", ["a"]),
        ("a\rb\n", ["a\rb"]), ("\r\n\r\n", ["", ""]), ("潮\n", ["潮"]),
    ])
    func `splits at LF and CRLF`(text: String, lines: [String]) throws {
        #expect(try Self.lines(text.utf8) == lines)
    }

    /// The buffer has 65,536 bytes: line ends are placed at and around its edge.
    @Test(arguments: [65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073])
    func `lines may cross the edges of the buffer`(edge: Int) throws {
        for end in ["\n", "\r\n"] {
            var text = ""
            while text.utf8.count < edge - 200 { text += String(repeating: "x", count: 99) + "\n" }
            let rest = edge - text.utf8.count
            text += String(repeating: "y", count: rest) + end + "tail" + end
            let lines = try Self.lines(text.utf8)
            #expect(lines.last == "tail")
            #expect(lines.dropLast().last == String(repeating: "y", count: rest))
            #expect(lines.dropLast(2).allSatisfy { $0 == String(repeating: "x", count: 99) })
        }
    }

    @Test(arguments: [16_383, 16_384])
    func `accepts lines of up to 16,384 bytes`(length: Int) throws {
        let line = String(repeating: "x", count: length)
        #expect(try Self.lines((line + "\nb\n").utf8) == [line, "b"])
        #expect(try Self.lines((line + "\r\nb\r\n").utf8) == [line, "b"])
        #expect(try Self.lines(line.utf8) == [line])
    }

    /// The first 65,536 bytes end between the carriage return and the line feed.
    @Test func `accepts the longest line if the buffer ends before its line feed`() throws {
        let short = String(repeating: String(repeating: "s", count: 99) + "\n", count: 491) + "\n"
        let filler = String(repeating: "f", count: 65_536 - 16_385 - short.utf8.count - 1) + "\n"
        let line = String(repeating: "x", count: 16_384)
        let lines = try Self.lines((short + filler + line + "\r\nb\n").utf8)
        #expect(lines.suffix(2) == [line, "b"])
    }

    @Test(arguments: [16_385, 65_536, 65_537, 200_000])
    func `skips longer lines without losing the next`(length: Int) throws {
        let line = String(repeating: "x", count: length)
        #expect(try Self.lines(("a\n" + line + "\nb\n").utf8) == ["a", "<too long>", "b"])
        #expect(try Self.lines(line.utf8) == ["<too long>"])
        #expect(try Self.lines((line + "\n").utf8) == ["<too long>"])
    }

    @Test func `reports lines that are not UTF-8`() throws {
        let bytes = Array("a\n".utf8) + [0xC3, 0x0A] + Array("b\n".utf8)
        #expect(try Self.lines(bytes) == ["a", "<not UTF-8>", "b"])
    }
}
