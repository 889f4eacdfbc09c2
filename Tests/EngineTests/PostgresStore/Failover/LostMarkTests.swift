import CampaignModel
import Foundation
import JSON
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// A failover loses commits of the process that has the lock, or had it last.
@Suite(.serialized)
struct LostMarkTests {
    private let scene: FailoverScene

    init() async throws {
        scene = try await FailoverScene()
    }

    private typealias Scene = FailoverScene

    @Test func `a commit restores the marks and outcomes that a failover lost`() async throws {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try scene.replicate()
        try await store.record(Scene.outcomes(0..<5, .accepted), released: 20, of: unit)
        try scene.failOver()
        #expect(try await store.unit(unit).released == 10)
        let lost = scene.lostCommits(isRestored: true)
        await #expect(throws: lost) { try await store.record([], released: 40, of: unit) }
        let restored = try await store.unit(unit)
        #expect(restored.released == 20)
        #expect(restored.tally == StoreFixtures.tally([.accepted: 5, .intended: 95]))
        #expect(restored.open == 15)
    }

    @Test func `nothing more is written under a lock whose commits were lost`() async throws {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try scene.replicate()
        try await store.record([], released: 20, of: unit)
        try scene.failOver()
        let lost = scene.lostCommits(isRestored: true)
        for _ in 0..<2 {
            await #expect(throws: lost) { try await store.record([], released: 40, of: unit) }
            await #expect(throws: lost) { try await store.beginRun(StoreFixtures.worker) }
        }
        await store.unlock()
        #expect(try scene.isReleased)
        try await store.take()
        try await store.record([], released: 40, of: unit)
        #expect(try await store.unit(unit).released == 40)
    }

    @Test func `a lock is released only after what was sent is restored`() async throws {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try scene.replicate()
        try await store.record([], released: 20, of: unit)
        try scene.failOver()
        await store.unlock()
        #expect(try await store.unit(unit).released == 20)
        #expect(try scene.isReleased)
        #expect(try scene.number("SELECT timeline FROM writer") == 2)
    }

    @Test func `the next lock restores what was sent under the last one`() async throws {
        let store = try await scene.open()
        try scene.replicate()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try await store.record(Scene.outcomes(0..<4, .accepted), released: nil, of: unit)
        await store.unlock()
        #expect(try await !store.hasLostCommits())
        // The lock and the whole occurrence are lost.
        try scene.failOver()
        #expect(try await store.appliedState().occurrences.isEmpty)
        #expect(try await store.hasLostCommits())
        try await store.take()
        #expect(try await !store.hasLostCommits())
        let restored = try await StoreFixtures.unit(of: "sale", in: store)
        #expect(restored.released == 10)
        #expect(restored.tally == StoreFixtures.tally([.accepted: 4, .intended: 96]))
        await store.unlock()
        #expect(try scene.isReleased)
    }

    @Test func `a lost unit does not take the number that another one has now`() async throws {
        let store = try await scene.open()
        try scene.replicate()
        try await store.take()
        let lost = try await scene.begin(store, released: 10)
        await store.unlock()
        try scene.failOver()
        let other = try await scene.open()
        let same = try await StoreFixtures.openedUnit(other, campaign: "tides", count: 50).id
        #expect(same == lost)
        for _ in 0..<2 {
            try await store.take()
            #expect(try await StoreFixtures.unit(of: "sale", in: store).released == 10)
            #expect(try await StoreFixtures.unit(of: "tides", in: store).released == 0)
            await store.unlock()
            // Nothing is lost, and nothing is restored again.
            try scene.promote()
        }
        #expect(try scene.number("SELECT count(*) FROM fleet_doubled") == 0)
        #expect(try scene.number("SELECT count(*) FROM units") == 2)
    }

    @Test func `what another process sent again is named as possibly doubled`() async throws {
        let store = try await scene.open()
        try scene.replicate()
        try await store.take()
        for campaign in ["alert", "tides", "sale"] {
            _ = try await scene.begin(store, campaign: campaign, released: 30)
        }
        await store.unlock()
        try scene.failOver()
        let other = try await scene.open()
        try await other.take()
        // Its units do not get the numbers of the lost ones.
        _ = try await scene.begin(other, campaign: "tides", released: 10)
        let unit = try await scene.begin(other, released: 20)
        await other.unlock()
        try await store.take()
        #expect(try await store.unit(unit).released == 30)
        #expect(try await store.possiblyDoubled(in: unit) == [0..<20])
        #expect(try scene.number("SELECT sum(count)::bigint FROM fleet_doubled") == 30)
    }

    @Test func `requests that were released again are not returned after a failover`() async throws
    {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 20)
        try await store.record(Scene.outcomes(10..<20, .returned), released: nil, of: unit)
        try scene.replicate()
        try await store.record(Scene.outcomes(10..<15, .intended), released: 20, of: unit)
        try await store.record(Scene.outcomes(10..<12, .accepted), released: nil, of: unit)
        try scene.failOver()
        await #expect(throws: scene.lostCommits(isRestored: true)) {
            try await store.record([], released: 40, of: unit)
        }
        let restored = try await store.outcomes(of: unit, in: 10..<20)
        let expected: [Outcome] =
            Array(repeating: .accepted, count: 2) + Array(repeating: .intended, count: 3)
            + Array(repeating: .returned, count: 5)
        #expect(restored == expected)
    }

    @Test func `short occurrences that were opened together are restored`() async throws {
        let store = try await scene.open()
        try await store.take()
        let run = try await store.beginRun(StoreFixtures.worker)
        try scene.replicate()
        let campaigns = ["sale", "tides"]
        let starting = try campaigns.map { campaign in
            StartingOccurrence(
                OpenedOccurrence(
                    id: try StoreFixtures.occurrence(campaign),
                    due: StoreFixtures.due,
                    message: ["topic": "news"],
                    target: .topic(try #require(Topic("news"))),
                    count: 3
                ),
                released: 3
            )
        }
        let units = try await store.start(starting, in: run)
        let finishing = FinishingOccurrence(
            unit: units[0].unit.id,
            outcomes: Scene.outcomes(0..<3, .accepted),
            sending: RunOccurrence(
                occurrence: starting[0].occurrence.id,
                tally: StoreFixtures.tally([.accepted: 3])
            )
        )
        try await store.finish([finishing], in: run)
        try scene.failOver()
        await store.unlock()
        try await store.take()
        let sale = try await StoreFixtures.unit(of: "sale", in: store)
        #expect(sale.tally == StoreFixtures.tally([.accepted: 3]))
        #expect(try await StoreFixtures.unit(of: "tides", in: store).open == 3)
    }

    @Test func `a send whose list is lost pauses its campaign`() async throws {
        let store = try await scene.open()
        try scene.replicate()
        try await store.take()
        let list = ListID(text: String(repeating: "0f", count: 32))
        try await store.store(StoreFixtures.registrations(0..<9), as: list)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: ["token": ""],
            target: .registrations(list),
            count: 9
        )
        let run = try await store.beginRun(StoreFixtures.worker)
        let unit = try await store.open(opened, in: run).id
        try await store.record([], released: 7, of: unit)
        await store.unlock()
        try scene.failOver()
        try await store.take()
        let pause = try #require(try await store.pauses().first)
        #expect(pause.scope == .campaign(opened.id.campaign))
        #expect(pause.user.contains("sale/once/1, of which 7 requests may have been sent"))
        #expect(try await store.verifyHistory().isIntact)
    }

    @Test func `a failover that lost nothing stops nothing`() async throws {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try scene.promote()
        try await store.record([], released: 20, of: unit)
        #expect(try scene.number("SELECT timeline FROM writer") == 2)
        await store.unlock()
        #expect(try scene.isReleased)
        #expect(try await store.unit(unit).released == 20)
    }

    @Test func `a restored copy of the server on the same timeline is noticed`() async throws {
        let store = try await scene.open()
        try await store.take()
        let unit = try await scene.begin(store, released: 10)
        try scene.replicate()
        try await store.record([], released: 20, of: unit)
        try scene.failOver()
        try scene.execute("UPDATE test_timeline SET number = 1")
        await #expect(throws: scene.lostCommits(isRestored: true)) {
            try await store.record([], released: 40, of: unit)
        }
        #expect(try await store.unit(unit).released == 20)
    }

    @Test func `a failover changes the version of a state`() async throws {
        let store = try await scene.open()
        let before = try await store.version()
        try scene.promote()
        #expect(try await store.version() != before)
    }
}
