import Testing
import Time

struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2000-02-29T12:00:00Z", 951_825_600),
        ("2038-01-19T03:14:08Z", 2_147_483_648),
        ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `reads and writes RFC 3339 in UTC`(text: String, seconds: Int64) {
        #expect(Instant(rfc3339: text)?.secondsSince1970 == seconds)
        #expect(Instant(secondsSince1970: seconds).utcText == text)
    }

    @Test(arguments: [
        "2037-03-20T07:30:00-01:00",
        "2037-03-20T14:15:00+05:45",
        "2037-03-19T08:31:00-23:59",
        "2037-03-20T08:30:00.999Z",
        "2037-03-20t08:30:00.0+00:00",
        "2037-03-20T08:30:00z",
    ])
    func `reads offsets and drops fractions`(text: String) {
        #expect(Instant(rfc3339: text)?.utcText == "2037-03-20T08:30:00Z")
    }

    @Test(arguments: [
        "", "2037-03-20", "2037-03-20T08:30:00", "2037-03-20T08:30Z", "2037-03-20 08:30:00Z",
        "2037-02-29T08:30:00Z", "2037-03-20T24:00:00Z", "2037-03-20T08:30:60Z",
        "2037-03-20T08:30:00.Z", "2037-03-20T08:30:00+0100", "2037-03-20T08:30:00+24:00",
        "2037-03-20T08:30:00+01:60", "2037-03-20T08:30:00Z ", "+2037-03-20T08:30:00Z",
        "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "２037-03-20T08:30:00Z",
    ])
    func `refuses texts that RFC 3339 forbids`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `clamps at the ends of the calendar`() {
        #expect(Instant(secondsSince1970: .min).utcText == "0001-01-01T00:00:00Z")
        #expect(Instant(secondsSince1970: .max).utcText == "9999-12-31T23:59:59Z")
        #expect(Instant.latest.advanced(bySeconds: .max) == .latest)
        #expect(Instant.earliest.advanced(bySeconds: .min) == .earliest)
    }

    @Test func `counts the seconds between instants`() {
        let start = Instant(secondsSince1970: 1000)
        let end = start.advanced(bySeconds: -90)
        #expect(end.secondsSince1970 == 910)
        #expect(start.seconds(since: end) == 90)
        #expect(end < start)
    }

    @Test func `a fixed clock does not advance`() {
        let instant = Instant(secondsSince1970: 7)
        #expect(WallClock.fixed(instant).now() == instant)
    }

    @Test func `the system's clock shows a time after this test was written`() {
        #expect(WallClock.system.now().utcText > "2025-01-01T00:00:00Z")
    }
}
