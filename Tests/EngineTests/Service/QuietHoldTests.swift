import CampaignModel
import Planning
import Testing
import Time

/// Quiet hours from 22:00 to 07:00 UTC, after which the send waits 89 s.
struct QuietHoldTests {
    private static func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: text))
    }

    private static func hold(length: Int64 = 0) throws -> QuietHold {
        let hours = QuietHours(
            from: try #require(CivilTime(hour: 22, minute: 0)),
            to: try #require(CivilTime(hour: 7, minute: 0))
        )
        let period = QuietPeriod(hours, in: .utc)
        return QuietHold(QuietDeferral(period, offset: 89, lateAfter: nil), length: length)
    }

    private static let holds: [(Int64, String, String?)] = [
        (0, "2027-01-15T21:59:59Z", nil), (0, "2027-01-15T22:00:00Z", "2027-01-16T07:01:29Z"),
        (600, "2027-01-15T21:50:00Z", nil), (601, "2027-01-15T21:50:00Z", "2027-01-16T07:01:29Z"),
        // 15 h are left from 07:00 to 22:00, less the 89 s.
        (53_911, "2027-01-15T10:00:00Z", "2027-01-16T07:01:29Z"),
        (53_912, "2027-01-15T10:00:00Z", nil),
        (53_912, "2027-01-15T23:00:00Z", "2027-01-16T07:01:29Z"),
    ]

    @Test(arguments: holds) func `holds what would last into the hours`(
        _ length: Int64,
        _ now: String,
        _ end: String?
    ) throws {
        let found = try Self.hold(length: length).end(at: Self.instant(now))
        #expect(found == (try end.map(Self.instant)))
    }

    @Test(arguments: [
        ("2027-01-15T21:59:58Z", false), ("2027-01-15T21:59:59Z", true),
        ("2027-01-16T06:59:59Z", true), ("2027-01-16T07:00:00Z", false),
    ]) func `interrupts a second before the hours begin`(_ now: String, _ stops: Bool) throws {
        #expect(try Self.hold().interrupts(at: Self.instant(now)) == stops)
    }

    @Test(arguments: [("2027-01-15T21:49:59Z", false), ("2027-01-15T21:50:01Z", true)])
    func `interrupts a fan-out that FCM has not accepted`(_ now: String, _ stops: Bool) throws {
        #expect(try Self.hold(length: 600).interrupts(at: Self.instant(now)) == stops)
    }

    private static let rests: [(String, String?)] = [
        ("2027-01-15T21:59:59Z", nil), ("2027-01-15T22:00:00Z", "2027-01-16T07:01:29Z"),
        ("2027-01-16T07:00:00Z", "2027-01-16T07:01:29Z"),
        ("2027-01-16T07:01:28Z", "2027-01-16T07:01:29Z"), ("2027-01-16T07:01:29Z", nil),
    ]

    @Test(arguments: rests) func `the rest of a send waits for the spread, too`(
        _ now: String,
        _ end: String?
    ) throws {
        let due = try Self.instant("2027-01-15T21:55:00Z")
        let found = try Self.hold().endOfRest(due: due, at: Self.instant(now))
        #expect(found == (try end.map(Self.instant)))
    }

    @Test func `the rest of a send that began after the hours does not wait`() throws {
        let due = try Self.instant("2027-01-16T07:00:30Z")
        let now = try Self.instant("2027-01-16T07:01:00Z")
        #expect(try Self.hold().endOfRest(due: due, at: now) == nil)
    }

    @Test func `the rest of a send waits for its recorded due time`() throws {
        let due = try Self.instant("2027-01-16T07:01:29Z")
        let now = try Self.instant("2027-01-16T06:00:00Z")
        #expect(try Self.hold().endOfRest(due: due, at: now) == due)
    }
}
