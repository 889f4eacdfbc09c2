import CampaignModel
import JSON
import Planning
import Scheduling
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RunControl

/// Sends at the local times of recipients: each zone has its own occurrences.
///
/// The project's zone is UTC. Local times were converted by GNU date.
@Suite(.timeLimit(.minutes(5)))
struct ZoneSlotApplyTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func campaign(
        _ zones: [String],
        schedule: Schedule,
        title: String = "Hello"
    ) throws -> Campaign {
        try scene.campaign(
            to: .registrations(ZonedScene(scene).list(zones)),
            fields: ["notification": ["title": .string(title)]],
            schedule: schedule,
            division: .perZone
        )
    }

    private func at(_ local: String) throws -> Schedule {
        let time = try #require(CivilDateTime(parsing: local))
        let instant = TimeZoneRules.utc.resolve(time).instant
        return .at(ScheduledMoment(local: time, zone: "UTC", instant: instant))
    }

    private func rule(_ cron: String) throws -> Schedule {
        .repeating(
            RepeatingSchedule(
                text: cron,
                pattern: .cron(try CronSchedule(parsing: cron)),
                zone: "UTC",
                from: nil,
                until: nil
            )
        )
    }

    /// Applies the campaign and returns the registrations that got a message.
    private func apply(
        _ campaign: Campaign,
        at utc: String
    ) async throws -> (sent: [String], report: ApplyReport) {
        let now = try instant(utc)
        let plan = try await scene.plan([campaign], at: now)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport, clock: .fixed(now))
        #expect(report.error == nil)
        return (transport.seen.compactMap(\.token).sorted(), report)
    }

    /// The status of each occurrence, by slot.
    private func statuses() async throws -> [String: OccurrenceStatus] {
        let records = try await scene.store.appliedState().occurrences.values
        return Dictionary(uniqueKeysWithValues: records.map { ($0.id.slot.text, $0.status) })
    }

    @Test func `each zone gets its occurrence at its own local time`() async throws {
        let zones = ["Asia/Kolkata", "", "Pacific/Apia", "Asia/Kolkata", "Australia/Lord_Howe"]
        let sale = try campaign(zones, schedule: at("2027-07-01 09:00"))
        #expect(try await apply(sale, at: "2027-06-01T00:00:00Z").sent == [])
        #expect(
            try await statuses() == [
                "once[Asia/Kolkata]": .scheduled, "once[UTC]": .scheduled,
                "once[Pacific/Apia]": .scheduled, "once[Australia/Lord_Howe]": .scheduled,
            ]
        )
        let dues = [
            ("2027-06-30T20:00:00Z", [2]), ("2027-06-30T22:30:00Z", [4]),
            ("2027-07-01T03:30:00Z", [0, 3]), ("2027-07-01T09:00:00Z", [1]),
        ]
        for (due, numbers) in dues {
            let early = try instant(due).advanced(bySeconds: -1).utcText
            #expect(try await apply(sale, at: early).sent == [])
            #expect(try await apply(sale, at: due).sent == scene.tokens(numbers))
        }
        #expect(Set(try await statuses().values) == [.finished])
        let again = try await scene.plan([sale], at: instant("2027-07-02T00:00:00Z"))
        #expect(again.campaigns.map(\.step) == [.unchanged])
        #expect(again.campaigns.first?.parts.count == 4)
    }

    @Test func `a zone whose time has passed is too late, and the others are scheduled`()
        async throws
    {
        let sale = try campaign(["Asia/Tokyo", "UTC"], schedule: at("2027-07-01 09:00"))
        let report = try await apply(sale, at: "2027-07-01T08:00:00Z").report
        #expect(report.expired.map(\.slot.text) == ["once[Asia/Tokyo]"])
        #expect(
            try await statuses() == ["once[Asia/Tokyo]": .expired, "once[UTC]": .scheduled]
        )
        #expect(try await apply(sale, at: "2027-07-01T09:00:00Z").sent == scene.tokens([1]))
    }

    @Test func `a new zone joins a campaign that was sent in another one`() async throws {
        let old = try campaign(["Asia/Tokyo"], schedule: at("2027-07-01 09:00"))
        _ = try await apply(old, at: "2027-06-01T00:00:00Z")
        #expect(try await apply(old, at: "2027-07-01T00:00:00Z").sent == scene.tokens([0]))
        let new = try campaign(["Asia/Tokyo", "UTC"], schedule: at("2027-07-01 09:00"))
        #expect(try await apply(new, at: "2027-07-01T01:00:00Z").sent == [])
        #expect(try await apply(new, at: "2027-07-01T09:00:00Z").sent == scene.tokens([1]))
    }

    @Test func `a zone that leaves the list cancels its occurrence`() async throws {
        let old = try campaign(["Asia/Tokyo", "UTC"], schedule: at("2027-07-01 09:00"))
        _ = try await apply(old, at: "2027-06-01T00:00:00Z")
        let new = try campaign(["UTC", "UTC"], schedule: at("2027-07-01 09:00"))
        _ = try await apply(new, at: "2027-06-02T00:00:00Z")
        #expect(
            try await statuses() == ["once[Asia/Tokyo]": .cancelled, "once[UTC]": .scheduled]
        )
        #expect(try await apply(new, at: "2027-07-01T00:00:00Z").sent == [])
        #expect(try await apply(new, at: "2027-07-01T09:00:00Z").sent == scene.tokens(0...1))
    }

    @Test func `a rule is due in each zone, and a gap moves only one of them`() async throws {
        let zones = ["Australia/Lord_Howe", "Asia/Kolkata"]
        let daily = try campaign(zones, schedule: rule("15 2 * * *"))
        _ = try await apply(daily, at: "2027-10-02T12:00:00Z")
        #expect(
            try await statuses() == [
                "2027-10-03T02:15[Australia/Lord_Howe]": .scheduled,
                "2027-10-03T02:15[Asia/Kolkata]": .scheduled,
            ]
        )
        // Clocks on Lord Howe go from 02:00 to 02:30, which is 15:30 UTC.
        #expect(try await apply(daily, at: "2027-10-02T15:29:59Z").sent == [])
        #expect(try await apply(daily, at: "2027-10-02T15:30:00Z").sent == scene.tokens([0]))
        #expect(try await apply(daily, at: "2027-10-02T20:45:00Z").sent == scene.tokens([1]))
    }

    @Test func `of several due slots, each zone gets its latest one`() async throws {
        let hourly = try campaign(["Asia/Kolkata", "UTC"], schedule: rule("5 * * * *"))
        _ = try await apply(hourly, at: "2027-07-01T12:00:00Z")
        // 12:05, 13:05 and 14:05 in UTC; in India, 18:05 is 12:35 in UTC, and 19:05 is 13:35.
        let (sent, report) = try await apply(hourly, at: "2027-07-01T14:06:00Z")
        #expect(sent == scene.tokens([1]))
        #expect(report.sends.map(\.occurrence.slot.text) == ["2027-07-01T14:05[UTC]"])
        let again = try await apply(hourly, at: "2027-07-01T14:06:30Z")
        #expect(again.sent == [] && again.report.missedSlots == 0)
        #expect(try await apply(hourly, at: "2027-07-01T14:35:00Z").sent == scene.tokens([0]))
    }

    @Test func `a new zone of a rule gets only later slots`() async throws {
        let old = try campaign(["UTC"], schedule: rule("0 9 * * *"))
        _ = try await apply(old, at: "2027-07-01T00:00:00Z")
        let new = try campaign(["UTC", "Asia/Tokyo"], schedule: rule("0 9 * * *"))
        // 09:00 in Tokyo was five minutes ago.
        #expect(try await apply(new, at: "2027-07-01T00:05:00Z").sent == [])
        #expect(
            try await statuses() == [
                "2027-07-01T09:00[UTC]": .scheduled, "2027-07-02T09:00[Asia/Tokyo]": .scheduled,
            ]
        )
    }

    @Test func `of a changed list, the slots of other zones stay`() async throws {
        let old = try campaign(["Asia/Tokyo", "UTC"], schedule: rule("0 9 * * *"))
        _ = try await apply(old, at: "2027-07-01T01:00:00Z")
        let new = try campaign(["UTC", "UTC", "Asia/Tokyo"], schedule: rule("0 9 * * *"))
        #expect(try await apply(new, at: "2027-07-01T02:00:00Z").sent == [])
        #expect(try await apply(new, at: "2027-07-01T09:00:00Z").sent == scene.tokens(0...1))
        #expect(try await apply(new, at: "2027-07-02T00:00:00Z").sent == scene.tokens([2]))
    }

    @Test func `what was sent in one zone is not sent to all together`()
        async throws
    {
        let zones = ["Asia/Tokyo", "UTC", "America/New_York"]
        let divided = try campaign(zones, schedule: at("2027-07-01 09:00"))
        let shared = try scene.campaign(
            to: .registrations(ZonedScene(scene).list(zones)),
            schedule: at("2027-07-01 09:00")
        )
        _ = try await apply(divided, at: "2027-06-01T00:00:00Z")
        #expect(try await apply(divided, at: "2027-07-01T00:00:00Z").sent == scene.tokens([0]))
        #expect(try await apply(shared, at: "2027-07-01T09:00:00Z").sent == [])
        #expect(try await statuses()["once"] == nil)
        #expect(try await statuses()["once[America/New_York]"] == .cancelled)
    }

    @Test func `what was sent to all together is not sent by zone`() async throws {
        let zones = ["UTC", "America/New_York"]
        let shared = try scene.campaign(
            to: .registrations(ZonedScene(scene).list(zones)),
            schedule: at("2027-07-01 09:00")
        )
        _ = try await apply(shared, at: "2027-06-01T00:00:00Z")
        #expect(try await apply(shared, at: "2027-07-01T09:00:00Z").sent == scene.tokens(0...1))
        let divided = try campaign(zones, schedule: at("2027-07-01 09:00"))
        #expect(try await apply(divided, at: "2027-07-01T10:00:00Z").sent == [])
        #expect(try await apply(divided, at: "2027-07-01T13:00:00Z").sent == [])
    }

    @Test func `the list of a campaign is dropped after its last part`() async throws {
        let sale = try campaign(["Asia/Tokyo", "UTC"], schedule: at("2027-07-01 09:00"))
        _ = try await apply(sale, at: "2027-06-01T00:00:00Z")
        let list = try #require(try await scene.store.appliedState().definedLists.first)
        _ = try await apply(sale, at: "2027-07-01T00:00:00Z")
        #expect(try await scene.store.hasList(list))
        _ = try await apply(sale, at: "2027-07-01T09:00:00Z")
        #expect(try await !scene.store.hasList(list))
    }

    @Test func `a part in progress is not planned again, and the others are`() async throws {
        let sale = try campaign(["Asia/Tokyo", "UTC"], schedule: at("2027-07-01 09:00"))
        _ = try await apply(sale, at: "2027-06-01T00:00:00Z")
        let applied = try await scene.store.appliedState()
        let campaigns = AppliedCampaigns(
            of: applied,
            requiresReview: false,
            lists: KnownLists(stored: applied.definedLists, readsAtSend: false),
            zones: TimeZoneDatabase.system(environment: [:]),
            at: try instant("2027-07-01T09:00:00Z")
        )
        let busy = SendPart(campaign: sale.id, part: "Asia/Tokyo")
        #expect(campaigns.without([busy]).campaigns.map(\.id) == [sale.id])
        #expect(campaigns.without([SendPart(campaign: sale.id)]).campaigns == [])
    }
}
