import Testing
import Time

struct CivilDateTests {
    @Test(arguments: [
        (1970, 1, 1, 0), (1970, 12, 31, 364), (1969, 12, 31, -1), (2000, 2, 29, 11_016),
        (2000, 3, 1, 11_017), (1900, 3, 1, -25_508), (1, 1, 1, -719_162),
        (9999, 12, 31, 2_932_896),
    ])
    func `counts days from 1970`(year: Int, month: Int, day: Int, count: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date?.daysSince1970 == count)
        #expect(CivilDate(daysSince1970: count) == date)
    }

    @Test func `counts every day of 800 years once`() throws {
        let first = try #require(CivilDate(year: 1600, month: 1, day: 1)).daysSince1970
        var expected = first
        for year in 1600..<2400 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let date = CivilDate(year: year, month: month, day: day) else { continue }
                    try #require(date.daysSince1970 == expected)
                    try #require(CivilDate(daysSince1970: expected) == date)
                    expected += 1
                }
            }
        }
        #expect(expected - first == 2 * 146_097)
    }

    @Test(arguments: [
        (2037, 2, 29), (1900, 2, 29), (2100, 2, 29), (2037, 4, 31), (2037, 0, 1), (2037, 13, 1),
        (2037, 1, 0), (2037, 1, 32), (0, 1, 1), (10_000, 1, 1), (Int.min, 1, 1), (2037, Int.max, 1),
    ])
    func `refuses days outside of the calendar`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        (1970, 1, 1, Weekday.thursday), (2000, 2, 29, .tuesday), (2037, 3, 20, .friday),
        (1, 1, 1, .monday), (1969, 12, 28, .sunday),
    ])
    func `computes the day of the week`(year: Int, month: Int, day: Int, weekday: Weekday) {
        #expect(CivilDate(year: year, month: month, day: day)?.weekday == weekday)
    }

    @Test func `clamps day counts outside of the calendar`() {
        #expect(CivilDate(daysSince1970: .min).description == "0001-01-01")
        #expect(CivilDate(daysSince1970: .max).description == "9999-12-31")
    }
}
