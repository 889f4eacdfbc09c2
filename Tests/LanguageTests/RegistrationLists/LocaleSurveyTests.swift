import CampaignModel
import RegistrationLists
import TestSupport
import Testing

/// Lists that are read for a message with `locales`.
struct LocaleSurveyTests {
    private let folder: TemporaryFolder
    private let list: RegistrationList

    init() throws {
        folder = try TemporaryFolder()
        list = .described(
            RegistrationFile(
                path: "l.csv",
                format: .csv,
                kind: .token,
                column: "token",
                identity: nil,
                reading: .atApply
            )
        )
    }

    /// The own text has `{{name}}`, the one of `pt` has `{{boat}}`.
    private static func columns(
        others: Bool = true,
        defaults: [String: String] = [:]
    ) throws -> MessageColumns {
        let pt = try #require(Locale("pt"))
        let own = MessageColumns.Size(platform: .android, literals: 10, uses: [1, 0])
        let local = MessageColumns.Size(platform: .android, literals: 100, uses: [0, 1])
        return MessageColumns(
            names: ["name", "boat"],
            defaults: defaults,
            sizes: [own],
            texts: LocalizedTexts(
                column: "locale",
                lookup: LocaleLookup([.locale(pt)] + (others ? [.others] : [])),
                all: [
                    MessageText(.own, uses: [true, false], sizes: [own]),
                    MessageText(.locale(pt), uses: [false, true], sizes: [local]),
                ]
            )
        )
    }

    private func survey(_ rows: String, _ columns: MessageColumns) throws -> MessageSurvey {
        try folder.write("l.csv", "token,locale,name,boat\n" + rows)
        let survey = try ListSurvey(
            list,
            messages: [columns],
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
        return try #require(survey[columns])
    }

    private func stored(_ rows: String, _ columns: MessageColumns) throws -> [[String]] {
        let id = try survey(rows, columns).id
        var reader = try CheckedListReader(
            ListContent(list, columns: columns),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        return try reader.next(100).map(\.values)
    }

    private static let rows = "a:1,pt-BR,Ana,Gaivota\na:2,nl,Bo,Meeuw\na:3,,Cy,\na:4,PT,,Alba\n"

    @Test func `a row is stored with its text's key and values`() throws {
        let columns = try Self.columns()
        #expect(columns.readNames == ["name", "boat", "locale"])
        #expect(columns.storedNames == ["name", "boat", "{locale}"])
        #expect(
            try stored(Self.rows, columns) == [
                ["", "Gaivota", "pt"], ["Bo", "", ""], ["Cy", "", ""], ["", "Alba", "pt"],
            ]
        )
    }

    @Test func `counts the rows of each text, and measures each`() throws {
        let survey = try survey(Self.rows, Self.columns())
        #expect(survey.isComplete)
        #expect(survey.texts?.counts == [2, 2])
        #expect(survey.texts?.numbers == [1, 0, 0, 1])
        #expect(survey.longestOfTexts.map { $0?.bytes } == [12, 107])
        #expect(survey.longestOfTexts.map { $0?.line } == [3, 2])
        #expect(survey.longest?.bytes == 107)
    }

    @Test func `a row needs only the values of its own text`() throws {
        let survey = try survey("a:1,pt,,\na:2,nl,,x\na:3,nl,,\n", Self.columns())
        #expect(survey.missing.map(\.column) == ["name", "boat"])
        #expect(survey.missing.map(\.count) == [2, 1])
        #expect(survey.missing.map(\.line) == [3, 2])
    }

    @Test func `uncovered locales are counted without regard to case`() throws {
        let columns = try Self.columns(others: false)
        let survey = try survey("a:1,nl-BE,x,y\na:2,,x,y\na:3,NL-be,x,y\na:4,pt,x,y\n", columns)
        let locales = try #require(survey.texts)
        #expect(locales.uncovered.map(\.locale) == ["nl-BE", nil])
        #expect(locales.uncovered.map(\.count) == [2, 1])
        #expect(locales.uncovered.map(\.line) == [2, 3])
        #expect(locales.uncoveredCount == 3)
        #expect(locales.counts == [0, 1])
        #expect(!survey.isComplete)
    }

    @Test func `at most ten uncovered locales are listed`() throws {
        let letters = "abcdefghijkl".enumerated()
        let rows = letters.map { "a:\($0),x-\($1),n,b\n" }.joined()
        let locales = try #require(survey(rows, Self.columns(others: false)).texts)
        #expect(locales.uncovered.count == 10)
        #expect(locales.uncoveredCount == 12)
    }

    @Test func `a default is the locale of rows without one`() throws {
        let columns = try Self.columns(others: false, defaults: ["locale": "pt-PT"])
        #expect(try stored("a:1,,,Alba\n", columns) == [["", "Alba", "pt"]])
    }

    @Test func `the content ID covers the key, not the locale`() throws {
        let columns = try Self.columns()
        let first = try survey("a:1,pt,n,b\n", columns).id
        #expect(try survey("a:1,pt-BR,other,b\n", columns).id == first)
        #expect(try survey("a:1,nl,n,b\n", columns).id != first)
        #expect(try survey("a:1,pt,n,c\n", columns).id != first)
    }

    @Test(arguments: [
        ("nb_NO", "its `locale` is `nb_NO` instead of the language tag `nb-NO`"),
        ("nb_NO.UTF-8", "its `locale` is `nb_NO.UTF-8` instead of the language tag `nb-NO`"),
        ("Ana Maria", "its `locale` is not a language tag such as `pt` or `pt-BR`"),
        ("-", "its `locale` is not a language tag such as `pt` or `pt-BR`"),
    ])
    func `a malformed locale is a broken line`(locale: String, reason: String) throws {
        do {
            _ = try survey("a:1,pt,n,b\na:2,\(locale),n,b\n", Self.columns())
            Issue.record("the locale was accepted")
        } catch let error as RegistrationListError {
            guard case .brokenLines(let lines, "l.csv", 1) = error, let line = lines.first else {
                Issue.record("\(error)")
                return
            }
            #expect(line.number == 3)
            #expect(line.place == "column `locale`, byte 39")
            #expect(line.reason == reason)
        }
    }
}
