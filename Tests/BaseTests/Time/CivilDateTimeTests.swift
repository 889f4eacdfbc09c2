import Testing
import Time

struct CivilDateTimeTests {
    @Test(arguments: [
        ("2037-03-20 07:30", "2037-03-20 07:30"),
        ("2037-03-20T07:30", "2037-03-20 07:30"),
        ("2037-03-20 07:30:00", "2037-03-20 07:30"),
        ("2037-03-20T23:59:59", "2037-03-20 23:59:59"),
        ("0001-01-01 00:00", "0001-01-01 00:00"),
    ])
    func `reads date and time`(text: String, description: String) {
        #expect(CivilDateTime(parsing: text)?.description == description)
        #expect(CivilDateTime(parsing: " \(text)".dropFirst())?.description == description)
    }

    @Test(arguments: [
        "", "2037-03-20", "07:30", "2037-03-20t07:30", "2037-03-20  07:30", "2037-03-20_07:30",
        "2037-3-20 07:30", "2037-03-20 7:30", "2037-03-20 07:30Z", "2037-03-20 07:30 ",
        " 2037-03-20 07:30", "2037-03-20 07:30:5", "2037-03-20 07:30:", "2037-03-20 07:30:15.0",
        "2037-03-20 24:00", "2037-03-20 07:60", "2037-03-20 07:30:60", "2037-02-29 07:30",
        "20370-03-20 07:30", "-037-03-20 07:30", "2037-03-20\u{a0}07:30", "2037-03-20 07:3\u{0663}",
    ])
    func `refuses other texts`(text: String) {
        #expect(CivilDateTime(parsing: text) == nil)
    }

    @Test func `refuses impossible times`() {
        #expect(CivilTime(hour: 24, minute: 0) == nil)
        #expect(CivilTime(hour: -1, minute: 0) == nil)
        #expect(CivilTime(hour: 0, minute: 60) == nil)
        #expect(CivilTime(hour: 0, minute: 0, second: 60) == nil)
        #expect(CivilTime(hour: 23, minute: 59, second: 59)?.secondsSinceMidnight == 86_399)
    }

    @Test func `orders by date, then by time`() throws {
        let texts = [
            "2036-12-31 23:59", "2037-01-01 00:00", "2037-01-01 00:00:01", "2037-02-01 00:00",
        ]
        let moments = try texts.map { try #require(CivilDateTime(parsing: $0)) }
        #expect(moments.reversed().sorted() == moments)
        #expect(zip(moments, moments.dropFirst()).allSatisfy(<))
    }
}
