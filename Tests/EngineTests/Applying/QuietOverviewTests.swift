import Applying
import CampaignModel
import Planning
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

/// Deferred sends in the status of a state.
struct QuietOverviewTests {
    private let scene: PlanScene

    init() async throws {
        scene = try PlanScene()
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [try scene.topic(): TopicDescription(about: nil, reach: 6_000_000)],
            environments: [],
            campaigns: [],
            audiences: [],
            devices: []
        )
        let applied = AppliedEnvironment(try QuietScene.environment(), of: project)
        try await scene.store.keep(environment: applied.stored)
    }

    private func plan(_ campaign: Campaign, at now: String) async throws -> Plan {
        try await scene.plan(
            [campaign],
            topics: [scene.topic(): TopicDescription(about: nil, reach: 6_000_000)],
            guards: QuietScene.guards(),
            at: QuietScene.instant(now)
        )
    }

    /// Until when the send of `sale` is deferred.
    private func deferredUntil(at now: String, of name: String = "sale") async throws -> String? {
        let reader = OverviewReader(
            store: scene.store,
            fingerprinter: scene.fingerprinter,
            zones: .system(environment: [:]),
            zone: "UTC",
            now: try QuietScene.instant(now)
        )
        let id = try #require(CampaignID(name))
        let found = try await reader.overview(of: .all).occurrences.first { $0.id.campaign == id }
        return try #require(found).deferredUntil.map { "\($0.local) \($0.zone)" }
    }

    private func sale(at text: String) throws -> Campaign {
        let seconds = try QuietScene.instant(text).seconds(since: PlanScene.now)
        return try scene.campaign(schedule: .at(PlanScene.moment(seconds)))
    }

    private static let sends: [(String, String?)] = [
        ("2027-01-15T23:30:00Z", "2027-01-16 07:04:26 UTC"),
        // The fan-out needs 601 s.
        ("2027-01-15T21:50:00Z", "2027-01-16 07:04:26 UTC"), ("2027-01-15T21:49:00Z", nil),
    ]

    @Test(arguments: sends) func `shows until when a scheduled send is deferred`(
        due: String,
        until: String?
    ) async throws {
        try await scene.remember(plan(sale(at: due), at: "2027-01-15T12:00:00Z"))
        #expect(try await deferredUntil(at: "2027-01-15T12:00:00Z") == until)
        #expect(try await deferredUntil(at: "2027-01-16T07:04:26Z") == nil)
    }

    @Test func `shows when the first recipients get a message in their time zones`() async throws {
        let seconds = try QuietScene.instant("2027-01-15T23:30:00Z").seconds(since: PlanScene.now)
        let sale = try scene.campaign(
            to: .registrations(ZonedScene(scene).list(["UTC", "Europe/Berlin"])),
            schedule: .at(PlanScene.moment(seconds))
        )
        try await scene.remember(plan(sale, at: "2027-01-15T12:00:00Z"))
        #expect(
            try await deferredUntil(at: "2027-01-15T12:00:00Z") == "2027-01-16 06:04:26 UTC"
        )
    }

    @Test func `shows that a send without a schedule is deferred`() async throws {
        try await scene.remember(plan(scene.campaign(), at: "2027-01-15T23:00:00Z"))
        #expect(
            try await deferredUntil(at: "2027-01-15T23:00:00Z") == "2027-01-16 07:04:26 UTC"
        )
        #expect(try await deferredUntil(at: "2027-01-16T07:04:26Z") == nil)
    }

    @Test func `shows until when the rest of a list is deferred`() async throws {
        let sale = try scene.campaign(to: .registrations(scene.inline(1, 2)))
        let unit = try await scene.begin(sale)
        try await scene.record([.accepted], of: unit)
        #expect(try await deferredUntil(at: "2027-01-15T21:00:00Z") == nil)
        #expect(
            try await deferredUntil(at: "2027-01-15T22:00:00Z") == "2027-01-16 07:04:26 UTC"
        )
        try await scene.store.close(scene.id("sale"), as: .finished)
        #expect(try await deferredUntil(at: "2027-01-15T22:00:00Z") == nil)
    }

    @Test func `shows until when a slot of a rule is deferred`() async throws {
        // 23:30 in Berlin; of ten minutes, Python computes 373 s.
        try await scene.remember(plan(scene.rule("30 23 * * *"), at: "2027-01-15T20:00:00Z"))
        #expect(
            try await deferredUntil(at: "2027-01-15T20:00:00Z", of: "daily")
                == "2027-01-16 07:06:13 Europe/Berlin"
        )
    }
}
