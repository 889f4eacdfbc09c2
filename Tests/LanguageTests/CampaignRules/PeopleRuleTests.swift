import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import RegistrationLists
import TestSupport
import Testing
import Text

struct PeopleRuleTests {
    @Test func `rows of one person with different locales are a warning with two lines`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "list.csv",
            "registration,user,lang\na:1,ana,pt\nb:1,bo,pt\na:2,ana,en\nb:2,bo,de\n"
        )
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience:
                  registrations: «{ file: list.csv, identity: user, locale: lang }»
                message: { data: { k: v } }
                """,
            directory: folder.path
        )
        #expect(Set(files.findings.map(\.rule)) == [.inconsistentPerson, .deviceGroupFits])
        let finding = try #require(files.diagnostics.first { $0.rule == .inconsistentPerson })
        #expect(finding.severity == .warning)
        #expect(
            finding.message
                == "2 people have rows with different values of `lang`, the first at list.csv:4 "
                + "and line 2"
        )
        #expect(finding.help == ["give all rows of a person the same `lang`"])
    }

    @Test func `the hint at device groups counts people and registrations`() throws {
        let folder = try TemporaryFolder()
        let many = (0..<21).map { "c:\($0),cy\n" }.joined()
        try folder.write("list.csv", "registration,user\na:1,ana\na:2,ana\nb:1,bo\n" + many)
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «{ file: list.csv, identity: user }»
                """,
            directory: folder.path
        )
        #expect(files.findings == files.expected(.deviceGroupFits))
        let finding = try #require(files.diagnostics.first)
        #expect(finding.label == "3 people, 24 registrations by the `identity` column")
        #expect(
            finding.help.last
                == "1 person has more than 20 registrations, which do not fit in a device group: "
                + "check the column"
        )
    }

    @Test func `the hint at device groups is about each list once, also about one of a campaign`()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write("list.csv", "registration,user\na:1,ana\na:2,ana\n")
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: «{ file: list.csv, identity: user }» }
                message: { data: { k: v } }
                ---
                campaign: b
                audience: { registrations: { file: list.csv, identity: user } }
                message: { data: { k: v } }
                """,
            directory: folder.path
        )
        #expect(
            files.findings.filter { $0.rule == .deviceGroupFits }
                == files.expected(.deviceGroupFits)
        )
    }

    @Test func `a missing declared column names its key`() throws {
        let folder = try TemporaryFolder()
        try folder.write("list.csv", "registration,user\na:1,ana\n")
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «{ file: list.csv, timezone: zone }»
                """,
            directory: folder.path
        )
        #expect(files.findings == files.expected(.missingColumn))
        #expect(files.diagnostics.first?.message == "list.csv:1 has no column `zone`")
        #expect(
            files.diagnostics.first?.help
                == ["name a column of the header line in `timezone`"]
        )
    }

    @Test func `public_key names a column of keys, of which each must be valid`() throws {
        let folder = try TemporaryFolder()
        try folder.write("list.csv", "registration,key\na:1,\na:2,k\n")
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «{ file: list.csv, public_key: key }»
                """,
            directory: folder.path
        )
        #expect(files.laterKeys == [])
        #expect(files.findings == files.expected(.brokenListLine))
    }
}

// MARK: - Tracked lists

struct TrackedListTests {
    private static let campaign = """
        audience: anglers
        registrations: «lists/a.txt»
        ---
        audience: team
        registrations: lists/team.txt
        test: true
        ---
        campaign: a
        audience: { registrations: lists/b 1.txt }
        message: { data: { k: v } }
        """

    /// The findings of the rule if Git tracks these files.
    private static func found(
        _ files: LoadedFiles,
        tracking tracked: TrackedFiles?
    ) -> [Diagnostic] {
        let surveys = ListSurveys(
            of: [RegistrationList](),
            directory: "/nonexistent",
            fingerprinter: Fingerprinter(key: FingerprintKey(bytes: Array(repeating: 7, count: 32)))
        )
        return files.loaded.findings(surveys, at: LoadedFiles.now, trackedFiles: tracked)
            .sorted(in: files.loaded.catalog)
    }

    @Test func `tracked lists are warnings, except those of test audiences`() throws {
        let files = LoadedFiles(campaign: Self.campaign)
        let found = Self.found(
            files,
            tracking: [
                .file(path: "lists/a.txt"): ["lists/a.txt"],
                .file(path: "lists/b 1.txt"): ["lists/b 1.txt"],
                .file(path: "lists/team.txt"): ["lists/team.txt"],
            ]
        )
        #expect(found.map(\.rule) == [.trackedList, .trackedList])
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(found.first.map { Finding($0, files.loaded.catalog).place } == files.places.first)
        #expect(
            found.map(\.message) == [
                "Git tracks the list lists/a.txt", "Git tracks the list lists/b 1.txt",
            ]
        )
        #expect(
            found.map(\.help) == [
                ["run `git rm --cached lists/a.txt`, and add the file to .gitignore"],
                ["run `git rm --cached 'lists/b 1.txt'`, and add the file to .gitignore"],
            ]
        )
    }

    @Test func `a pattern is one finding`() throws {
        let files = LoadedFiles(campaign: "audience: all\nregistrations: \"l/*.txt\"\n")
        let paths = (1...5).map { "l/\($0).txt" }
        let found = Self.found(files, tracking: [.file(path: "l/*.txt"): paths])
        #expect(found.map(\.message) == ["Git tracks the list l/1.txt and 4 other files"])
        #expect(
            found.first?.help == [
                "run `git rm --cached l/1.txt l/2.txt l/3.txt …`, and add the files to .gitignore"
            ]
        )
    }

    @Test func `an allowance is unused only if Git was queried`() throws {
        let files = LoadedFiles(
            campaign: """
                # herald: allow tracked-list, the list contains test phones
                audience: all
                registrations: l.txt
                """
        )
        #expect(Self.found(files, tracking: nil).isEmpty)
        #expect(Self.found(files, tracking: [:]).map(\.rule) == [.unusedAllow])
        #expect(Self.found(files, tracking: [.file(path: "l.txt"): ["l.txt"]]).isEmpty)
    }
}
