import CampaignModel
import JSON
import Planning
import RunControl
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// Tests what is recorded and reported about objectives, with a clock that each request sets.
@Suite(.timeLimit(.minutes(5)))
struct ObjectiveApplyTests {
    let scene: PlanScene
    private let clock: SetClock

    init() throws {
        scene = try PlanScene()
        clock = try SetClock("2027-01-15T08:00:00Z")
    }

    private func list(_ count: Int, _ objective: String) throws -> Campaign {
        let list = RegistrationList.inline(try (0..<count).map(scene.registration))
        return try scene.campaign(to: .registrations(list)).aiming(at: objective)
    }

    /// Answers request N after N seconds; the first ones name dead registrations.
    ///
    /// `start`: the seconds that have passed before.
    private func apply(
        _ campaign: Campaign,
        dead: Int = 0,
        after start: Int64 = 0
    ) async throws {
        let clock = clock
        let transport = ScriptedTransport { call in
            clock.set(PlanScene.now.advanced(bySeconds: start + Int64(call.number)))
            return call.number <= dead ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        let plan = try await scene.plan([campaign])
        let report = await scene.apply(plan, to: transport, parallelism: 1, clock: clock.wall)
        #expect(report.error == nil)
    }

    private func overview() async throws -> ObjectiveOverview {
        try #require(ObjectiveOverview(try await scene.record()))
    }

    @Test func `records when the share was accepted`() async throws {
        try await apply(list(10, "50% in 5s"))
        let overview = try await overview()
        #expect(overview.objective == Objective("50% in 5s"))
        #expect(overview.reachedAfter == 5)
        #expect(overview.status == .reached)
        #expect(overview.accepted == 10)
        #expect(overview.addressed == 10)
    }

    @Test func `rejected requests count as not accepted`() async throws {
        try await apply(list(10, "50% in 6s"), dead: 2)
        let overview = try await overview()
        #expect(overview.reachedAfter == 7)
        #expect(overview.status == .late)
        #expect(overview.accepted == 8)
    }

    @Test func `an ended send without the share missed the objective`() async throws {
        try await apply(list(10, "90% in 1h"), dead: 2)
        let overview = try await overview()
        #expect(overview.reachedAfter == nil)
        #expect(overview.status == .missed)
    }

    @Test func `registrations that are known to be dead are not part of the whole`() async throws {
        try await scene.store.markDead(scene.fingerprints(0, 1, 2, 3), at: PlanScene.now)
        try await apply(list(10, "50% in 1h"))
        let overview = try await overview()
        #expect(overview.reachedAfter == 3)
        #expect(overview.addressed == 6)
    }

    @Test func `a resumed send counts what was accepted earlier`() async throws {
        let campaign = try list(10, "50% in 1h")
        let unit = try await scene.begin(campaign)
        try await scene.record(Array(repeating: .accepted, count: 3), of: unit)
        #expect(ObjectiveOverview(try await scene.record()) == nil)
        try await apply(campaign)
        #expect(try await overview().reachedAfter == 2)
    }

    @Test func `a share that an earlier run reached keeps its time`() async throws {
        let campaign = try list(10, "50% in 1h")
        let unit = try await scene.begin(campaign)
        try await scene.record(Array(repeating: .accepted, count: 5), of: unit)
        let reached = ReachedObjective(try #require(Objective("50% in 1h")), after: 77)
        try await scene.store.record(reached, of: scene.id("sale"))
        try await apply(campaign)
        #expect(try await overview().reachedAfter == 77)
        #expect(try await overview().accepted == 10)
    }

    @Test(arguments: [1, 2]) func `a share is reached when the whole becomes smaller`(
        dead: Int
    ) async throws {
        // 9 of 10 are needed, but 8 of 9, and 7 of 8.
        let campaign = try list(10, "85% in 1h")
        let unit = try await scene.begin(campaign)
        try await scene.record(Array(repeating: .accepted, count: 8), of: unit)
        let late = try [8, 9].prefix(dead).flatMap { try scene.fingerprints($0) }
        try await scene.store.markDead(late, at: PlanScene.now)
        clock.set(PlanScene.now.advanced(bySeconds: 40))
        try await apply(campaign, after: 40)
        let overview = try await overview()
        #expect(overview.reachedAfter == 40)
        #expect(overview.addressed == 10 - dead)
        #expect(overview.status == .reached)
    }

    @Test func `a share whose time an earlier run did not record gets no later time`() async throws
    {
        let campaign = try list(10, "50% in 1h")
        let unit = try await scene.begin(campaign)
        try await scene.record(Array(repeating: .accepted, count: 5), of: unit)
        try await apply(campaign, after: 40)
        #expect(try await scene.record().reachedAfter == nil)
    }

    @Test func `an accepted share without a time is not judged`() async throws {
        let campaign = try list(2, "50% in 1h")
        let opened = OpenedOccurrence(
            id: try scene.id("sale"),
            due: PlanScene.now,
            message: [:],
            target: .topic(try scene.topic()),
            count: 2,
            objective: campaign.policy.objective
        )
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        let unit = try await scene.store.open(opened, in: run)
        let record = try await scene.record()
        #expect(ObjectiveOverview(record)?.status == .open)
        func status(_ accepted: Int, _ target: UnitTarget) -> ObjectiveOverview.Status? {
            ObjectiveOverview(
                OccurrenceRecord(
                    id: record.id,
                    status: .finished,
                    due: record.due,
                    message: nil,
                    unit: WorkUnitRecord(
                        id: unit.id,
                        target: target,
                        count: 2,
                        released: 2,
                        tally: StoreFixtures.tally([.accepted: accepted, .rejected: 2 - accepted])
                    ),
                    objective: record.objective
                )
            )?.status
        }
        let list = UnitTarget.registrations(ListID(text: String(repeating: "a", count: 64)))
        #expect(status(1, list) == .unrecorded)
        #expect(status(0, list) == .missed)
        #expect(status(2, .topic(try scene.topic())) == .fanOut)
    }

    @Test func `a topic has the time at which FCM accepted its message`() async throws {
        try await apply(scene.campaign().aiming(at: "90% in 2m"))
        let overview = try await overview()
        #expect(overview.status == .fanOut)
        #expect(overview.reachedAfter == 1)
        let run = try #require(
            try await OverviewReader(
                store: scene.store,
                fingerprinter: scene.fingerprinter,
                zones: .system(environment: [:]),
                zone: "UTC",
                now: PlanScene.now
            ).run(1)
        )
        #expect(run.sendings.map(\.objective) == [overview])
    }
}
