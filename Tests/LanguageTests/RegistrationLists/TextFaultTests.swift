import CampaignModel
import RegistrationLists
import Testing

/// What is wrong with lines of a text list, and where.
struct TextFaultTests {
    private static func faults(_ bytes: some Sequence<UInt8>) throws -> [String] {
        do {
            _ = try ListFolder(bytes: bytes).survey()
            return []
        } catch let error as RegistrationListError {
            guard case .brokenLines(let lines, "lists/a.txt", let count) = error else {
                return ["\(error)"]
            }
            #expect(count == lines.count)
            return lines.map(\.text)
        }
    }

    private static let notToken = "a registration has no white space, quotes or commas"

    @Test(arguments: [
        ("angler 1", "1: \(notToken) (column 7, byte 7)"),
        ("a:1\nb:1,Bo", "2: \(notToken) (column 4, byte 8)"),
        ("# é\r\n\na:1\n\"b\"", "4: \(notToken) (column 1, byte 12)"),
        ("\u{FEFF}a b", "1: \(notToken) (column 2, byte 5)"),
        ("a:é", "1: \(notToken) (column 3, byte 3)"),
        ("a:1 \n", "1: \(notToken) (column 4, byte 4)"),
        ("\u{FEFF}a:1\n\u{FEFF}b", "2: \(notToken) (column 1, byte 8)"),
    ])
    func `names the first character that no registration has`(text: String, fault: String) throws {
        #expect(try Self.faults(text.utf8) == [fault])
    }

    @Test func `a registration has at most 4,096 characters`() throws {
        let longest = String(repeating: "x", count: 4_096)
        #expect(try Self.faults("\(longest)\nb\n".utf8) == [])
        #expect(
            try Self.faults("b\n\(longest)x\n".utf8)
                == ["2: a registration has at most 4096 characters (column 4097, byte 4099)"]
        )
    }

    @Test(arguments: [
        ("a:1\nb\0c\nd", ["2: it contains the character NUL (column 2, byte 6)"]),
        ("\0", ["1: it contains the character NUL (column 1, byte 1)"]),
        ("# a\0\nb", ["1: it contains the character NUL (column 4, byte 4)"]),
        (
            "a:1\n\0\0\nb \0",
            [
                "2: it contains the character NUL (column 1, byte 5)",
                "3: it contains the character NUL (column 3, byte 10)",
            ]
        ),
    ])
    func `NUL is an error, also in comments`(text: String, faults: [String]) throws {
        #expect(try Self.faults(text.utf8) == faults)
    }

    @Test(arguments: ["", "# é"])
    func `bytes that are not UTF-8 are errors, also in comments`(start: String) throws {
        let bytes = Array("a:1\n\(start)".utf8) + [0xC3, 0x28] + Array("\nb\n".utf8)
        #expect(
            try Self.faults(bytes)
                == [
                    start.isEmpty
                        ? "2: it is not UTF-8 (column 1, byte 5)"
                        : "2: it is not UTF-8 (column 4, byte 9)"
                ]
        )
    }

    @Test func `a file in UTF-16 is reported at its first byte`() throws {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00]
        #expect(try Self.faults(bytes).first == "1: it is not UTF-8 (column 1, byte 1)")
    }

    @Test func `a line has at most 1 MiB`() throws {
        let comment = "#" + String(repeating: "x", count: 1_048_575)
        #expect(try Self.faults("\(comment)\r\na\n".utf8) == [])
        #expect(
            try Self.faults("a\n\(comment)x\nb\n".utf8)
                == ["2: it is longer than 1 MiB (column 1, byte 3)"]
        )
    }

    /// Two million lines, because the file has more than 65,536 blocks of lines.
    @Test func `counts lines and bytes in a long file`() throws {
        let text = String(repeating: "#\n", count: 2_000_000) + "a b\n"
        #expect(
            try Self.faults(text.utf8) == ["2000001: \(Self.notToken) (column 2, byte 4000002)"]
        )
    }
}
