import CampaignModel
import RegistrationLists
import Testing

struct ListSurveyTests {
    /// SHA-256 of "angler:1\nangler:2\n", by Python's `hashlib`.
    private static let anglers = "0a91c076cca778562bf5ad91553bb762df31d5a9eb61223c1f282365ee2ec1e8"

    @Test(arguments: [
        "angler:1\nangler:2\n", "angler:1\nangler:2", "angler:1\r\nangler:2\r\n",
        "# anglers\n\nangler:1\n\n#angler:3\nangler:2\n\n", "\u{FEFF}angler:1\nangler:2\n",
        "\u{FEFF}# anglers\nangler:1\nangler:2\n", "\u{FEFF}\r\nangler:1\r\nangler:2\r\n",
    ])
    func `the ID depends only on the registrations in order`(
        text: String
    ) throws {
        let survey = try ListFolder(text).survey()
        #expect(survey.id.text == Self.anglers)
        #expect(survey.count == 2)
        #expect(survey.fingerprints.first()?.description == "722ca6aa80634d10")
    }

    @Test func `an inline list has the ID of a file with the same content`() throws {
        let list = RegistrationList.inline(
            ["angler:1", "angler:2"].compactMap { Registration($0) }
        )
        let survey = try ListSurvey(
            list,
            directory: "/nonexistent",
            fingerprinter: ListFolder.fingerprinter
        )
        #expect(survey.id.text == Self.anglers)
    }

    @Test func `another order is another list`() throws {
        #expect(try ListFolder("angler:2\nangler:1\n").survey().id.text != Self.anglers)
    }

    @Test func `refuses a missing list with the system's message`() throws {
        let list = RegistrationList.file(path: "none.txt")
        do {
            _ = try ListSurvey(
                list,
                directory: "/nonexistent",
                fingerprinter: ListFolder.fingerprinter
            )
            Issue.record("a missing list was read")
        } catch {
            guard case .unreadable("none.txt", let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.description == "no such file or directory")
        }
    }

    @Test func `refuses a directory`() throws {
        let folder = try ListFolder("angler:1\n")
        do {
            _ = try ListSurvey(
                .file(path: "lists"),
                directory: folder.directory,
                fingerprinter: ListFolder.fingerprinter
            )
            Issue.record("a folder was read")
        } catch {
            guard case .unreadable("lists", let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.description == "is a directory")
        }
    }

    @Test(arguments: ["/dev/zero", "/dev/null"])
    func `refuses other than regular files`(path: String) {
        do {
            _ = try ListSurvey(
                .file(path: path),
                directory: "/nonexistent",
                fingerprinter: ListFolder.fingerprinter
            )
            Issue.record("a device was read")
        } catch {
            guard case .unreadable(path, let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.description == "it is not a regular file")
        }
    }

    @Test func `a byte order mark is accepted only on the first line`() throws {
        let folder = try ListFolder("angler:1\n\u{FEFF}angler:2\n")
        #expect(throws: RegistrationListError.self) { try folder.survey() }
    }

    @Test(arguments: ["", "\n\n", "# nobody\n", "\r\n"])
    func `refuses a list without a registration`(text: String) throws {
        let folder = try ListFolder(text)
        #expect(throws: RegistrationListError.empty(path: "lists/a.txt")) {
            try folder.survey()
        }
    }

    @Test func `names the first ten broken lines by number`() throws {
        let lines = (1...25).map { $0 % 2 == 0 ? "broken line" : "angler:\($0)" }
        let folder = try ListFolder(lines.joined(separator: "\n"))
        do {
            _ = try folder.survey()
            Issue.record("broken lines were accepted")
        } catch {
            guard case .brokenLines(let broken, "lists/a.txt", 12) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(broken.map(\.number) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
            #expect(!broken.contains { $0.reason.contains("broken line") })
        }
    }

    @Test func `finds repeated registrations by line`() throws {
        let folder = try ListFolder("# anglers\nb\na\n\nb\na\nb\n")
        #expect(
            throws: RegistrationListError.repeated(
                line: 5,
                first: 2,
                path: "lists/a.txt",
                count: 3
            )
        ) { try folder.survey() }
    }

    @Test func `a list is surveyed once for all its uses`() throws {
        let folder = try ListFolder("angler:1\n")
        let other = RegistrationList.inline(["x"].compactMap { Registration($0) })
        let surveys = ListSurveys(
            of: [folder.list, folder.list],
            directory: folder.directory,
            fingerprinter: ListFolder.fingerprinter
        )
        #expect(try surveys[folder.list]?.get().count == 1)
        #expect(surveys[other] == nil)
    }
}
