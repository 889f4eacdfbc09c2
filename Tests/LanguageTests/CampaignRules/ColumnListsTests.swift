import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

struct ColumnListsTests {
    private static func files(
        _ content: String?,
        _ reference: String = "«list.csv»",
        in name: String = "list.csv",
        more: String = ""
    ) throws -> LoadedFiles {
        let folder = try TemporaryFolder()
        if let content { try folder.write(name, content) }
        return withExtendedLifetime(folder) {
            LoadedFiles(
                campaign: """
                    audience: anglers
                    registrations: \(reference)
                    ---
                    campaign: a
                    audience: anglers
                    message: { data: { k: v } }
                    \(more)
                    """,
                directory: folder.path
            )
        }
    }

    @Test(arguments: [
        ("registration,user\na:1,ana\na:2,bo\n", "list.csv"),
        ("{\"registration\": \"a:1\", \"user\": 1}\n", "list.ndjson"),
    ])
    func `a valid list with columns has no finding`(
        content: String,
        name: String
    ) throws {
        let files = try Self.files(content, "«{ file: \(name), identity: user }»", in: name)
        #expect(files.findings == [])
        #expect(files.laterKeys == [])
    }

    @Test(
        .covers("A08-user"),
        arguments: [
            ("registration,user\na:1,ana\na:2,bo\na:3,ana\nb:1,cy\nb:2,bo\n", "2 people have"),
            ("registration,user\na:1,ana\na:2,bo\na:3,ana\n", "1 person has"),
        ]
    )
    func `a person with several registrations is a hint that a device group fits`(
        content: String,
        people: String
    ) throws {
        let files = try Self.files(content, "«{ file: list.csv, identity: user }»")
        #expect(files.findings == files.expected(.deviceGroupFits))
        let diagnostic = try #require(files.diagnostics.first { $0.rule == .deviceGroupFits })
        #expect(diagnostic.message == "\(people) several registrations in this list")
        // Without the column, Herald cannot tell the people apart.
        let plain = try Self.files(content, "«{ file: list.csv }»")
        #expect(plain.findings == [])
    }

    @Test(.covers("A08-user"), arguments: [(20, true), (21, false)])
    func `a device group has at most 20 registrations`(count: Int, isFound: Bool) throws {
        let rows = (0..<count).map { "a:\($0),ana\n" }.joined()
        let files = try Self.files(
            "registration,user\n" + rows,
            "«{ file: list.csv, identity: user }»"
        )
        #expect(files.findings == (isFound ? files.expected(.deviceGroupFits) : []))
    }

    @Test(arguments: ["«list.csv»", "«{ file: list.csv, kind: fid }»", "«list.ndjson»"])
    func `a missing list is reported`(reference: String) throws {
        let files = try Self.files(nil, reference)
        #expect(files.findings == files.expected(.unreadableFile))
    }

    @Test func `a list that is read at send time may be missing`() throws {
        let reference = "«{ file: list.csv, read: at_send }»"
        #expect(try Self.files(nil, reference).findings == [])
        #expect(try Self.files("registration\n", reference).findings == [])
        let pattern = "«{ file: 'part-*.csv', read: at_send }»"
        #expect(try Self.files(nil, pattern).findings == [])
        let unreadable = try Self.files("registration\n", pattern, in: "part-1.csv/x")
        #expect(unreadable.findings == unreadable.expected(.unreadableFile))
        let broken = try Self.files("registration\na b\n", reference)
        #expect(broken.findings == broken.expected(.brokenListLine))
    }

    @Test func `a list that a plan needs may not be missing`() throws {
        let list = "registrations: «{ file: list.csv, read: at_send }»"
        let texts = [
            "audience: active\n\(list)\nsubscribe: [tides]\n",
            "audience: active\n\(list)\n---\naudience: crew\nregistrations: [x:1, x:2]\n---\n"
                + "audience: all\nunion: [active, crew]\nsubscribe: [tides]\n",
        ]
        let folder = try TemporaryFolder()
        for text in texts {
            let files = LoadedFiles(campaign: text, directory: folder.path)
            #expect(files.findings == files.expected(.unreadableFile))
        }
    }

    @Test func `a described text list is also read`() throws {
        let files = try Self.files(
            "a:1\na:1\n",
            "«{ file: list.txt, kind: token }»",
            in: "list.txt"
        )
        #expect(files.findings == files.expected(.duplicateRegistration))
    }

    @Test func `broken rows are reported by number and not repeated`() throws {
        let files = try Self.files(
            "registration,user\nSECRET 1,ana\n\"a:2\nSECRET\",ana\na:3\na:4,\n",
            "«{ file: list.csv, identity: user }»"
        )
        #expect(files.findings == files.expected(.brokenListLine))
        let diagnostic = try #require(files.diagnostics.first)
        let reason = "a registration has no white space, quotes or commas"
        #expect(
            diagnostic.message
                == "list.csv:2 is invalid: \(reason) (column `registration`, byte 19)"
        )
        #expect(
            diagnostic.help == [
                "line 3 is invalid: \(reason) (column `registration`, byte 32)",
                "line 5 is invalid: it has 1 field, and the header line has 2 (column `user`, byte "
                    + "52)",
                "line 6 is invalid: it has no `user` (column `user`, byte 57)",
                "quote fields that contain a comma, a quotation mark or a line break, and double "
                    + "the quotation marks in them",
            ]
        )
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `the first of many broken rows are named and the others counted`() throws {
        let rows = String(repeating: "[]\n", count: 12)
        let files = try Self.files(rows, "«list.ndjson»", in: "list.ndjson")
        #expect(
            files.diagnostics.first?.help.suffix(2) == [
                "2 more lines have errors", "write one JSON object per line",
            ]
        )
    }

    @Test(arguments: [
        ("registrations\na:1\n", "did you mean `registrations`?"),
        (
            "a:SECRET\n",
            "name a column of the header line in `column` or `identity`"
        ),
        (
            "user;registration\n",
            "separate the fields by commas instead of `;`"
        ),
        ("user\tregistration\n", "separate the fields by commas instead of tabs"),
    ])
    func `a missing column is reported with a fix`(content: String, help: String) throws {
        let files = try Self.files(content)
        #expect(files.findings == files.expected(.missingColumn))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.message == "list.csv:1 has no column `registration`")
        #expect(diagnostic.help == [help])
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `a repeated registration is reported by line`() throws {
        let files = try Self.files("registration\na:1\n\na:1\n")
        #expect(files.findings == files.expected(.duplicateRegistration))
        #expect(
            files.diagnostics.first?.message
                == "list.csv:4 repeats the registration of line 2"
        )
    }

    @Test func `findings in a list of several files name them`() throws {
        let folder = try TemporaryFolder()
        try folder.write("l/a.csv", "registration\na:1\na b\n")
        try folder.write("l/b.csv", "registration\na b\n")
        func files() -> LoadedFiles {
            LoadedFiles(
                campaign: "audience: anglers\nregistrations: «l/*.csv»\n",
                directory: folder.path
            )
        }
        let broken = files()
        #expect(broken.findings == broken.expected(.brokenListLine))
        let reason = "a registration has no white space, quotes or commas"
        #expect(
            broken.diagnostics.first { $0.rule == .brokenListLine }?.message
                == "l/a.csv:3 is invalid: \(reason) (column `registration`, byte 18)"
        )
        #expect(
            broken.diagnostics.first { $0.rule == .brokenListLine }?.help.first
                == "l/b.csv:2 is invalid: \(reason) (column `registration`, byte 14)"
        )
        try folder.write("l/a.csv", "registration\na:1\n")
        try folder.write("l/b.csv", "registration\na:2\na:1\n")
        let repeated = files()
        #expect(repeated.findings == repeated.expected(.duplicateRegistration))
        #expect(
            repeated.diagnostics.first { $0.rule == .duplicateRegistration }?.message
                == "l/b.csv:3 repeats the registration of l/a.csv:2"
        )
    }

    private static let addColumn =
        "add the column, or write `registrations: { file: …, locale: COLUMN }`"

    @Test(arguments: [
        ("registration\na:1\n", "list.csv", addColumn),
        (
            "registration,Locale\na:1,pt\n", "list.csv",
            "write `registrations: { file: …, locale: Locale }`"
        ),
        ("{\"registration\": \"a:1\"}", "list.ndjson", addColumn),
        ("a:1\n", "list.txt", "use a .csv or .ndjson file: only these have columns"),
    ])
    func `locales require the list's locale column`(
        content: String,
        name: String,
        help: String
    ) throws {
        let files = try Self.files(
            content,
            name,
            in: name,
            more: "locales: «{ pt: { data: { k: w } } }»"
        )
        #expect(files.findings == files.expected(.missingColumn))
        #expect(files.diagnostics.first?.message == "the list \(name) has no column `locale`")
        #expect(files.diagnostics.first?.help == [help])
    }

    @Test(arguments: [
        ("registration\na:1\n", "list.csv"), ("{\"registration\": \"a:1\"}\n", "list.ndjson"),
    ])
    func `a named locale column must exist`(content: String, name: String) throws {
        let files = try Self.files(content, "«{ file: \(name), locale: lang }»", in: name)
        #expect(files.findings == files.expected(.missingColumn))
        #expect(files.diagnostics.first?.message == "\(name):1 has no column `lang`")
    }

    @Test(arguments: [
        ("registration,locale\na:1,pt-BR\na:2,PT\n", "list.csv", "list.csv"),
        ("registration,lang\na:1,pt\n", "{ file: list.csv, locale: lang }", "list.csv"),
        (
            "{\"registration\": \"a:1\", \"locale\": \"pt-x-a-b\"}", "list.ndjson", "list.ndjson"
        ),
    ])
    func `covered locales have no finding`(
        content: String,
        reference: String,
        name: String
    ) throws {
        let files = try Self.files(
            content,
            reference,
            in: name,
            more: "locales: { pt: { data: { k: w } } }"
        )
        #expect(files.findings == [])
        #expect(files.laterKeys == [])
    }

    @Test(arguments: [
        ("registration,locale\na:1,\n", "list.csv"),
        (
            "{\"registration\": \"a:1\"}\n{\"registration\": \"a:2\", \"locale\": null}",
            "list.ndjson"
        ),
        ("registration,locale\na:1,nl\na:2,pt\n", "list.csv"),
    ])
    func `an asterisk covers rows without a locale and those of other locales`(
        content: String,
        name: String
    ) throws {
        let patch = "pt: { data: { k: w } }"
        let refused = try Self.files(content, name, in: name, more: "locales: «{ \(patch) }»")
        #expect(refused.findings == refused.expected(.uncoveredLocale))
        let more = "locales: { \(patch), \"*\": {} }"
        #expect(try Self.files(content, name, in: name, more: more).findings == [])
    }

    @Test func `uncovered locales are reported with counts and lines`() throws {
        let files = try Self.files(
            "registration,locale\na:1,fr-CA\na:2,pt\na:3,FR-ca\na:4,\na:5,i-klingon\n",
            "list.csv",
            more: "locales: «{ pt: { data: { k: w } } }»"
        )
        #expect(files.findings == files.expected(.uncoveredLocale))
        let finding = try #require(files.diagnostics.first)
        #expect(
            finding.message
                == "no text of `a` covers the locale `fr-CA` (2 rows, the first at list.csv:2)"
        )
        #expect(
            finding.help == [
                "no locale: 1 row, at list.csv:5", "`i-klingon`: 1 row, at list.csv:6",
                "add the key `fr`, or add `\"*\": {}` to send the campaign's own text to all others",
            ]
        )
    }

    @Test(
        arguments: [
            ("pt", []), ("nl", [RuleID.uncoveredLocale]),
            ("nb_NO", [.uncoveredLocale, .localeTag]),
        ] as [(String, [RuleID])]
    )
    func `a default is the locale of rows without one`(text: String, rules: [RuleID]) throws {
        let folder = try TemporaryFolder()
        try folder.write("list.csv", "registration,locale\na:1,\n")
        let files = withExtendedLifetime(folder) {
            LoadedFiles(
                campaign: """
                    audience: anglers
                    registrations: list.csv
                    columns: { locale: { default: \(text) } }
                    ---
                    campaign: a
                    audience: anglers
                    message: { data: { k: v } }
                    locales: { pt: { data: { k: w } } }
                    """,
                directory: folder.path
            )
        }
        #expect(Set(files.findings.map(\.rule)) == Set(rules))
    }

    @Test func `a malformed locale is reported with its place`() throws {
        let content = "registration,locale\na:1,pt\na:2,nb_NO\n"
        let files = try Self.files(content, more: "locales: { pt: { data: { k: w } } }")
        #expect(files.findings == files.expected(.brokenListLine))
        #expect(
            files.diagnostics.first?.message
                == "list.csv:3 is invalid: its `locale` is `nb_NO` instead of the language tag "
                + "`nb-NO` (column `locale`, byte 32)"
        )
        // Without `locales`, the column has no meaning unless the list gives it one.
        #expect(try Self.files(content).findings == [])
        let named = try Self.files(content, "«{ file: list.csv, locale: locale }»")
        #expect(named.findings == named.expected(.brokenListLine))
    }
}
