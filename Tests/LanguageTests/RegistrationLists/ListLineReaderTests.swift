import TestSupport
import Testing

@testable import RegistrationLists

struct ListLineReaderTests {
    private static func lines(_ bytes: some Sequence<UInt8>) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", bytes)
        var reader = try ListLineReader(path: folder.path + "/a.txt", maximumLength: 16_384)
        var lines: [String] = []
        while let line = try reader.next() {
            switch line {
            case .complete(let line): lines.append(String(decoding: line.bytes, as: UTF8.self))
            case .broken(let fault):
                #expect(fault.reason == "it is longer than 1 MiB")
                lines.append("<too long>")
            }
        }
        return lines
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n", [""]),
        ("a\n\nb\n", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\r", ["a"]),
        ("a\rb\n", ["a\rb"]), ("\r\n\r\n", ["", ""]), ("潮\n", ["潮"]), ("\u{FEFF}a\nb", ["a", "b"]),
        ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", [""]),
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

    @Test func `lines have numbers and the offsets of their first bytes`() throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: 200_000)
        try folder.write("a.txt", "\u{FEFF}a\r\n\n潮\n\(long)\nb")
        var reader = try ListLineReader(path: folder.path + "/a.txt", maximumLength: 16_384)
        var places: [String] = []
        while let line = try reader.next() {
            switch line {
            case .complete(let line): places.append("\(line.number) from \(line.start)")
            case .broken(let fault): places.append("\(fault.number) at byte \(fault.byte)")
            }
        }
        #expect(places == ["1 from 3", "2 from 6", "3 from 7", "4 at byte 12", "5 from 200012"])
    }

    @Test func `places count characters in the line and bytes in the file`() {
        let line = ListLine(bytes: Array("xxé潮a".utf8)[2...], number: 7, start: 40)
        #expect(line.broken("why").text == "7: why (column 1, byte 41)")
        #expect(line.broken("why", at: 2).text == "7: why (column 2, byte 43)")
        #expect(line.broken("why", at: 5).text == "7: why (column 3, byte 46)")
    }
}
