import CampaignModel
import Planning
import Testing
import Time

struct QuietDeferralTests {
    private static func rules(_ name: String) throws -> TimeZoneRules {
        try TimeZoneDatabase.system(environment: [:]).rules(named: name)
    }

    private static func period(
        _ from: String,
        _ to: String,
        in zone: String = "UTC"
    ) throws -> QuietPeriod {
        let hours = QuietHours(
            from: try time(from),
            to: try time(to)
        )
        return QuietPeriod(hours, in: try rules(zone))
    }

    private static func time(_ text: String) throws -> CivilTime {
        try #require(CivilDateTime(parsing: "2027-01-01 \(text)")).time
    }

    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    @Test(arguments: [
        ("2027-01-15T21:59:59Z", false), ("2027-01-15T22:00:00Z", true),
        ("2027-01-16T00:00:00Z", true), ("2027-01-16T06:59:59Z", true),
        ("2027-01-16T07:00:00Z", false),
    ]) func `includes the beginning and excludes the end`(_ text: String, _ isQuiet: Bool) throws {
        let period = try Self.period("22:00", "07:00")
        #expect(period.contains(try Self.instant(text)) == isQuiet)
    }

    @Test(arguments: [
        // Within one day, and past midnight.
        ("13:00", "15:00", "UTC", "2027-01-15T14:00:00Z", "2027-01-15T15:00:00Z"),
        ("22:00", "07:00", "UTC", "2027-01-15T22:00:00Z", "2027-01-16T07:00:00Z"),
        ("22:00", "07:00", "UTC", "2027-01-16T03:00:00Z", "2027-01-16T07:00:00Z"),
        // 07:00 in Berlin is 06:00 UTC in winter and 05:00 UTC after the night of 28 March.
        ("22:00", "07:00", "Europe/Berlin", "2027-03-27T23:00:00Z", "2027-03-28T05:00:00Z"),
        // Clocks skip 02:30: the first instant that is not quiet shows 03:00.
        ("22:00", "02:30", "Europe/Berlin", "2027-03-27T23:00:00Z", "2027-03-28T01:00:00Z"),
        // Clocks show 02:30 twice on 31 October; the hours end the first time.
        ("22:00", "02:30", "Europe/Berlin", "2027-10-30T23:00:00Z", "2027-10-31T00:30:00Z"),
        // The clock shows 02:10 again, which is quiet.
        ("22:00", "02:30", "Europe/Berlin", "2027-10-31T01:10:00Z", "2027-10-31T01:30:00Z"),
    ]) func `ends at the first instant that is not quiet`(
        _ from: String,
        _ to: String,
        _ zone: String,
        _ instant: String,
        _ end: String
    ) throws {
        let period = try Self.period(from, to, in: zone)
        let quiet = try Self.instant(instant)
        #expect(period.contains(quiet))
        #expect(period.end(after: quiet) == (try Self.instant(end)))
    }

    @Test func `waits for the offset after the end`() throws {
        let deferral = QuietDeferral(
            try Self.period("22:00", "07:00"),
            offset: 89,
            lateAfter: 600
        )
        let due = try Self.instant("2027-01-15T23:30:00Z")
        #expect(deferral.due(due, at: due) == (try Self.instant("2027-01-16T07:01:29Z")))
    }

    @Test func `does not move a time outside of the hours`() throws {
        let deferral = QuietDeferral(try Self.period("22:00", "07:00"), offset: 89, lateAfter: 600)
        let due = try Self.instant("2027-01-15T21:00:00Z")
        #expect(deferral.due(due, at: due) == due)
    }

    @Test(arguments: [
        // Ten minutes before the hours: not late when they begin.
        ("2027-01-15T21:50:00Z", "2027-01-16T07:01:29Z"),
        // Late when they begin, so they do not defer it.
        ("2027-01-15T21:49:59Z", "2027-01-15T21:49:59Z"),
    ]) func `defers a waiting send that is not late when they begin`(
        _ due: String,
        _ moved: String
    ) throws {
        let deferral = QuietDeferral(try Self.period("22:00", "07:00"), offset: 89, lateAfter: 600)
        let now = try Self.instant("2027-01-15T22:00:00Z")
        #expect(deferral.due(try Self.instant(due), at: now) == (try Self.instant(moved)))
    }

    @Test func `defers a send without lateness again every night`() throws {
        let deferral = QuietDeferral(try Self.period("22:00", "07:00"), offset: 0, lateAfter: nil)
        let due = try Self.instant("2027-01-15T12:00:00Z")
        let now = try Self.instant("2027-01-18T02:00:00Z")
        #expect(deferral.due(due, at: now) == (try Self.instant("2027-01-18T07:00:00Z")))
    }
}
