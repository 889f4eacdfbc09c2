import CampaignModel
import RegistrationLists
import TestSupport
import Testing

struct ColumnSurveyTests {
    private static func survey(
        _ bytes: some Sequence<UInt8>,
        _ format: RegistrationFile.Format = .csv,
        column: String? = nil,
        identity: String? = nil
    ) throws -> ListSurvey {
        let folder = try TemporaryFolder()
        try folder.write("l", bytes)
        let file = RegistrationFile(
            path: "l",
            format: format,
            kind: .token,
            column: column,
            identity: identity,
            reading: .atApply
        )
        return try ListSurvey(
            .described(file),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    private static func survey(
        _ text: String,
        _ format: RegistrationFile.Format = .csv,
        column: String? = nil,
        identity: String? = nil
    ) throws -> ListSurvey {
        try survey(text.utf8, format, column: column, identity: identity)
    }

    private static func error(
        _ text: String,
        _ format: RegistrationFile.Format = .csv,
        column: String? = nil,
        identity: String? = nil
    ) throws -> RegistrationListError? {
        do {
            _ = try survey(text, format, column: column, identity: identity)
            return nil
        } catch let error as RegistrationListError {
            return error
        }
    }

    private static func faults(
        _ text: String,
        _ format: RegistrationFile.Format = .csv,
        identity: String? = nil
    ) throws -> [String] {
        guard case .brokenLines(let lines, "l", _)? = try error(text, format, identity: identity)
        else { return [] }
        return lines.map { "\($0.number): \($0.reason)" }
    }

    /// SHA-256 of "angler:1\nangler:2\n", by Python's `hashlib`.
    private static let anglers = "0a91c076cca778562bf5ad91553bb762df31d5a9eb61223c1f282365ee2ec1e8"

    @Test(arguments: [
        ("registration\nangler:1\nangler:2\n", RegistrationFile.Format.csv),
        ("\u{FEFF}user,registration\r\nana,\"angler:1\"\r\n\r\n\"b\r\no\",angler:2", .csv),
        ("{\"registration\":\"angler:1\"}\n{\"registration\":\"angler:2\"}\n", .ndjson),
        (
            "\u{FEFF}{\"x\": [1], \"registration\": \"angler:1\"}\r\n \t\r\n\n"
                + "{\"registration\": \"angler:\\u0032\"}",
            .ndjson
        ),
        ("angler:1\nangler:2\n", .text),
    ])
    func `a list has the same ID and fingerprints in every format`(
        text: String,
        format: RegistrationFile.Format
    ) throws {
        let survey = try Self.survey(text, format)
        #expect(survey.id.text == Self.anglers)
        #expect(survey.count == 2)
        #expect(survey.fingerprints.first()?.description == "722ca6aa80634d10")
        #expect(survey.identities == nil)
    }

    /// For "ana" and "bo", by an implementation in Python, under a key made of the bytes 0 to 31.
    private static let ana = Fingerprint(
        high: 0x23E5_0541_7E78_5342,
        low: 0x7197_7BBA_442F_3CD9
    )
    private static let bo = Fingerprint(
        high: 0x23AD_047D_D0C8_890A,
        low: 0x4C98_603C_5439_E455
    )

    @Test(arguments: [
        ("user,token\nana,a:1\nbo,a:2\nana,a:3\n", RegistrationFile.Format.csv),
        (
            """
            {"user": "ana", "token": "a:1"}
            {"token": "a:2", "user": "bo"}
            {"user": "ana", "token": "a:3", "more": {"user": "x"}}
            """,
            .ndjson
        ),
    ])
    func `the identity column gives the person of each registration`(
        text: String,
        format: RegistrationFile.Format
    ) throws {
        let survey = try Self.survey(text, format, column: "token", identity: "user")
        #expect(survey.count == 3)
        #expect(survey.identities == [Self.ana, Self.bo, Self.ana])
        #expect(Set(survey.identities ?? []).count == 2)
    }

    @Test func `numbers keep their text`() throws {
        let text = """
            {"registration": 7, "user": 9007199254740993}
            {"registration": "a:2", "user": "9007199254740993"}
            """
        let survey = try Self.survey(text, .ndjson, identity: "user")
        #expect(survey.identities.map { Set($0).count } == 1)
        #expect(
            try survey.id == Self.survey("registration\n7\na:2\n").id
        )
    }

    @Test func `reports the columns`() throws {
        #expect(
            try Self.survey("registration,locale\na:1,pt\n").columns == ["registration", "locale"]
        )
        let lines = "{\"registration\": \"a:1\"}\n{\"registration\": \"a:2\", \"locale\": \"pt\"}"
        #expect(try Self.survey(lines, .ndjson).columns == ["registration", "locale"])
        #expect(try Self.survey("a:1\n", .text).columns == nil)
        let many = (0..<1_001).map { "\"c\($0)\": 1" }.joined(separator: ", ")
        #expect(
            try Self.survey("{\"registration\": \"a:1\", \(many)}", .ndjson).columns == nil
        )
    }

    @Test(
        arguments: [
            (
                "registration\na:1\na b\n\"\"\n", nil,
                [
                    "3: a registration has no white space, quotes or commas",
                    "4: it has no `registration`",
                ]
            ),
            (
                "registration,user\na:1,ana\na:2,\n,bo\n", "user",
                [
                    "3: it has no `user`", "4: it has no `registration`",
                ]
            ),
            (
                "registration,user\na:1\na:2,ana\na:3,bo,\n", nil,
                [
                    "2: it has 1 field, and the header line has 2",
                    "4: it has 3 fields, and the header line has 2",
                ]
            ),
            (
                "user,registration,user\nana,a:1,ana\n", "user",
                ["1: the header line has the name `user` twice, first in column 1, byte 1"]
            ),
            (
                "registration\n\"a:1\n", nil,
                ["2: a quoted field is not closed"]
            ),
            ("\"registration\n", nil, ["1: a quoted field is not closed"]),
        ] as [(String, String?, [String])]
    )
    func `errors in a CSV file name their lines`(
        text: String,
        identity: String?,
        faults: [String]
    ) throws {
        #expect(try Self.faults(text, identity: identity) == faults)
    }

    @Test(arguments: [
        ("", "it is not JSON"), ("a:2", "it is not JSON"), ("[1]", "it is not a JSON object"),
        ("{} {}", "it is not JSON"), ("{\"user\": \"bo\"}", "it has no `registration`"),
        ("{\"registration\": \"\", \"user\": \"bo\"}", "it has no `registration`"),
        ("{\"registration\": null, \"user\": \"bo\"}", "it has no `registration`"),
        ("{\"registration\": \"a:2\"}", "it has no `user`"),
        ("{\"registration\": \"a:2\", \"user\": null}", "it has no `user`"),
        (
            "{\"registration\": \"a:2\", \"user\": 1.5}",
            "its `user` is a number that can be spelt in several ways; put it in quotation marks"
        ),
        (
            "{\"registration\": true, \"user\": \"bo\"}",
            "its `registration` is neither text nor a whole number"
        ),
        (
            "{\"registration\": \"a:2\", \"user\": \"bo\", \"user\": \"bo\"}",
            "it has the key `user` twice, first at byte 65"
        ),
        (
            "{\"registration\": \"a 2\", \"user\": \"bo\"}",
            "a registration has no white space, quotes or commas"
        ),
    ])
    func `errors in NDJSON name their lines`(line: String, fault: String) throws {
        let good = "{\"registration\": \"a:1\", \"user\": \"ana\"}"
        let text = "\(good)\n\n\(line.isEmpty ? "\u{FEFF}" : line)\n"
        #expect(try Self.faults(text, .ndjson, identity: "user") == ["3: \(fault)"])
    }

    @Test func `lines of NDJSON have at most 1 MiB and are UTF-8`() throws {
        let good = "{\"registration\": \"a:1\"}"
        let space = String(repeating: " ", count: 1_048_576 - good.utf8.count)
        #expect(try Self.survey(good + space, .ndjson).count == 1)
        #expect(
            try Self.faults(good + space + " ", .ndjson) == ["1: it is longer than 1 MiB"]
        )
        #expect(throws: RegistrationListError.self) {
            try Self.survey(Array((good + "\n").utf8) + [0xFF], .ndjson)
        }
    }

    @Test(
        arguments: [
            ("Registration,user\n", RegistrationFile.Format.csv, 1, "Registration", nil),
            ("\nregistrations,user\n", .csv, 2, "registrations", nil),
            (" registration\n", .csv, 1, " registration", nil),
            ("a:1\na:2\n", .csv, 1, nil, nil), ("user;registration\n", .csv, 1, nil, ";"),
            ("user\tregistration\n", .csv, 1, nil, "\t"),
            ("\n{\"registrations\": \"a:1\"}\n", .ndjson, 2, "registrations", nil),
            ("{}\n", .ndjson, 1, nil, nil),
        ] as [(String, RegistrationFile.Format, Int, String?, String?)]
    )
    func `a missing column is reported with the nearest name`(
        text: String,
        format: RegistrationFile.Format,
        line: Int,
        nearest: String?,
        separator: String?
    ) throws {
        guard case .missingColumn(let column)? = try Self.error(text, format) else {
            Issue.record("the missing column was not reported")
            return
        }
        #expect(column.name == "registration")
        #expect(column.path == "l")
        #expect(column.line == line)
        #expect(column.nearest == nearest)
        #expect(column.separator == separator)
    }

    @Test(arguments: [
        ("registration\na:1\n", RegistrationFile.Format.csv),
        ("{\"registration\": \"a:1\"}\n", .ndjson),
    ])
    func `a missing identity column is also reported`(
        text: String,
        format: RegistrationFile.Format
    ) throws {
        guard case .missingColumn(let column)? = try Self.error(text, format, identity: "user")
        else {
            Issue.record("the missing column was not reported")
            return
        }
        #expect(column.name == "user")
    }

    @Test(arguments: [
        ("", RegistrationFile.Format.csv), ("\r\n", .csv), ("registration\n\n", .csv),
        ("", .ndjson), ("\n \n", .ndjson), ("# nobody", .text),
    ])
    func `a list without rows is empty`(text: String, format: RegistrationFile.Format) throws {
        #expect(try Self.error(text, format) == .empty(path: "l"))
    }

    @Test func `a repeated registration is reported by the lines of its rows`() throws {
        let text = "registration,user\na:1,\"an\na\"\na:2,bo\na:1,bo\n"
        #expect(
            try Self.error(text, identity: "user")
                == .repeated(line: 5, first: 2, path: "l", count: 1)
        )
    }

    @Test func `a list with columns is read for joins`() throws {
        let folder = try TemporaryFolder()
        try folder.write("l.csv", "registration\na:1\n")
        let file = RegistrationFile(
            path: "l.csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: nil,
            reading: .atApply
        )
        var reader = try RegistrationReader(.described(file), directory: folder.path)
        guard case .registration(let registration)? = try reader.next() else {
            Issue.record("the list has a row")
            return
        }
        #expect(registration.token == "a:1" && reader.line == 2)
        let rest = try reader.next()
        #expect(rest == nil)
    }
}
