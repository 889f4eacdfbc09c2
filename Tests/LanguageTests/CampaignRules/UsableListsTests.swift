import Diagnostics
import TestSupport
import Testing
import Text

struct UsableListsTests {
    private static func files(
        _ content: String?,
        reference: String = "«list.txt»"
    ) throws -> LoadedFiles {
        let folder = try TemporaryFolder()
        if let content { try folder.write("list.txt", content) }
        return withExtendedLifetime(folder) {
            LoadedFiles(
                campaign: """
                    audience: anglers
                    registrations: \(reference)
                    ---
                    campaign: a
                    audience: anglers
                    message: {}
                    """,
                directory: folder.path
            )
        }
    }

    @Test func `a valid list has no findings`() throws {
        #expect(try Self.files("# anglers\nangler:1\n\nangler:2\n").findings == [])
    }

    @Test func `a missing list is reported at its path`() throws {
        let files = try Self.files(nil)
        #expect(files.findings == files.expected(.unreadableFile))
        #expect(
            files.diagnostics.first?.message
                == "cannot read the list list.txt: no such file or directory"
        )
    }

    @Test(arguments: ["", "# no entries yet\n\n"])
    func `a list without registrations is reported`(content: String) throws {
        let files = try Self.files(content)
        #expect(files.findings == files.expected(.emptyList))
    }

    @Test func `an empty inline list is reported`() throws {
        let files = try Self.files(nil, reference: "«[]»")
        #expect(files.findings == files.expected(.emptyList))
    }

    @Test func `broken lines are reported by number and not repeated`() throws {
        let files = try Self.files("angler:1\nangler SECRET\nangler:2\n\"SECRET\"\n")
        #expect(files.findings == files.expected(.brokenListLine))
        let diagnostic = try #require(files.diagnostics.first)
        let reason = "a registration has no white space, quotes or commas"
        #expect(
            diagnostic.message
                == "list.txt:2 is not a registration: \(reason) (column 7, byte 16)"
        )
        #expect(
            diagnostic.help.first
                == "line 4 is not a registration: \(reason) (column 1, byte 33)"
        )
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test(arguments: [
        (10, "write one registration per line; `#` begins a comment"),
        (11, "1 more line has errors"),
        (50, "40 more lines have errors"),
    ])
    func `the first of many broken lines are named and the others counted`(
        count: Int,
        last: String
    ) throws {
        let files = try Self.files(String(repeating: "not one\n", count: count))
        let help = try #require(files.diagnostics.first?.help)
        #expect(help.filter { $0.contains(" is not a registration: ") }.count == 9)
        #expect(help.dropFirst(9).first == last)
    }

    @Test func `repeated registrations are reported by line and not repeated`() throws {
        let files = try Self.files("# anglers\nangler:SECRET\nangler:2\nangler:SECRET\nangler:2\n")
        #expect(files.findings == files.expected(.duplicateRegistration))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.message == "list.txt:4 repeats the registration of line 2")
        #expect(diagnostic.help.first == "2 lines repeat an earlier one")
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `a repeated inline registration refers to the first one`() throws {
        let files = try Self.files(nil, reference: "[angler:2, ‹angler:1›, angler:3, «angler:1»]")
        #expect(files.findings == files.expected(.duplicateRegistration))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.diagnostics.first?.message == "registration 4 repeats registration 2")
    }

    @Test func `an empty subscribe is suggested only for subscribed lists`() {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «[]»
                subscribe: [tides]
                ---
                audience: rowers
                registrations: «[]»
                ---
                campaign: a
                audience: { registrations: «[]» }
                message: {}
                """
        )
        let empty = files.diagnostics.filter { $0.rule == .emptyList }
        #expect(
            empty.map(\.help) == [
                [
                    "to unsubscribe all registrations, keep the list and write `subscribe: []`"
                ],
                ["add at least one registration"],
                ["add at least one registration"],
            ]
        )
    }

    @Test func `an unchanged list with an empty subscribe is valid`() throws {
        let files = try Self.files("angler:1\n", reference: "list.txt\nsubscribe: []")
        #expect(files.findings == [])
    }

    @Test func `a list that a campaign names itself is also read`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: «list.txt» }
                message: {}
                ---
                campaign: b
                audience: { registrations: [‹x:1›, «x:1»] }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unreadableFile, .duplicateRegistration))
    }
}
