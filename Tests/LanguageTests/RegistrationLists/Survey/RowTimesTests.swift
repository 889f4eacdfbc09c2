import CampaignModel
import RegistrationLists
import TestSupport
import Testing

/// A column with the time at which each row gets the message.
struct RowTimesTests {
    private let folder: TemporaryFolder
    private let list = RegistrationList.described(
        RegistrationFile(
            path: "l.csv",
            format: .csv,
            kind: .token,
            column: "token",
            identity: nil,
            reading: .atApply
        )
    )
    private let columns = MessageColumns(
        names: ["name"],
        defaults: [:],
        sizes: [],
        times: "tide"
    )

    init() throws {
        folder = try TemporaryFolder()
    }

    private func survey(_ rows: String) throws -> MessageSurvey {
        try folder.write("l.csv", "token,tide,name\n" + rows)
        let survey = try ListSurvey(
            list,
            messages: [columns],
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
        return try #require(survey[columns])
    }

    @Test func `each row has the number of its time`() throws {
        let survey = try survey(
            "a:1,2037-07-01 09:00,Ana\na:2,,Bo\na:3,2037-07-01T09:00:00Z,Cy\na:4,2037-07-01 09:00,Di\n"
        )
        let times = try #require(survey.times)
        #expect(times.values == ["2037-07-01 09:00", "2037-07-01T09:00:00Z"])
        #expect(times.numbers == [1, 0, 2, 1])
        #expect(times.emptyCount == 1)
        #expect(survey.isComplete)
    }

    @Test func `the stored rows contain their times`() throws {
        #expect(columns.storedNames == ["name", "{time}"])
        let id = try survey("a:1,2037-07-01 09:00,Ana\na:2,,Bo\n").id
        var reader = try CheckedListReader(
            ListContent(list, columns: columns),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        #expect(try reader.next(9).map(\.values) == [["Ana", "2037-07-01 09:00"], ["Bo", ""]])
    }

    @Test func `another time is another list`() throws {
        let first = try survey("a:1,2037-07-01 09:00,Ana\n").id
        #expect(try survey("a:1,2037-07-01 09:01,Ana\n").id != first)
    }

    @Test func `values that are not times are counted, and the first are named`() throws {
        let rows = (1...12).map { "a:\($0),soon \($0),Ana\n" }.joined()
        let survey = try survey("a:0,2037-07-01 09:00,Ana\n" + rows)
        let times = try #require(survey.times)
        #expect(times.invalidCount == 12)
        #expect(times.invalid.count == 10)
        #expect(times.invalid.first?.line == 3)
        #expect(!survey.isComplete)
    }

    @Test func `too many different times are refused`() throws {
        func rows(_ count: Int) -> String {
            (0..<count).map { number in
                let hour = number / 3_600 % 24
                let (minute, second) = (number / 60 % 60, number % 60)
                func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
                return "a:\(number),2037-07-01T\(two(hour)):\(two(minute)):\(two(second))Z,Ana\n"
            }.joined()
        }
        #expect(try survey(rows(10_000)).isComplete)
        #expect(try survey(rows(10_001)).times?.isTooMany == true)
    }
}
