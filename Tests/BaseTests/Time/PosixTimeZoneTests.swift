import Testing
import Time

struct PosixTimeZoneTests {
    private func offset(_ footer: String, _ instant: String) throws -> Int {
        let rules = try TimeZoneRules(name: "Test/Zone", tzif: TZifBytes.footer(footer))
        return rules.offset(at: try #require(Instant(rfc3339: instant))).seconds
    }

    @Test(arguments: [
        ("UTC0", 0), ("EST5", -18_000), ("<+0545>-5:45", 20_700), ("LMT+0:53:28", -3208),
        ("<-12>12", -43_200), ("ABC-24:59:59", 89_999),
    ])
    func `reads offsets, positive west of Greenwich`(footer: String, seconds: Int) throws {
        #expect(try offset(footer, "2037-07-01T00:00:00Z") == seconds)
    }

    @Test(arguments: [
        // J60 is March 1 in every year, 59 is February 29 in leap years.
        ("AAA0BBB,J60/0,J300", "2035-02-28T23:59:59Z", 0),
        ("AAA0BBB,J60/0,J300", "2035-03-01T00:00:00Z", 3600),
        ("AAA0BBB,J60/0,J300", "2036-02-29T23:59:59Z", 0),
        ("AAA0BBB,J60/0,J300", "2036-03-01T00:00:00Z", 3600),
        ("AAA0BBB,J59/0,J300", "2036-02-27T23:59:59Z", 0),
        ("AAA0BBB,J59/0,J300", "2036-02-28T00:00:00Z", 3600),
        ("AAA0BBB,59/0,299", "2036-02-28T23:59:59Z", 0),
        ("AAA0BBB,59/0,299", "2036-02-29T00:00:00Z", 3600),
        ("AAA0BBB,59/0,299", "2035-03-01T00:00:00Z", 3600),
    ])
    func `counts days with and without February 29`(
        footer: String,
        instant: String,
        seconds: Int
    ) throws {
        #expect(try offset(footer, instant) == seconds)
    }

    @Test(arguments: [
        // 2037-03-29 is the last Sunday; one hour before its midnight on clocks at -2.
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2037-03-29T00:59:59Z", -7200),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2037-03-29T01:00:00Z", -3600),
        // 2037-03-26 is the fourth Thursday; 50 hours after its midnight on clocks at +2.
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2037-03-27T23:59:59Z", 7200),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2037-03-28T00:00:00Z", 10_800),
        // Six days and 23 hours before the new year, so in the old year.
        ("AAA0BBB,0/-167,J100", "2036-12-25T00:59:59Z", 0),
        ("AAA0BBB,0/-167,J100", "2036-12-25T01:00:00Z", 3600),
        ("AAA0BBB,0/-167,J100", "2037-01-01T00:00:00Z", 3600),
        // 167 hours after 2036-12-30, on clocks at +1, so in the new year.
        ("AAA0BBB,J100,364/167", "2037-01-05T21:59:59Z", 3600),
        ("AAA0BBB,J100,364/167", "2037-01-05T22:00:00Z", 0),
    ])
    func `times may be before the day and long after it`(
        footer: String,
        instant: String,
        seconds: Int
    ) throws {
        #expect(try offset(footer, instant) == seconds)
    }

    @Test(arguments: [
        // Changes that belong to the next year and to the previous year (see above).
        ("AAA0BBB,0/-167,J100", "2036-12-25T01:00:00Z"),
        ("AAA0BBB,J100,364/167", "2037-01-05T22:00:00Z"),
    ])
    func `finds changes in the previous or next year`(footer: String, change: String) throws {
        let rules = try TimeZoneRules(name: "Test/Zone", tzif: TZifBytes.footer(footer))
        let change = try #require(Instant(rfc3339: change))
        let (before, after) = (change.advanced(bySeconds: -1), change.advanced(bySeconds: 1))
        #expect(rules.clockChanges(in: before..<after) == [change])
        #expect(rules.clockChanges(in: change..<after) == [change])
        #expect(rules.clockChanges(in: before..<change) == [])
    }

    @Test func `daylight saving may last all year`() throws {
        // The example of RFC 9636, section 3.3.2: no clock ever changes.
        let rules = try TimeZoneRules(
            name: "Test/Zone",
            tzif: TZifBytes.footer("XXX3EDT4,0/0,J365/23")
        )
        let start = try #require(Instant(rfc3339: "2035-06-01T00:00:00Z"))
        let years = start..<start.advanced(bySeconds: 4 * 365 * 86_400)
        #expect(rules.clockChanges(in: years).isEmpty)
        #expect(rules.offset(at: start).abbreviation == "EDT")
        for newYear in ["2036-01-01 00:00", "2037-01-01 00:30", "2037-12-31 23:59:59"] {
            let local = try #require(CivilDateTime(parsing: newYear))
            guard case .unique(let instant) = rules.resolve(local) else {
                Issue.record("\(newYear) is not unique")
                continue
            }
            #expect(rules.localTime(at: instant) == local)
            #expect(rules.offset(at: instant).seconds == -4 * 3600)
        }
    }

    @Test func `daylight saving may move clocks by any amount`() throws {
        #expect(try offset("AAA-10:30BBB-11,M10.1.0,M4.1.0", "2037-01-01T00:00:00Z") == 39_600)
        #expect(try offset("IST-1GMT0,M10.5.0,M3.5.0/1", "2037-01-01T00:00:00Z") == 0)
    }

    @Test(arguments: [
        "A0", "AB0", "ABC", "ABC25", "ABC1:60", "ABC1:5", "ABC0DEF", "ABC0DEF,", "ABC0DEF,M3.5.0",
        "ABC0DEF,M13.5.0,M10.5.0", "ABC0DEF,M0.5.0,M10.5.0", "ABC0DEF,M3.6.0,M10.5.0",
        "ABC0DEF,M3.0.0,M10.5.0", "ABC0DEF,M3.5.7,M10.5.0", "ABC0DEF,J0,J100", "ABC0DEF,J366,J100",
        "ABC0DEF,366,100", "ABC0DEF,J1/168,J100", "ABC0DEF,J1/,J100", "ABC0DEF,J1,J100,",
        "<+01-1", "<>1", "+01-1", "ABC0DEF,J1,J100 ", "ABC--1", "ABC9999999999999999999999",
        "ABC\u{e9}0",
    ])
    func `refuses invalid footers`(footer: String) {
        #expect(throws: TimeZoneError.malformed(name: "Test/Zone")) {
            try TimeZoneRules(name: "Test/Zone", tzif: TZifBytes.footer(footer))
        }
    }
}
