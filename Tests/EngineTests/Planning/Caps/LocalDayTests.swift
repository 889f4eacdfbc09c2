import State
import Testing
import Time

@testable import Planning

struct LocalDayTests {
    private static let zones = TimeZoneDatabase.system(environment: [:])

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    @Test(
        arguments: [
            ("2026-12-31T22:59:59Z", "Europe/Berlin", 20_818, 2_974),
            ("2026-12-31T23:00:00Z", "Europe/Berlin", 20_819, 2_974),
            ("2027-01-03T22:59:59Z", "Europe/Berlin", 20_821, 2_974),
            ("2027-01-03T23:00:00Z", "Europe/Berlin", 20_822, 2_975),
            ("1969-12-28T23:59:59Z", "UTC", -4, -1),
        ] as [(String, String, Int32, Int32)]
    )
    func `an instant has a local day and an ISO week`(
        text: String,
        zone: String,
        day: Int32,
        week: Int32
    ) throws {
        let local = LocalDay(at: try instant(text), in: try Self.zones.rules(named: zone))
        #expect(local.day == day)
        #expect(local.week == week)
    }

    @Test(arguments: [
        ("2027-01-15T08:00:00Z", "UTC", "2027-01-16T00:00:00Z"),
        ("2027-01-15T23:59:59Z", "UTC", "2027-01-16T00:00:00Z"),
        ("2027-01-16T00:00:00Z", "UTC", "2027-01-17T00:00:00Z"),
        // Clocks are set forward from 0:00 to 1:00.
        ("2027-09-04T12:00:00Z", "America/Santiago", "2027-09-05T04:00:00Z"),
        // Samoa skipped 2011-12-30.
        ("2011-12-30T08:00:00Z", "Pacific/Apia", "2011-12-30T10:00:00Z"),
    ])
    func `the next day begins at its first instant`(
        text: String,
        zone: String,
        next: String
    ) throws {
        let rules = try Self.zones.rules(named: zone)
        #expect(rules.nextDay(after: try instant(text)) == (try instant(next)))
    }

    @Test func `a day ends first in the zone that is furthest east`() throws {
        let people = ListPeople(
            registrations: [1, 2],
            zones: ["Atlantic/Azores", "Asia/Tokyo"],
            zoneNumbers: [1, 2]
        )
        let zones = PeopleZones(people, database: Self.zones)
        let end = zones.nextDay(
            after: try instant("2027-01-15T08:00:00Z"),
            standard: "UTC",
            others: []
        )
        #expect(end == (try instant("2027-01-15T15:00:00Z")))
    }
}
