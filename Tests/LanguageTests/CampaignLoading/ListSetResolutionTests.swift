import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

struct ListSetResolutionTests {
    private static let lists = """
        audience: anglers
        registrations: [angler:1, both:1]
        ---
        audience: sailors
        registrations: [sailor:1, both:1]
        ---
        audience: staff
        registrations: [both:1]
        """

    private static func files(_ documents: String...) -> LoadedFiles {
        LoadedFiles(campaign: ([lists] + documents).joined(separator: "\n---\n"))
    }

    private static func list(_ name: String, of files: LoadedFiles) throws -> RegistrationList {
        try #require(files.project?.audiences.first { $0.id.rawValue == name }).list
    }

    @Test(arguments: [("union", ListSet.Operation.union), ("all_of", .allOf)])
    func `an audience is formed from named audiences`(
        key: String,
        operation: ListSet.Operation
    ) throws {
        let files = Self.files("audience: crew\n\(key): [anglers, sailors]\nexcept: [staff]")
        let isEmpty = operation == .allOf
        #expect(files.findings.map(\.rule) == (isEmpty ? [.emptyList] : []))
        guard case .set(let set) = try Self.list("crew", of: files) else {
            Issue.record("it is not a set")
            return
        }
        #expect(set.operation == operation)
        #expect(set.parts.map(\.audience?.rawValue) == ["anglers", "sailors"])
        #expect(set.excluded.map(\.audience?.rawValue) == ["staff"])
    }

    @Test func `a list may have exceptions`() throws {
        let files = Self.files("audience: crew\nregistrations: [both:1, crew:1]\nexcept: [staff]")
        #expect(files.findings == [])
        let list = try Self.list("crew", of: files)
        guard case .inline(let registrations) = list.withoutExclusions else {
            Issue.record("the list is not its own")
            return
        }
        #expect(registrations.count == 2)
    }

    @Test func `sets may be declared before their lists`() throws {
        let files = LoadedFiles(
            campaign: "audience: all\nunion: [crew, staff]\n---\naudience: crew\n"
                + "union: [anglers, sailors]\n---\n" + Self.lists
        )
        #expect(files.findings == [])
        let list = try Self.list("all", of: files)
        #expect(list.nesting == 2 && list.leaves.count == 3)
    }

    @Test func `a campaign leaves out the lists in exclude`() throws {
        let files = Self.files("campaign: a\naudience: anglers\nexclude: [staff]\nmessage: {}")
        #expect(files.findings == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.excluded.map(\.rawValue) == ["staff"])
        guard case .registrations(.set(let set)) = campaign.target else {
            Issue.record("nothing is left out")
            return
        }
        #expect(set.parts.map(\.audience?.rawValue) == ["anglers"])
        #expect(set.excluded.map(\.audience?.rawValue) == ["staff"])
    }

    @Test(arguments: ["{ topic: tides }", "{ group: pier }"])
    func `exclude needs a list`(audience: String) {
        let files = Self.files(
            "campaign: a\naudience: \(audience)\nexclude: «[staff]»\nmessage: {}"
        )
        #expect(files.errors == files.expected(.needsList))
    }

    // MARK: - Names

    @Test(arguments: [
        "audience: crew\nunion: [anglers, «stuff»]",
        "audience: crew\nall_of: [«stuff»]",
        "audience: crew\nregistrations: [crew:1]\nexcept: [«stuff»]",
        "campaign: a\naudience: anglers\nexclude: [«stuff»]\nmessage: {}",
    ])
    func `an unknown audience is reported with a suggestion`(document: String) {
        let files = Self.files(document)
        #expect(files.findings == files.expected(.unknownAudience))
        #expect(files.diagnostics.first?.fix?.replacement == "staff")
    }

    @Test func `an unknown audience without a similar one gets advice`() {
        let files = Self.files("audience: crew\nunion: [«tides»]")
        #expect(files.findings == files.expected(.unknownAudience))
        #expect(
            files.diagnostics.first?.help
                == ["add the document `audience: tides`, or remove the name"]
        )
    }

    @Test(arguments: [
        "audience: crew\nunion: [«anglers and sailors»]",
        "audience: crew\nunion: [staff]\nexcept: «staff»",
        "audience: crew\nregistrations: «12:30, 4»",
    ])
    func `a broken set is not reported again where it is used`(document: String) {
        let files = Self.files(
            document,
            "audience: all\nunion: [crew, anglers, sailors]",
            "campaign: a\naudience: all\nexclude: [crew]\nmessage: {}"
        )
        #expect(files.findings.count == 1)
    }

    @Test func `a name in a set twice is an error`() {
        let files = Self.files("audience: crew\nunion: [‹anglers›, «anglers»]")
        #expect(files.findings == files.expected(.duplicateName))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test(arguments: [
        "audience: crew\nregistrations: [crew:1]\n«union»: [anglers]",
        "audience: crew\nunion: [anglers]\n«all_of»: [sailors]",
    ])
    func `an audience has one kind of list`(document: String) {
        let files = Self.files(document)
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    @Test func `an audience with exceptions only is an error`() {
        let files = Self.files("«audience»: crew\nexcept: [staff]")
        #expect(files.findings == files.expected(.missingKey))
    }

    // MARK: - Cycles and limits

    @Test func `a set that contains itself is reported once, with its path`() {
        let files = Self.files(
            "audience: crew\nunion: [anglers, mates]",
            "audience: mates\nregistrations: [mate:1]\nexcept: [skippers]",
            "audience: skippers\nall_of: [«crew», sailors]",
            "audience: others\nunion: [mates]",
            "campaign: a\naudience: others\nmessage: {}"
        )
        #expect(files.findings == files.expected(.listSet))
        #expect(
            files.diagnostics.first?.message
                == "the set `crew` contains itself: crew → mates → skippers → crew"
        )
    }

    @Test func `a set that names itself is an error`() {
        let files = Self.files("audience: crew\nunion: [anglers, «crew»]")
        #expect(files.findings == files.expected(.listSet))
    }

    @Test(arguments: [(8, false), (9, true), (200, true)])
    func `sets are in each other at most 8 times`(depth: Int, isReported: Bool) {
        let sets = (1...depth).map { number in
            "audience: set-\(number)\nunion: [\(number == 1 ? "anglers" : "set-\(number - 1)")]"
        }
        for documents in [sets, sets.reversed()] {
            let files = LoadedFiles(
                campaign: ([Self.lists] + documents).joined(separator: "\n---\n")
            )
            #expect(files.findings.contains { $0.rule == .listSet } == isReported)
            #expect(files.findings.allSatisfy { $0.rule == .listSet })
        }
    }

    @Test(arguments: [(99, false), (100, true)])
    func `a set has at most 100 lists`(count: Int, isReported: Bool) {
        let names = (1...count).map { "list-\($0)" }
        let documents = names.map { "audience: \($0)\nregistrations: [\"\($0):1\"]" }
        let set = "audience: all\nunion: [\(names.joined(separator: ", "))]\nexcept: [staff]"
        let files = LoadedFiles(
            campaign: ([Self.lists] + documents + [set]).joined(separator: "\n---\n")
        )
        #expect(files.findings.map(\.rule) == (isReported ? [.listSet] : []))
    }

    @Test(arguments: ["union: [anglers, «phones»]", "union: [anglers]\nexcept: [«phones»]"])
    func `a set has lists of one kind`(keys: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("phones.csv", "registration\nphone:1\n")
        let files = LoadedFiles(
            campaign: """
                \(Self.lists)
                ---
                audience: phones
                registrations: { file: phones.csv, kind: fid }
                ---
                audience: crew
                \(keys)
                """,
            directory: folder.path
        )
        withExtendedLifetime(folder) {}
        #expect(files.findings == files.expected(.listSet))
        #expect(
            files.diagnostics.first?.message
                == "a set cannot mix registration tokens and installation IDs"
        )
    }

    // MARK: - Rules

    @Test(arguments: [
        "audience: crew\nall_of: «[anglers, none]»",
        "audience: crew\nunion: [staff]\nexcept: «[sailors]»",
        "campaign: a\naudience: staff\nexclude: «[sailors]»\nmessage: {}",
    ])
    func `an empty set is reported at the keys that form it`(document: String) {
        let files = Self.files("audience: none\nregistrations: [none:1]", document)
        #expect(files.findings == files.expected(.emptyList))
    }

    @Test func `an unreadable list is reported only at its audience`() {
        let files = Self.files(
            "audience: none\nregistrations: «none.txt»",
            "audience: crew\nall_of: [anglers, none]",
            "campaign: a\naudience: crew\nexclude: [none]\nmessage: {}"
        )
        #expect(files.findings == files.expected(.unreadableFile))
    }

    @Test func `registrations of two sets are found to be reached twice`() {
        let message = "message: { notification: { title: Hello } }\ndelivery: { ttl: 4h }"
        let files = Self.files(
            "audience: crew\nunion: [anglers, sailors]",
            "campaign: a\naudience: crew\n\(message)",
            "campaign: b\naudience: anglers\nexclude: [staff]\n\(message)"
        )
        let found = files.diagnostics.filter { $0.rule == .reachedTwiceAtOnce }
        #expect(
            found.map(\.message) == ["1 registration would get `a` and `b` at the same time"]
        )
    }

    @Test func `people with different values in two lists are reported at the set`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", "registration,user,zone\nana:1,ana,UTC\n")
        try folder.write(
            "b.csv",
            "registration,user,zone\nana:2,ana,Atlantic/Azores\nbo:1,bo,UTC\n"
        )
        let list = "kind: token, identity: user, timezone: zone"
        let files = LoadedFiles(
            campaign: """
                audience: a
                registrations: { file: a.csv, \(list) }
                ---
                audience: b
                registrations: { file: b.csv, \(list) }
                ---
                audience: both
                union: «[a, b]»
                ---
                audience: all
                union: [both]
                ---
                campaign: call
                audience: both
                exclude: [a]
                message: {}
                """,
            directory: folder.path
        )
        withExtendedLifetime(folder) {}
        let found = files.diagnostics.filter { $0.rule == .inconsistentPerson }
        #expect(
            found.map(\.message) == [
                "1 person has rows with different values of `zone`, the first at b.csv:2 and a.csv:2"
            ]
        )
        #expect(
            files.findings.filter { $0.rule == .inconsistentPerson }
                == files.expected(.inconsistentPerson)
        )
    }

    @Test func `an uncovered locale names the file of its row`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.csv", "registration,lang\nana:1,pt\n")
        try folder.write("b.csv", "registration,locale\nbo:1,pt\nbo:2,nl\n")
        let files = LoadedFiles(
            campaign: """
                audience: a
                registrations: { file: a.csv, locale: lang }
                ---
                audience: b
                registrations: b.csv
                ---
                audience: both
                union: [a, b]
                ---
                campaign: call
                audience: both
                message: {}
                locales: «{ pt: { data: { k: v } } }»
                """,
            directory: folder.path
        )
        withExtendedLifetime(folder) {}
        #expect(files.errors == files.expected(.uncoveredLocale))
        let message = files.diagnostics.first { $0.rule == .uncoveredLocale }?.message
        #expect(message == "no text of `call` covers the locale `nl` (1 row, at b.csv:3)")
    }

    @Test func `an environment with lists replaces the lists of a set`() throws {
        let project = """
            version: 1
            project: harbour
            environments:
              staging: { emulator: {}, lists: { anglers: a.txt, sailors: b.txt, staff: c.txt } }
            """
        let files = LoadedFiles(
            [
                ("herald.yaml", project),
                ("campaigns/a.yaml", Self.lists + "\n---\naudience: crew\nunion: [anglers, staff]"),
            ],
            variables: ("staging", [:])
        )
        #expect(files.findings.filter { $0.rule == .environmentList } == [])
        let list = try Self.list("crew", of: files)
        #expect(list.leaves == [.file(path: "a.txt"), .file(path: "c.txt")])
    }

    @Test func `an environment cannot replace a set`() {
        let project = """
            version: 1
            project: harbour
            environments:
              staging:
                emulator: {}
                lists: { anglers: a.txt, sailors: b.txt, staff: c.txt, «crew»: d.txt }
            """
        let files = LoadedFiles([
            ("herald.yaml", project),
            ("campaigns/a.yaml", Self.lists + "\n---\naudience: crew\nunion: [anglers, staff]"),
        ])
        #expect(
            files.findings.filter { $0.rule == .environmentList }
                == files.expected(.environmentList)
        )
    }
}
