import CampaignModel
import Diagnostics
import Text
import TestSupport
import Testing

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
        ("registration,user\na:1,ana\na:2,ana\n", "list.csv"),
        ("{\"registration\": \"a:1\", \"user\": 1}\n", "list.ndjson"),
    ])
    func `finds nothing in a sound list, and still notes that nothing sends to it`(
        content: String,
        name: String
    ) throws {
        let files = try Self.files(content, "«{ file: \(name), identity: user }»", in: name)
        #expect(files.findings == [])
        #expect(files.laterKeys == files.expected(.notBuiltYet))
    }

    @Test(arguments: ["«list.csv»", "«{ file: list.csv, kind: fid }»", "«list.ndjson»"])
    func `a list that is not there is found`(reference: String) throws {
        let files = try Self.files(nil, reference)
        #expect(files.findings == files.expected(.unreadableFile))
    }

    @Test func `a list that is read when it is sent to may come later`() throws {
        let reference = "«{ file: list.csv, read: at_send }»"
        #expect(try Self.files(nil, reference).findings == [])
        #expect(try Self.files("registration\n", reference).findings == [])
        let broken = try Self.files("registration\na b\n", reference)
        #expect(broken.findings == broken.expected(.brokenListLine))
    }

    @Test func `a text that is described is read as well`() throws {
        let files = try Self.files(
            "a:1\na:1\n",
            "«{ file: list.txt, kind: token }»",
            in: "list.txt"
        )
        #expect(files.findings == files.expected(.duplicateRegistration))
    }

    @Test func `broken rows are named by number and not repeated`() throws {
        let files = try Self.files(
            "registration,user\nSECRET 1,ana\n\"a:2\nSECRET\",ana\na:3\na:4,\n",
            "«{ file: list.csv, identity: user }»"
        )
        #expect(files.findings == files.expected(.brokenListLine))
        let diagnostic = try #require(files.diagnostics.first)
        let reason = "a registration must not contain white space, quotes or commas"
        #expect(diagnostic.message == "list.csv:2 can't be used: \(reason)")
        #expect(
            diagnostic.help == [
                "nor can line 3: \(reason)",
                "nor can line 5: it has 1 field, and the header line has 2",
                "nor can line 6: it has no `user`",
                "a field that has a comma, a quotation mark or a line break stands in quotation "
                    + "marks, and a quotation mark in it is written twice",
            ]
        )
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `of many broken rows the first are named and the rest counted`() throws {
        let rows = String(repeating: "[]\n", count: 12)
        let files = try Self.files(rows, "«list.ndjson»", in: "list.ndjson")
        #expect(
            files.diagnostics.first?.help.suffix(2) == [
                "nor can 2 more", "each line is one JSON object",
            ]
        )
    }

    @Test(arguments: [
        ("registrations\na:1\n", "did you mean `registrations`?"),
        (
            "a:SECRET\n",
            "the head line names the columns; `column` and `identity` say which to read"
        ),
        (
            "user;registration\n",
            "its fields seem to be separated by `;`: a CSV has commas"
        ),
        ("user\tregistration\n", "its fields seem to be separated by tabs: a CSV has commas"),
    ])
    func `a missing column is found with a way out`(content: String, help: String) throws {
        let files = try Self.files(content)
        #expect(files.findings == files.expected(.missingColumn))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.message == "list.csv:1 has no column `registration`")
        #expect(diagnostic.help == [help])
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `what a row repeats is named by its line`() throws {
        let files = try Self.files("registration\na:1\n\na:1\n")
        #expect(files.findings == files.expected(.duplicateRegistration))
        #expect(
            files.diagnostics.first?.message
                == "list.csv:4 repeats the registration of line 2"
        )
    }

    @Test(arguments: [
        ("registration\na:1\n", "list.csv", "add it to the list, or take `locales` out"),
        ("registration,Locale\na:1,pt\n", "list.csv", "it has `Locale`: call it `locale`"),
        (
            "{\"registration\": \"a:1\"}", "list.ndjson",
            "add it to the list, or take `locales` out"
        ),
    ])
    func `languages need the list's column of them`(
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
        ("registration,locale\na:1,\n", "list.csv"),
        (
            "{\"registration\": \"a:1\"}\n{\"registration\": \"a:2\", \"locale\": null}",
            "list.ndjson"
        ),
        ("a:1\n", "list.txt"),
    ])
    func `a row may leave its language out`(content: String, name: String) throws {
        let files = try Self.files(
            content,
            name,
            in: name,
            more: "locales: { pt: { data: { k: w } } }"
        )
        #expect(files.findings == [])
    }
}
