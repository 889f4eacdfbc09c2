import Diagnostics
import Text
import TestSupport
import Testing

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

    @Test func `finds nothing in a sound list`() throws {
        #expect(try Self.files("# anglers\nangler:1\n\nangler:2\n").findings == [])
    }

    @Test func `a list that is not there is found at its path`() throws {
        let files = try Self.files(nil)
        #expect(files.findings == files.expected(.unreadableFile))
        #expect(
            files.diagnostics.first?.message
                == "the list list.txt can't be read: no such file or directory"
        )
    }

    @Test(arguments: ["", "# nobody yet\n\n"])
    func `a list without a registration is found`(content: String) throws {
        let files = try Self.files(content)
        #expect(files.findings == files.expected(.emptyList))
    }

    @Test func `an empty list in the file is found`() throws {
        let files = try Self.files(nil, reference: "«[]»")
        #expect(files.findings == files.expected(.emptyList))
    }

    @Test func `broken lines are named by number and not repeated`() throws {
        let files = try Self.files("angler:1\nangler SECRET\nangler:2\n\"SECRET\"\n")
        #expect(files.findings == files.expected(.brokenListLine))
        let diagnostic = try #require(files.diagnostics.first)
        let reason = "a registration must not contain white space, quotes or commas"
        #expect(diagnostic.message == "list.txt:2 is no registration: \(reason)")
        #expect(diagnostic.help.first == "so is line 4: \(reason)")
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test(arguments: [
        (10, "a list has one registration a line; `#` begins a comment"), (11, "so is 1 more"),
        (50, "so are 40 more"),
    ])
    func `of many broken lines the first are named and the rest counted`(
        count: Int,
        last: String
    ) throws {
        let files = try Self.files(String(repeating: "not one\n", count: count))
        let help = try #require(files.diagnostics.first?.help)
        #expect(help.filter { $0.hasPrefix("so is line") }.count == 9)
        #expect(help.dropFirst(9).first == last)
    }

    @Test func `what a file repeats is named by its lines and not repeated`() throws {
        let files = try Self.files("# anglers\nangler:SECRET\nangler:2\nangler:SECRET\nangler:2\n")
        #expect(files.findings == files.expected(.duplicateRegistration))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.message == "list.txt:4 repeats the registration of line 2")
        #expect(diagnostic.help.first == "2 lines repeat an earlier one")
        #expect(!"\(diagnostic)".contains("SECRET"))
    }

    @Test func `what an inline list repeats is found at the second and shows the first`() throws {
        let files = try Self.files(nil, reference: "[angler:2, ‹angler:1›, angler:3, «angler:1»]")
        #expect(files.findings == files.expected(.duplicateRegistration))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.diagnostics.first?.message == "registration 4 repeats registration 2")
    }

    @Test func `subscribing nobody is the advice only where the list is kept subscribed`() {
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
                    "to unsubscribe everybody, leave the list as it was and write "
                        + "`subscribe: []`"
                ],
                ["a list needs at least one registration"],
                ["a list needs at least one registration"],
            ]
        )
    }

    @Test func `a list left as it was with subscribe empty is sound`() throws {
        let files = try Self.files("angler:1\n", reference: "list.txt\nsubscribe: []")
        #expect(files.findings == [])
    }

    @Test func `a list that a campaign names itself is read as well`() {
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
