import CampaignModel
import RegistrationLists
import TestSupport
import Testing

/// Lists in compressed files; `FileDecompressorTests` tests the formats themselves.
struct CompressedListTests {
    /// SHA-256 of "angler:1\nangler:2\n", by Python's `hashlib`.
    private static let anglers = "0a91c076cca778562bf5ad91553bb762df31d5a9eb61223c1f282365ee2ec1e8"

    /// Python: `gzip.compress(b"angler:1\nangler:2\n", mtime=0).hex()`.
    private static let text = bytes(
        "1f8b08000000000002034bcc4bcf492db232e44a84308cb8004da2dd4712000000"
    )
    /// The same for "user,registration\nana,angler:1\nbo,angler:2\n".
    private static let csv = bytes(
        "1f8b08000000000002032b2d4e2dd2294a4dcf2c2e294a2cc9cccfe34acc4bd449cc4bcf492db232e44aca87b18d"
            + "b800689623652b000000"
    )
    /// `zstd -19 -c` of two lines such as {"registration": "angler:1"}.
    private static let ndjson = bytes(
        "28b52ffd04684d010014027b22726567697374726174696f6e223a2022616e676c65723a31227d0a32227d0a0100"
            + "8145390156e266b5"
    )

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        var digits = hexadecimal[...]
        var bytes: [UInt8] = []
        while !digits.isEmpty {
            bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    private static func survey(
        _ bytes: [UInt8],
        _ format: RegistrationFile.Format = .text,
        path: String = "l"
    ) throws -> ListSurvey {
        let folder = try TemporaryFolder()
        try folder.write(path, bytes)
        let file = RegistrationFile(
            path: path,
            format: format,
            kind: .token,
            column: format == .text ? nil : "registration",
            identity: nil,
            reading: .atApply
        )
        return try ListSurvey(
            .described(file),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    private static func reason(_ bytes: [UInt8]) throws -> String? {
        do {
            _ = try survey(bytes)
            return nil
        } catch let error as RegistrationListError {
            guard case .unreadable("l", let reason) = error else { return "\(error)" }
            return reason.description
        }
    }

    @Test(arguments: [
        (text, RegistrationFile.Format.text), (csv, .csv),
        (ndjson, .ndjson),
    ])
    func `a compressed list has the ID of the plain one, whatever its name`(
        bytes: [UInt8],
        format: RegistrationFile.Format
    ) throws {
        for path in ["l", "l.csv", "l.csv.gz", "l.txt.zst"] {
            #expect(try Self.survey(bytes, format, path: path).id.text == Self.anglers)
        }
    }

    @Test func `sending reads compressed lists, too`() throws {
        let folder = try TemporaryFolder()
        try folder.write("l.txt.gz", Self.text)
        var reader = try RegistrationReader(.file(path: "l.txt.gz"), directory: folder.path)
        var lines: [Int] = []
        while case .registration? = try reader.next() { lines.append(reader.line) }
        #expect(lines == [1, 2])
    }

    @Test func `the parts of a compressed list are not compressed`() throws {
        let folder = try TemporaryFolder()
        try folder.write("l.txt.gz", Self.text)
        let division = try ListDivision(.file(path: "l.txt.gz"), directory: folder.path) {
            $0.token == "angler:1"
        }
        #expect(String(decoding: division.kept, as: UTF8.self) == "angler:2\n")
        #expect(String(decoding: division.removed, as: UTF8.self) == "angler:1\n")
    }

    @Test func `places are those of the uncompressed list`() throws {
        // Python: gzip.compress(b"angler:1\nangler 2\n", mtime=0).hex()
        let bytes = Self.bytes(
            "1f8b08000000000002034bcc4bcf492db232e44a0433148cb800eb846c5612000000"
        )
        do {
            _ = try Self.survey(bytes)
            Issue.record("a broken line was accepted")
        } catch let error as RegistrationListError {
            guard case .brokenLines(let lines, "l", 1) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(
                lines.map(\.text) == [
                    "2: a registration has no white space, quotes or commas (column 7, byte 16)"
                ]
            )
        }
    }

    @Test func `a file that ends too early is refused`() throws {
        #expect(
            try Self.reason(Array(Self.text.dropLast()))
                == "its gzip data ends too early, after byte 32 of the compressed file"
        )
        #expect(
            try Self.reason(Array(Self.ndjson.dropLast()))
                == "its zstd data ends too early, after byte 53 of the compressed file"
        )
    }

    @Test func `a damaged file is refused`() throws {
        var damaged = Self.text
        damaged[25] ^= 0xFF
        #expect(
            try Self.reason(damaged)
                == "its gzip data is damaged at byte 29 of the compressed file"
        )
    }

    @Test func `other data after the end is refused`() throws {
        #expect(
            try Self.reason(Self.text + Array("angler:3\n".utf8))
                == "other data follows its gzip data, from byte 34 of the compressed file"
        )
    }

    @Test func `a window of more than 128 MiB is refused`() throws {
        #expect(
            try Self.reason(Self.bytes("28b52ffd0090010000"))
                == "its zstd data at byte 1 of the compressed file needs a window of more than "
                + "128 MiB"
        )
    }

    /// A zstd frame of blocks that repeat one byte 131,072 times (RFC 8878, 3.1.1.2): 4 bytes each.
    private static func repeating(_ byte: UInt8, blocks count: Int) -> [UInt8] {
        let header = bytes("28b52ffd0038")
        let block: [UInt8] = [0x02, 0x00, 0x10, byte]
        let last: [UInt8] = [0x03, 0x00, 0x10, byte]
        return header + Array(repeatElement(block, count: count - 1).joined()) + last
    }

    @Test func `contents of 1 MiB may have any ratio to the file`() throws {
        #expect(
            try Self.reason(Self.repeating(UInt8(ascii: "#"), blocks: 8))?.contains("empty") == true
        )
    }

    @Test(arguments: [9, 64, 4_096])
    func `more than 1 MiB may be 1,000 times the size of the file`(count: Int) throws {
        #expect(
            try Self.reason(Self.repeating(UInt8(ascii: "#"), blocks: count))
                == "its contents have more than 1,000 times the size of the compressed file"
        )
    }
}
