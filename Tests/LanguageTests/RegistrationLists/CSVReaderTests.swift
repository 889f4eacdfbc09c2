import TestSupport
import Testing

@testable import RegistrationLists

struct CSVReaderTests {
    enum Row: Hashable {
        case record([String], line: Int)
        /// As `BrokenLine.text`.
        case broken(String)

        init(_ row: CSVParser.Row) {
            self =
                switch row {
                case .record(let record):
                    .record(record.fields.map(\.text), line: record.line)
                case .broken(let line): .broken(line.text)
                }
        }
    }

    private static func rows(_ bytes: some Sequence<UInt8>) throws -> [Row] {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", bytes)
        var reader = try CSVReader(path: folder.path + "/a.csv")
        var rows: [Row] = []
        while let row = try reader.next() { rows.append(Row(row)) }
        #expect(try reader.next() == nil)
        return rows
    }

    @Test func `all cases are present`() {
        #expect(CSVCase.all.count == 320)
        #expect(CSVCase.all.count { $0.records == nil } > 50)
    }

    @Test(arguments: CSVCase.all)
    func `accepts what Python accepts and refuses what Python refuses`(example: CSVCase) throws {
        let rows = try Self.rows(example.text.utf8)
        let records = rows.compactMap { row in
            if case .record(let fields, let line) = row {
                CSVCase.Record(line: line, fields: fields)
            } else {
                nil
            }
        }
        if let expected = example.records {
            #expect(records.map(\.line) == expected.map(\.line))
            // Compared by bytes, because Swift's strings treat é in one scalar and in two as equal.
            #expect(
                records.map { $0.fields.map { Array($0.utf8) } }
                    == expected.map { $0.fields.map { Array($0.utf8) } }
            )
        }
        #expect((records.count == rows.count) == (example.records != nil))
    }

    @Test(arguments: [
        ("", []), ("\n\r\n\n", []), ("a", [["a"]]), ("a,b\n", [["a", "b"]]),
        ("a,\r\n,b\r\n", [["a", ""], ["", "b"]]), ("\"\"\n", [[""]]), ("a\r", [["a"]]),
        ("\"a,\"\"b\"\"\"\n", [["a,\"b\""]]), ("\"a\r\nb\"\r\n", [["a\r\nb"]]),
        ("\"a\rb\"", [["a\rb"]]), (" a , b", [[" a ", " b"]]), ("\u{FEFF}\"a\",b", [["a", "b"]]),
        ("a\n\u{FEFF}b", [["a"], ["\u{FEFF}b"]]),
    ])
    func `fields are separated by commas or quoted`(
        text: String,
        records: [[String]]
    ) throws {
        let fields = try Self.rows(text.utf8).map { row in
            if case .record(let fields, _) = row { fields } else { ["broken"] }
        }
        #expect(fields == records)
    }

    @Test func `counts the lines inside fields`() throws {
        #expect(
            try Self.rows("a\n\n\"b\nc\r\nd\",e\n\nf\n".utf8) == [
                .record(["a"], line: 1), .record(["b\nc\r\nd", "e"], line: 3),
                .record(["f"], line: 7),
            ]
        )
    }

    @Test(arguments: [
        ("b\"c\",d", "a field without quotes contains a quotation mark (column 1, byte 4)"),
        ("\"b\"c,d", "a field has text after its closing quotation mark (column 1, byte 6)"),
        ("b,\"c\" ", "a field has text after its closing quotation mark (column 2, byte 8)"),
        ("b\rc", "it has a carriage return without a line feed (column 1, byte 4)"),
        ("\"b\"\r\r", "it has a carriage return without a line feed (column 1, byte 6)"),
        ("b,\0c", "it contains the character NUL (column 2, byte 5)"),
        ("\0", "it contains the character NUL (column 1, byte 3)"),
        ("b,\"c\0\0,\"", "it contains the character NUL (column 2, byte 7)"),
        ("b,\0\"c", "it contains the character NUL (column 2, byte 5)"),
    ])
    func `a broken line affects no other line`(line: String, reason: String) throws {
        #expect(
            try Self.rows("a\n\(line)\nz\n".utf8) == [
                .record(["a"], line: 1), .broken("2: \(reason)"), .record(["z"], line: 3),
            ]
        )
    }

    @Test func `an error in a record of several lines names its own line`() throws {
        #expect(
            try Self.rows("\"a\nb\",c\"\nz".utf8) == [
                .broken(
                    "2: a field without quotes contains a quotation mark (column 2, byte 8)"
                ),
                .record(["z"], line: 3),
            ]
        )
    }

    @Test func `an unclosed quotation mark is reported where it opens`() throws {
        #expect(
            try Self.rows("a,b\nc,\"d\ne,f\n\ng,h\n".utf8) == [
                .record(["a", "b"], line: 1),
                .broken("2: a quoted field is not closed (column 2, byte 7)"),
            ]
        )
    }

    @Test(arguments: [
        ("\"b\n", "3: it is not UTF-8 (column 1, byte 6)"),
        ("b,c", "2: it is not UTF-8 (column 2, byte 6)"),
        ("b,\"\"\"\"\"\r\nc\"\"", "3: it is not UTF-8 (column 2, byte 15)"),
    ])
    func `reports bytes that are not UTF-8 at their place`(start: String, fault: String) throws {
        let end = start.contains("\"") ? "\",c" : ",c"
        let bytes = Array("a\n\(start)".utf8) + [0xC3] + Array("\(end)\nd\n".utf8)
        let rows = try Self.rows(bytes)
        #expect(rows.dropLast() == [.record(["a"], line: 1), .broken(fault)])
        guard case .record(["d"], _)? = rows.last else {
            Issue.record("the next record was lost")
            return
        }
    }

    @Test func `fields and the ends of records have places`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", "\u{FEFF}a,\"b\nc\",\r\nd\n,\"\"")
        var reader = try CSVReader(path: folder.path + "/a.csv")
        var records: [CSVRecord] = []
        while case .record(let record)? = try reader.next() { records.append(record) }
        #expect(
            records == [
                CSVRecord(
                    fields: [
                        CSVField(text: "a", line: 1, byte: 4),
                        CSVField(text: "b\nc", line: 1, byte: 6),
                        CSVField(text: "", line: 2, byte: 12),
                    ],
                    line: 1,
                    end: 12,
                    lastLine: 2
                ),
                CSVRecord(
                    fields: [CSVField(text: "d", line: 3, byte: 14)],
                    line: 3,
                    end: 15,
                    lastLine: 3
                ),
                CSVRecord(
                    fields: [
                        CSVField(text: "", line: 4, byte: 16),
                        CSVField(text: "", line: 4, byte: 17),
                    ],
                    line: 4,
                    end: 19,
                    lastLine: 4
                ),
            ]
        )
    }

    /// Blocks have 65,536 bytes: each kind of byte is placed at and around their boundaries.
    @Test func `records may cross block boundaries`() throws {
        for shift in 65_530..<65_545 {
            let filler = String(repeating: "x", count: shift)
            let rows = try Self.rows("\(filler),\"a\"\"\r\n潮\"\r\nb,c\r\n".utf8)
            #expect(
                rows == [
                    .record([filler, "a\"\r\n潮"], line: 1), .record(["b", "c"], line: 3),
                ]
            )
        }
    }

    @Test func `accepts records of at most 1 MiB`() throws {
        let longest = String(repeating: "x", count: 1_048_576)
        #expect(
            try Self.rows("\(longest)\r\na".utf8) == [
                .record([longest], line: 1), .record(["a"], line: 2),
            ]
        )
        #expect(
            try Self.rows("b\n\(longest)x\na".utf8) == [
                .record(["b"], line: 1), .broken("2: it is longer than 1 MiB (column 1, byte 3)"),
                .record(["a"], line: 3),
            ]
        )
    }

    @Test func `stops at a quoted field that is too long`() throws {
        let long = String(repeating: "x\n", count: 1_500_000)
        #expect(
            try Self.rows("a\nb\"\n\"\(long)".utf8) == [
                .record(["a"], line: 1),
                .broken(
                    "2: a field without quotes contains a quotation mark (column 1, byte 4)"
                ),
                .broken(
                    "3: a quoted field is longer than 1 MiB; is its closing quotation mark "
                        + "missing? (column 1, byte 6)"
                ),
            ]
        )
    }
}
