import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// Reads calendars of a state at 2027-01-15T08:00:00Z.
struct CalendarReaderTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func date(_ text: String) throws -> CivilDate {
        try #require(CivilDateTime(parsing: text + " 00:00")).date
    }

    private func calendar(
        from first: String = "2027-01-15",
        to last: String = "2027-01-18",
        zone: String = "UTC",
        limit: Int = 100
    ) async throws -> SendCalendar {
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("dev")),
            endpoint: .embeddedEmulator
        )
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: zone,
            topics: [try scene.topic(): TopicDescription(about: nil, reach: 5_000)],
            environments: [],
            campaigns: [],
            audiences: [],
            devices: []
        )
        return try await CalendarReader(
            store: scene.store,
            fingerprinter: scene.fingerprinter,
            applied: AppliedEnvironment(environment, of: project),
            zones: TimeZoneDatabase.system(environment: [:])
        ).calendar(of: date(first)...date(last), at: PlanScene.now, limit: limit)
    }

    private func apply(_ campaigns: Campaign...) async throws {
        try await scene.remember(scene.plan(campaigns))
    }

    private func words(_ calendar: SendCalendar) -> [String] {
        calendar.entries.map { "\($0.due.instant) \($0.id.campaign) \($0.state.rawValue)" }
    }

    private func open(
        _ name: String,
        to target: UnitTarget,
        count: Int
    ) async throws -> WorkUnitRecord {
        try await scene.store.open(
            OpenedOccurrence(
                id: scene.id(name),
                due: PlanScene.now,
                message: ["topic": "news"],
                target: target,
                count: count
            ),
            in: scene.store.beginRun(StoreFixtures.worker)
        )
    }

    @Test func `has recorded sends and the later ones of rules`() async throws {
        try await apply(
            scene.campaign("sale", schedule: .at(PlanScene.moment(60))),
            scene.rule("30 7 * * *")
        )
        let calendar = try await calendar()
        #expect(
            words(calendar) == [
                "2027-01-15T08:01:00Z sale scheduled", "2027-01-16T06:30:00Z daily scheduled",
                "2027-01-17T06:30:00Z daily scheduled", "2027-01-18T06:30:00Z daily scheduled",
            ]
        )
        #expect(calendar.entries.map(\.isRecorded) == [true, true, false, false])
        #expect(Set(calendar.entries.map(\.audience)) == [CalendarAudience(.topic, named: "news")])
        #expect(Set(calendar.entries.map(\.devices)) == [5_000])
        #expect(Set(calendar.entries.map(\.change?.run)) == [RunID(number: 1)])
    }

    @Test func `shows how far each send is`() async throws {
        let held = try scene.campaign("held", to: .registrations(scene.inline(0, 1, 2)))
        try await apply(scene.campaign("done"), scene.campaign("halted"), held)
        let topic = UnitTarget.topic(try scene.topic())
        let done = try await open("done", to: topic, count: 1)
        try await scene.record([.accepted], of: done)
        try await scene.store.close(scene.id("done"), as: .finished)
        let halted = try await open("halted", to: topic, count: 1)
        try await scene.record([.unknown], of: halted)
        let list = ListID(text: "a1")
        try await scene.store.store([0, 1, 2].map(scene.registration), as: list)
        _ = try await open("held", to: .registrations(list), count: 3)
        try await scene.store.hold(scene.id("held"), with: .mostlyDead)
        let calendar = try await calendar()
        #expect(
            words(calendar) == [
                "2027-01-15T08:00:00Z done sent", "2027-01-15T08:00:00Z halted stopped",
                "2027-01-15T08:00:00Z held held",
            ]
        )
        #expect(calendar.entries.map(\.counts?.accepted) == [1, 0, 0])
        #expect(calendar.entries.map(\.devices) == [5_000, 5_000, 3])
        #expect(
            calendar.entries.map(\.audience) == [
                CalendarAudience(.topic, named: "news"), CalendarAudience(.topic, named: "news"),
                CalendarAudience(.list, named: "inline"),
            ]
        )
    }

    @Test func `marks paused sends, also those that are only predicted`() async throws {
        let daily = try scene.rule("30 7 * * *")
        try await apply(daily)
        let pause = Pause(
            scope: .campaign(daily.id),
            since: PlanScene.now,
            user: "ada",
            host: "desk"
        )
        _ = try await scene.store.pause(pause)
        #expect(try await calendar().entries.map(\.state) == [.paused, .paused, .paused])
    }

    @Test func `a moved send keeps its place in a later run`() async throws {
        try await apply(scene.campaign(schedule: .at(PlanScene.moment(60))))
        let before = try #require(try await calendar().entries.first)
        try await apply(scene.campaign(schedule: .at(PlanScene.moment(3_600))))
        let after = try #require(try await calendar().entries.first)
        #expect(before.id == after.id)
        #expect(after.due.instant.utcText == "2027-01-15T09:00:00Z")
        #expect(try #require(before.change).run.number == 1)
        #expect(try #require(after.change).run.number == 2)
    }

    @Test func `a removed campaign is cancelled, and its audience is no longer known`()
        async throws
    {
        try await apply(scene.campaign(schedule: .at(PlanScene.moment(60))))
        let scheduled = try #require(try await calendar().entries.first)
        try await apply()
        try await scene.store.close(scheduled.id, as: .cancelled)
        let entry = try #require(try await calendar().entries.first)
        #expect(entry.state == .cancelled)
        #expect(entry.audience == .unknown)
        #expect(entry.devices == nil)
    }

    @Test func `days begin at midnight in the project's time zone`() async throws {
        try await apply(scene.rule("30 0 * * *"))
        // 00:30 in Berlin is 22:30 of the day before in the Azores.
        let calendar = try await calendar(
            from: "2027-01-17",
            to: "2027-01-17",
            zone: "Atlantic/Azores"
        )
        #expect(words(calendar) == ["2027-01-17T23:30:00Z daily scheduled"])
    }

    @Test func `names campaigns with more sends than the limit`() async throws {
        try await apply(scene.rule("30 7 * * *"))
        let calendar = try await calendar(to: "2027-02-15", limit: 3)
        // The recorded send and three predictions.
        #expect(calendar.entries.count == 4)
        #expect(calendar.cut.map(\.rawValue) == ["daily"])
    }
}
