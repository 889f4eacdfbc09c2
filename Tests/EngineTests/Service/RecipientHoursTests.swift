import CampaignModel
import Planning
import Testing
import Time

/// Quiet hours from 22:00 to 07:00 in several time zones, after which a send waits 89 s.
struct RecipientHoursTests {
    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    private static func rules(_ zone: String) throws -> TimeZoneRules {
        try TimeZoneDatabase.system(environment: [:]).rules(named: zone)
    }

    private static func quietHours() throws -> QuietHours {
        QuietHours(
            from: try #require(CivilTime(hour: 22, minute: 0)),
            to: try #require(CivilTime(hour: 7, minute: 0))
        )
    }

    /// In Berlin and in UTC.
    private static func deferral(lateAfter: Int64? = 600) throws -> QuietDeferral {
        let hours = try quietHours()
        let periods = try ["Europe/Berlin", "UTC"].map { QuietPeriod(hours, in: try rules($0)) }
        return QuietDeferral(periods, offset: 89, lateAfter: lateAfter)
    }

    private static func hours(
        due: String,
        late: LatePolicy? = .standard,
        limits: RecipientHours.Limits = RecipientHours.Limits()
    ) throws -> RecipientHours {
        RecipientHours(
            try quietHours(),
            offset: 89,
            timeliness: late,
            base: try instant(due),
            limits: limits,
            standard: .utc,
            columns: PeopleColumns(timeZone: "zone")
        )
    }

    // MARK: Several zones

    private static let dues: [(String, String, String)] = [
        // Berlin is quiet from 21:00 to 06:00 UTC, and UTC from 22:00 to 07:00.
        ("2027-01-15T20:59:59Z", "2027-01-15T12:00:00Z", "2027-01-15T20:59:59Z"),
        ("2027-01-15T21:30:00Z", "2027-01-15T12:00:00Z", "2027-01-15T21:30:00Z"),
        ("2027-01-15T22:00:00Z", "2027-01-15T12:00:00Z", "2027-01-16T06:01:29Z"),
        ("2027-01-16T06:30:00Z", "2027-01-15T12:00:00Z", "2027-01-16T06:30:00Z"),
        // UTC is late at 21:45, so Berlin is next.
        ("2027-01-15T21:30:00Z", "2027-01-15T21:45:00Z", "2027-01-16T06:01:29Z"),
        // Berlin is late, and UTC is next.
        ("2027-01-15T23:00:00Z", "2027-01-16T06:30:00Z", "2027-01-16T07:01:29Z"),
        // Both are late.
        ("2027-01-15T23:00:00Z", "2027-01-16T12:00:00Z", "2027-01-16T07:01:29Z"),
    ]

    @Test(arguments: dues) func `a send is due when the first recipients may get it`(
        _ due: String,
        _ now: String,
        _ end: String
    ) throws {
        let found = try Self.deferral().due(Self.instant(due), at: Self.instant(now))
        #expect(found == (try Self.instant(end)))
    }

    @Test(arguments: [
        ("2027-01-15T21:30:00Z", false), ("2027-01-15T22:00:00Z", true),
        ("2027-01-16T05:59:59Z", true), ("2027-01-16T06:00:00Z", false),
    ]) func `it is quiet only while nobody may get it`(_ now: String, _ isQuiet: Bool) throws {
        #expect(try Self.deferral().isQuiet(Self.instant(now)) == isQuiet)
    }

    @Test func `the rest is never late`() throws {
        let rest = try Self.deferral().ofRest
        let (due, now) = ("2027-01-16T06:01:29Z", "2027-01-16T06:30:00Z")
        #expect(try rest.due(Self.instant(due), at: Self.instant(now)) == Self.instant(due))
    }

    // MARK: One zone

    private static let fates: [(String, Bool, String, RecipientHours.Fate)] = [
        ("2027-01-15T21:30:00Z", false, "UTC", .send),
        ("2027-01-15T21:39:59Z", false, "UTC", .send),
        ("2027-01-15T21:40:01Z", false, "UTC", .late),
        ("2027-01-15T21:59:00Z", true, "UTC", .send),
        ("2027-01-15T21:30:00Z", false, "Europe/Berlin", .wait(until: at("2027-01-16T06:01:29Z"))),
        ("2027-01-15T23:00:00Z", true, "Europe/Berlin", .wait(until: at("2027-01-16T06:01:29Z"))),
        ("2027-01-16T06:00:30Z", true, "Europe/Berlin", .wait(until: at("2027-01-16T06:01:29Z"))),
        ("2027-01-16T06:01:29Z", false, "Europe/Berlin", .send),
        ("2027-01-16T06:11:30Z", false, "Europe/Berlin", .late),
        ("2027-01-16T12:00:00Z", true, "Europe/Berlin", .send),
        ("2027-01-15T22:00:00Z", true, "UTC", .wait(until: at("2027-01-16T07:01:29Z"))),
    ]

    private static func at(_ text: String) -> Instant {
        Instant(rfc3339: text) ?? .latest
    }

    @Test(arguments: fates) func `each zone has its own due time`(
        _ now: String,
        _ hasBegun: Bool,
        _ zone: String,
        _ fate: RecipientHours.Fate
    ) throws {
        let hours = try Self.hours(due: "2027-01-15T21:30:00Z")
        let found = try hours.fate(
            in: Self.rules(zone),
            hasBegun: hasBegun,
            at: Self.instant(now)
        )
        #expect(found == fate)
    }

    @Test func `it is over for those who are too late if the author allows that`() throws {
        let late = LatePolicy(late: .skip, lateAfter: 600, until: nil, reasonInQuietHours: nil)
        let hours = try Self.hours(due: "2027-01-15T21:30:00Z", late: late)
        let now = try Self.instant("2027-01-15T21:40:01Z")
        #expect(hours.fate(in: .utc, hasBegun: false, at: now) == .over)
    }

    @Test func `a campaign without a schedule is late for nobody`() throws {
        let hours = try Self.hours(due: "2027-01-15T21:30:00Z", late: nil)
        let now = try Self.instant("2027-01-16T12:00:00Z")
        #expect(try hours.fate(in: Self.rules("Europe/Berlin"), hasBegun: false, at: now) == .send)
    }

    private static let limits: [(RecipientHours.Limits, Bool)] = [
        (RecipientHours.Limits(next: at("2027-01-16T06:01:29Z")), true),
        (RecipientHours.Limits(next: at("2027-01-16T06:01:30Z")), false),
        (RecipientHours.Limits(until: at("2027-01-16T06:01:28Z")), true),
        (RecipientHours.Limits(until: at("2027-01-16T06:01:29Z")), false),
        (RecipientHours.Limits(expires: at("2027-01-16T06:01:29Z")), true),
        (RecipientHours.Limits(expires: at("2027-01-16T06:01:30Z")), false),
    ]

    @Test(arguments: limits)
    func `nobody gets a send that is over or replaced at the end of their night`(
        _ limits: RecipientHours.Limits,
        _ isOver: Bool
    ) throws {
        let hours = try Self.hours(due: "2027-01-15T21:30:00Z", limits: limits)
        let now = try Self.instant("2027-01-15T21:30:00Z")
        let berlin = try Self.rules("Europe/Berlin")
        #expect((hours.fate(in: berlin, hasBegun: false, at: now) == .over) == isOver)
        #expect(hours.fate(in: .utc, hasBegun: false, at: now) == .send)
    }

    @Test func `a late send that may be sent does not go out in a later night`() throws {
        let late = LatePolicy(late: .send, lateAfter: 600, until: nil, reasonInQuietHours: nil)
        let hours = try Self.hours(due: "2027-01-15T12:00:00Z", late: late)
        let now = try Self.instant("2027-01-15T21:30:00Z")
        let berlin = try Self.rules("Europe/Berlin")
        let end = try Self.instant("2027-01-16T06:01:29Z")
        #expect(hours.fate(in: berlin, hasBegun: false, at: now) == .wait(until: end))
        #expect(hours.fate(in: .utc, hasBegun: false, at: now) == .send)
    }
}
