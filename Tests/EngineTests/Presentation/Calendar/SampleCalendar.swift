import Applying
import CampaignModel
import State
import StoreConformance
import Testing
import Time

@testable import Presentation

/// A calendar of four days in the Azores, an hour behind UTC, at 2027-01-15T08:00:00Z.
enum SampleCalendar {
    static func make() throws -> CalendarDescription {
        CalendarDescription(
            SendCalendar(
                try scope(from: "2027-01-15", to: "2027-01-18"),
                entries: try entries().sorted { ($0.due.instant, $0.id) < ($1.due.instant, $1.id) }
            )
        )
    }

    static func scope(from first: String, to last: String) throws -> SendCalendar.Scope {
        SendCalendar.Scope(
            of: try #require(ProjectID("tidewatch")),
            in: try #require(EnvironmentID("production")),
            lineage: StateLineage(text: "0123456789abcdef"),
            serial: StateSerial(number: 14),
            at: PlanScene.now,
            days: try date(first)...date(last),
            zone: try zones.rules(named: "Atlantic/Azores")
        )
    }

    private static let zones = TimeZoneDatabase.system(environment: [:])

    private static func date(_ text: String) throws -> CivilDate {
        try #require(CivilDateTime(parsing: text + " 00:00")).date
    }

    static let tides = CalendarAudience(.topic, named: "tides")
    static let anglers = CalendarAudience(.audience, named: "anglers")

    private static func entries() throws -> [CalendarEntry] {
        var counts = RequestCounts()
        counts.accepted = 1_198
        counts.rejected = 2
        counts.suppressed = 40
        let quarters = try (0..<96).map { number in
            try entry("sync", .scheduled, "2027-01-17T01:00:00Z", after: number * 900)
        }
        return quarters + [
            try entry(
                "storm",
                .sent,
                "2027-01-15T06:00:00Z",
                to: anglers,
                counts: counts,
                run: 3,
                capped: 40
            ),
            try entry("gale", .cancelled, "2027-01-15T20:00:00Z", to: .unknown, run: 4),
            try entry("daily", .scheduled, "2027-01-16T06:30:00Z", zone: "Europe/Berlin", run: 2),
            try entry("night", .deferred, "2027-01-17T08:00:00Z", from: "2027-01-16T23:30:00Z"),
        ]
    }

    static func entry(
        _ name: String,
        _ state: CalendarEntry.State,
        _ due: String,
        after seconds: Int = 0,
        from original: String? = nil,
        zone: String = "Atlantic/Azores",
        to audience: CalendarAudience = tides,
        counts: RequestCounts? = nil,
        run: Int64? = nil,
        capped: Int = 0
    ) throws -> CalendarEntry {
        let instant = try #require(Instant(rfc3339: due)).advanced(bySeconds: Int64(seconds))
        let rules = try zones.rules(named: zone)
        return CalendarEntry(
            id: try StoreFixtures.occurrence(name),
            state: state,
            due: ScheduledMoment(local: rules.localTime(at: instant), zone: zone, instant: instant),
            deferredFrom: try original.map { try #require(Instant(rfc3339: $0)) },
            audience: audience,
            devices: audience == .unknown ? nil : 5_000,
            counts: counts,
            capped: capped,
            change: run.map { LastChange(run: RunID(number: $0), moment: PlanScene.now) }
        )
    }
}
