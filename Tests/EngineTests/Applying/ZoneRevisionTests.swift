import CampaignMessages
import CampaignModel
import JSON
import Planning
import RunControl
import Scheduling
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// Raises the revision of campaigns whose recipients have their own occurrences.
///
/// The project's zone is UTC.
@Suite(.timeLimit(.minutes(5)))
struct ZoneRevisionTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let zones = ["Asia/Tokyo", "UTC", "America/New_York"]
    /// Between the times in Tokyo and in UTC.
    private static let between = "2027-07-01T08:00:00Z"

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    /// It is due at 00:00, 09:00 and 13:00 UTC.
    private func sale(
        revision: Int = 1,
        zones: [String] = Self.zones,
        hour: Int = 9
    ) throws -> Campaign {
        let text = "2027-07-01 " + (hour < 10 ? "0\(hour)" : "\(hour)") + ":00"
        let local = try #require(CivilDateTime(parsing: text))
        let instant = TimeZoneRules.utc.resolve(local).instant
        return Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .registrations(try ZonedScene(scene).list(zones)),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: .at(ScheduledMoment(local: local, zone: "UTC", instant: instant)),
            division: .perZone,
            timeliness: LatePolicy(
                late: nil,
                lateAfter: 600,
                until: nil,
                reasonInQuietHours: nil
            ),
            revision: revision
        )
    }

    /// Applies the campaign and returns the registrations that got a message.
    private func apply(_ campaign: Campaign, at utc: String) async throws -> [String] {
        let now = try instant(utc)
        let plan = try await scene.plan([campaign], at: now)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport, clock: .fixed(now))
        #expect(report.error == nil)
        return transport.seen.compactMap(\.token).sorted()
    }

    /// Sends the first revision in Tokyo.
    private func begin() async throws {
        #expect(try await apply(sale(), at: "2027-06-01T00:00:00Z") == [])
        #expect(try await apply(sale(), at: "2027-07-01T00:00:00Z") == scene.tokens([0]))
    }

    @Test func `zones whose time has passed are due at the apply, and the others keep their time`()
        async throws
    {
        try await begin()
        let raised = try sale(revision: 2)
        #expect(try await apply(raised, at: Self.between) == scene.tokens([0]))
        let records = try await scene.store.appliedState().occurrences.values
        let dues = Dictionary(
            uniqueKeysWithValues: records.filter { $0.id.revision == 2 }
                .map { ($0.id.slot.text, $0.due.utcText) }
        )
        #expect(
            dues == [
                "once[Asia/Tokyo]": Self.between, "once[UTC]": "2027-07-01T09:00:00Z",
                "once[America/New_York]": "2027-07-01T13:00:00Z",
            ]
        )
        #expect(try await apply(raised, at: "2027-07-01T08:30:00Z") == [])
        #expect(try await apply(raised, at: "2027-07-01T09:00:00Z") == scene.tokens([1]))
        #expect(try await apply(raised, at: "2027-07-01T13:00:00Z") == scene.tokens([2]))
        #expect(try await apply(raised, at: "2027-07-01T13:30:00Z") == [])
    }

    @Test func `each raised revision is due at its own apply`() async throws {
        try await begin()
        let second = try await apply(sale(revision: 2), at: "2027-07-01T09:00:00Z")
        #expect(second == scene.tokens(0...1))
        let third = try await apply(sale(revision: 3), at: "2027-07-01T14:00:00Z")
        #expect(third == scene.tokens(0...2))
    }

    @Test func `an apply that is cut off leaves the due time`() async throws {
        try await begin()
        let now = try instant(Self.between)
        let raised = try sale(revision: 2)
        try await scene.remember(scene.plan([raised], at: now))
        let slot = ["once[Asia/Tokyo]"]
        let later = try await scene.plan([raised], at: now.advanced(bySeconds: 600))
        #expect(later.sends.map(\.occurrence.slot.text) == slot)
        #expect(later.sends.map(\.due) == [now])
        let late = try await scene.plan([raised], at: now.advanced(bySeconds: 601))
        #expect(late.sends.isEmpty)
        let expired = late.campaigns.compactMap { action -> String? in
            guard case .expire(let id, let moment) = action.step else { return nil }
            return moment.instant == now ? id.slot.text : nil
        }
        #expect(expired == slot)
    }

    @Test func `a service sends what an apply hands over, at the time of the apply`() async throws {
        try await begin()
        let planned = try instant(Self.between)
        let raised = try sale(revision: 2)
        let plan = try await scene.plan([raised], sends: .run, at: planned)
        #expect(plan.handedOver.map(\.occurrence.slot.text) == ["once[Asia/Tokyo]"])
        // The definition is recorded with the first zone, whose time is still to come.
        let recording = try #require(plan.campaigns.first { $0.definition != nil })
        #expect(recording.step.handedOver == nil)
        let applied = planned.advanced(bySeconds: 20)
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        let changes = plan.definitionChanges + plan.handOverChanges(at: applied)
        try await scene.store.record(changes, in: run)
        let state = try await scene.store.appliedState()
        #expect(state.definitions[raised.id]?.slotsAfter == applied)
        let again = try await scene.plan([raised], sends: .run, at: planned.advanced(bySeconds: 60))
        #expect(!again.hasChanges)
    }

    @Test func `a time that is moved after the raise is due then`() async throws {
        try await begin()
        try await scene.remember(scene.plan([sale(revision: 2)], at: instant(Self.between)))
        let moved = try sale(revision: 2, hour: 18)
        #expect(try await apply(moved, at: "2027-07-01T08:05:00Z") == [])
        #expect(try await apply(moved, at: "2027-07-01T09:00:00Z") == scene.tokens([0]))
        #expect(try await apply(moved, at: "2027-07-01T18:00:00Z") == scene.tokens([1]))
    }

    @Test func `the time up to which a rule was planned is not that of a raised revision`()
        async throws
    {
        let pattern = try CronSchedule(parsing: "0 9 * * *")
        let rule = RepeatingSchedule(
            text: "0 9 * * *",
            pattern: .cron(pattern),
            zone: "UTC",
            from: nil,
            until: nil
        )
        let daily = try scene.campaign(
            to: .registrations(ZonedScene(scene).list(["Asia/Tokyo"])),
            fields: ["notification": ["title": "Hello"]],
            schedule: .repeating(rule),
            division: .perZone
        )
        #expect(try await apply(daily, at: "2027-07-01T00:15:00Z") == [])
        // The time in Tokyo passed 20 minutes ago.
        let single = try sale(zones: ["Asia/Tokyo"])
        let plan = try await scene.plan([single], at: instant("2027-07-01T00:20:00Z"))
        #expect(plan.sends.isEmpty)
    }
}
