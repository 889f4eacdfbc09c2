import CampaignModel
import RegistrationLists
import TestSupport
import Testing

/// What is wrong with lines of an NDJSON list, and where.
struct NDJSONFaultTests {
    private static let file = RegistrationFile(
        path: "l.ndjson",
        format: .ndjson,
        kind: .token,
        column: "token",
        identity: "user",
        reading: .atApply
    )

    private static func faults(_ bytes: some Sequence<UInt8>) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("l.ndjson", bytes)
        do {
            _ = try ListSurvey(
                .described(file),
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter
            )
            return []
        } catch {
            guard case .brokenLines(let lines, "l.ndjson", _) = error else { return ["\(error)"] }
            return lines.map(\.text)
        }
    }

    /// 31 bytes with its line end.
    private static let good = "{\"token\": \"a:1\", \"user\": \"10\"}\n"

    @Test(arguments: [
        ("{\"token\": \"a:2\", \"user\": \"\"}", "it has no `user` (column `user`, byte 57)"),
        ("{\"token\": \"a:2\", \"user\": null}", "it has no `user` (column `user`, byte 57)"),
        (" {\"token\": \"a:2\"}", "it has no `user` (column `user`, byte 32)"),
        (
            "{\"token\": true, \"user\": \"2\"}",
            "its `token` is neither text nor a whole number (column `token`, byte 42)"
        ),
        (
            "{\"token\":\"é\", \"user\": \"2\"}",
            "a registration has no white space, quotes or commas (column `token`, byte 41)"
        ),
        ("é {\"token\": 1", "it is not JSON (column 1, byte 32)"),
        ("{\"é\": 1, token: 1}", "it is not JSON (column 10, byte 42)"),
        ("{\"token\": \"a:2\"", "it is not JSON (column 16, byte 47)"),
        ("[]", "it is not a JSON object (column 1, byte 32)"),
        (
            "{\"token\": 1, \"user\": 2, \"user\": 2}",
            "it has the key `user` twice, first at byte 45 (column `user`, byte 56)"
        ),
        (
            "{\"é\": 1, \"\\u00e9\": 2}",
            "it has the same key twice, first at byte 33 (column 10, byte 42)"
        ),
        (
            "{\"x\": [{\"SECRET\": 1, \"SECRET\": 1}]}",
            "it has the same key twice, first at byte 40 (column 22, byte 53)"
        ),
        ("{\"x\": \"a\\u0000\"}", "it contains the character NUL (column 9, byte 40)"),
        ("{\"x\": \"é\0\"}", "it contains the character NUL (column 9, byte 41)"),
        ("\0", "it contains the character NUL (column 1, byte 32)"),
    ])
    func `names the line, the column and the byte`(line: String, fault: String) throws {
        let faults = try Self.faults((Self.good + line + "\n").utf8)
        #expect(faults == ["2: \(fault)"])
    }

    @Test(arguments: ["1.0", "1e3", "1E3", "-0", "0.5", "1e400", "12345678901234567890.5"])
    func `a number that other programs spell differently is an error`(number: String) throws {
        let line = "{\"token\": \"a:2\", \"user\": \(number)}"
        #expect(
            try Self.faults((Self.good + line).utf8) == [
                "2: its `user` is a number that can be spelt in several ways; put it in quotation "
                    + "marks (column `user`, byte 57)"
            ]
        )
    }

    @Test(arguments: ["007", "+1", ".5", "1.", "0x1"])
    func `a number that is not JSON is an error`(number: String) throws {
        let line = "{\"token\": \"a:2\", \"user\": \(number)}"
        #expect(try Self.faults((Self.good + line).utf8).first?.contains("not JSON") == true)
    }

    @Test(arguments: ["0", "-7", "9007199254740993", "12345678901234567890123", "-1"])
    func `a whole number is the same person as its text`(number: String) throws {
        let lines =
            "{\"token\": \"a:2\", \"user\": \(number)}\n{\"token\": 3, \"user\": \"\(number)\"}"
        let folder = try TemporaryFolder()
        try folder.write("l.ndjson", lines)
        let survey = try ListSurvey(
            .described(Self.file),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
        #expect(survey.identities.map { Set($0).count } == 1)
    }

    @Test func `values of other columns are as written`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "l.ndjson",
            "{\"token\": 1, \"user\": 1, \"x\": 1e3, \"y\": [ 1.0, \"\\u0061\" ]}\n"
                + "{\"token\": 2, \"user\": 1, \"y\": true}\n"
                + "{\"token\": 3, \"user\": 1, \"x\": null, \"y\": \"\\u0061\"}\n"
        )
        let table = ListTable(
            .described(Self.file),
            columns: ["x", "y"],
            directory: folder.path
        )
        var values: [[String]] = []
        try table.forEachRow { values.append($0.values) }
        #expect(values == [["1e3", "[1.0,\"a\"]"], ["", "true"], ["", "a"]])
    }

    @Test func `bytes that are not UTF-8 are errors in every value`() throws {
        let bytes = Array(Self.good.utf8) + Array("{\"é\": \"".utf8) + [0xFF] + Array("\"}".utf8)
        #expect(try Self.faults(bytes) == ["2: it is not UTF-8 (column 8, byte 40)"])
    }

    @Test func `a line has at most 1 MiB`() throws {
        let good = Self.good.dropLast()
        let space = String(repeating: " ", count: 1_048_576 - good.utf8.count)
        #expect(try Self.faults("\(good)\(space)\n".utf8) == [])
        #expect(
            try Self.faults("\(good) \(space)\n".utf8)
                == ["1: it is longer than 1 MiB (column 1, byte 1)"]
        )
    }
}
