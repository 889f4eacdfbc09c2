import CampaignModel
import RegistrationLists
import Synchronization
import SystemIO
import TestSupport
import Testing

/// What the survey of a set shows about its rows, and how often it reads the lists.
struct SetSurveyTests {
    private let folder: TemporaryFolder

    /// The person `ana` is in all lists, which have different columns.
    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "anglers.csv",
            "registration,user,lang,zone\nana:1,ana,pt-BR,Atlantic/Azores\nbo:1,bo,nl,UTC\n"
        )
        try folder.write("sailors.csv", "registration,user,locale\nana:2,ana,PT\ncy:1,cy,fr\n")
        try folder.write("crew.csv", "registration,user,zone\nana:3,ana,UTC\n")
    }

    private func part(
        _ name: String,
        locale: String? = nil,
        zone: String? = nil
    ) -> ListSet.Part {
        let file = RegistrationFile(
            path: "\(name).csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: "user",
            reading: .atApply,
            locale: locale,
            timeZone: zone
        )
        return ListSet.Part(AudienceID(name), list: .described(file))
    }

    private func union(_ parts: ListSet.Part...) -> RegistrationList { .set(ListSet(of: parts)) }

    private func survey(
        _ list: RegistrationList,
        messages: [MessageColumns] = []
    ) throws -> ListSurvey {
        try ListSurvey(
            list,
            messages: messages,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    // MARK: - Locales

    /// A message with the text of `pt`; the others get the campaign's own, if they are covered.
    private func texts(of list: RegistrationList, others: Bool) throws -> MessageColumns {
        let pt = try #require(Locale("pt"))
        return MessageColumns(
            names: [],
            defaults: [:],
            sizes: [],
            texts: LocalizedTexts(
                column: list.localeColumn,
                lookup: LocaleLookup([.locale(pt)] + (others ? [.others] : [])),
                all: [
                    MessageText(.own, uses: [], sizes: []),
                    MessageText(.locale(pt), uses: [], sizes: []),
                ]
            )
        )
    }

    @Test func `the locale of a row is in the column of its own list`() throws {
        let list = union(part("anglers", locale: "lang"), part("sailors"))
        #expect(list.localeColumn == "lang")
        let columns = try texts(of: list, others: true)
        let message = try #require(try survey(list, messages: [columns])[columns])
        #expect(message.texts?.counts == [2, 2])
        #expect(message.texts?.numbers == [1, 0, 1, 0])
        var reader = try CheckedListReader(
            ListContent(list, columns: columns),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: message.id
        )
        #expect(try reader.next(9).map(\.values) == [["pt"], [""], ["pt"], [""]])
    }

    @Test func `uncovered locales have the line and the file of their row`() throws {
        let list = union(part("anglers", locale: "lang"), part("sailors"))
        let columns = try texts(of: list, others: false)
        let locales = try #require(try survey(list, messages: [columns])[columns]?.texts)
        #expect(locales.uncovered.map(\.locale) == ["nl", "fr"])
        #expect(locales.uncovered.map(\.path) == ["anglers.csv", "sailors.csv"])
        #expect(locales.uncovered.map(\.line) == [3, 3])
    }

    @Test func `a set has a column of locales if any of its lists has it`() throws {
        let list = union(part("anglers"), part("sailors"))
        let columns = try texts(of: list, others: true)
        #expect(try survey(list, messages: [columns]).absent.isEmpty)
        let without = union(part("anglers"), part("crew"))
        let absent = try survey(without, messages: [try texts(of: without, others: true)]).absent
        #expect(absent == ["locale"])
    }

    // MARK: - People

    private func places(_ difference: PeopleSurvey.Difference) -> [String] {
        [difference.firstPlace, difference.place].map { "\($0.path):\($0.line)" }
    }

    @Test func `people are counted across the lists`() throws {
        let people = try #require(try survey(union(part("anglers"), part("sailors"))).people)
        #expect(people.count == 3 && people.groups == 1)
        #expect(people.differences.isEmpty)
    }

    @Test func `rows of one person in two lists are compared`() throws {
        let list = union(part("anglers", locale: "lang"), part("sailors", locale: "locale"))
        let difference = try #require(try survey(list).people?.differences.first)
        #expect(difference.column == "lang" && difference.people == 1)
        #expect(places(difference) == ["anglers.csv:2", "sailors.csv:2"])
    }

    @Test func `a list without the column is not compared`() throws {
        let zoned = [part("anglers", zone: "zone"), part("crew", zone: "zone")]
        #expect(try survey(union(part("sailors"), zoned[0])).people?.differences == [])
        let all = union(part("sailors"), zoned[0], zoned[1])
        let difference = try #require(try survey(all).people?.differences.first)
        #expect(places(difference) == ["anglers.csv:2", "crew.csv:2"])
    }

    // MARK: - Files

    @Test func `a list of a set may be a pattern`() throws {
        try folder.write("p/2.txt", "ana:1\nzoe:1\n")
        try folder.write("p/1.txt", "zoe:1\nyan 1\n")
        let list = RegistrationList.set(
            ListSet(of: [part("anglers"), ListSet.Part(list: .file(path: "p/*.txt"))])
        )
        do throws(RegistrationListError) {
            _ = try ListSurvey(
                list,
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter
            )
            Issue.record("the line was accepted")
        } catch {
            guard case .brokenLines(let lines, "p/1.txt", 1) = error else {
                Issue.record(error)
                return
            }
            #expect(lines.map(\.number) == [2] && lines.map(\.path) == ["p/1.txt"])
        }
        try folder.write("p/1.txt", "yan:1\n")
        let composition = try #require(try survey(list).composition)
        #expect(composition.parts.map(\.name) == ["anglers", "p/*.txt"])
        #expect(composition.parts.map(\.count) == [2, 3])
        #expect(composition.dropped == ListComposition.Dropped(repeated: 1))
    }

    /// The hash of a list is divided into groups of 4,096 rows.
    @Test(arguments: [1, 4_095, 4_096, 4_097, 8_192])
    func `what is sent is what was surveyed, whatever the size`(count: Int) throws {
        try folder.write("many.txt", (0..<count).map { "many:\($0)\n" }.joined())
        let list = RegistrationList.set(
            ListSet(of: [ListSet.Part(list: .file(path: "many.txt"))], except: [part("crew")])
        )
        let id = try survey(list).id
        var reader = try CheckedListReader(
            ListContent(list),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        var read = 0
        while true {
            let rows = try reader.next(1_000)
            if rows.isEmpty { break }
            read += rows.count
        }
        #expect(read == count)
        try folder.write("crew.csv", "registration,user,zone\nana:4,ana,UTC\n")
        let changed = try survey(list)
        #expect(changed.count == count && changed.id != id)
    }

    // MARK: - Sources

    /// Counts how often the output of a source is opened.
    private final class CountedPlaces: ListPlaces {
        let listDirectory: String
        let temporaryFolder: String
        private let places: ProjectLists
        private let opened = Mutex(0)

        init(_ places: ProjectLists) {
            self.places = places
            listDirectory = places.listDirectory
            temporaryFolder = places.temporaryFolder
        }

        var count: Int { opened.withLock { $0 } }

        func output(of source: ListSourceID) -> SourceOutput? {
            opened.withLock { $0 += 1 }
            return places.output(of: source)
        }
    }

    private func sourced(_ name: String) throws -> ListSet.Part {
        let source = try #require(ListSourceID(name))
        let file = RegistrationFile(
            path: RegistrationFile.path(of: source),
            format: .text,
            kind: .token,
            column: nil,
            identity: nil,
            reading: .atApply,
            source: source
        )
        return ListSet.Part(list: .described(file))
    }

    @Test func `the innermost list of nested intersections is read once per set`() throws {
        let source = try #require(ListSourceID("vips"))
        let file = try File.unnamed(in: folder.path)
        try file.write(Array("ana:1\nana:2\n".utf8))
        let places = CountedPlaces(
            ProjectLists(directory: folder.path, outputs: [source: SourceOutput(file)])
        )
        var list = try sourced("vips").list
        for _ in 1...ListSet.deepestNesting {
            list = .set(ListSet(.allOf, of: [part("anglers"), ListSet.Part(list: list)]))
        }
        let survey = try ListSurvey(
            list,
            directory: places,
            fingerprinter: ListFolder.fingerprinter
        )
        #expect(survey.count == 1)
        // Once to see that it was read, once for each filter, and once for the rows.
        #expect(places.count == ListSet.deepestNesting + 2)
    }

    @Test func `a set with a source that was not read is not read`() throws {
        let excluded = RegistrationList.set(
            ListSet(of: [part("anglers")], except: [try sourced("vips")])
        )
        let set = union(ListSet.Part(list: excluded), try sourced("crew"))
        #expect(set.sources.map(\.rawValue) == ["vips", "crew"])
        let vips = try #require(ListSourceID("vips"))
        #expect(throws: RegistrationListError.sourceNotRead(vips)) { try survey(set) }
        let lists = ProjectLists(directory: folder.path)
        #expect(!lists.contains(set) && lists.contains(union(part("anglers"))))
    }
}
