import CampaignModel
import Foundation
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// A process takes the lock after a failover that may have lost commits of another holder.
@Suite(.serialized)
struct DoubtedLockTests {
    private let scene: FailoverScene

    init() async throws {
        scene = try await FailoverScene()
    }

    private func hold(of campaign: String, in store: PostgresStore) async throws -> Hold? {
        try await store.occurrence(StoreFixtures.occurrence(campaign))?.hold
    }

    /// Begins sends in a process that then vanishes, while the server fails over.
    private func vanish(isSynchronous: Bool = false) async throws -> PostgresStore {
        let former = try await scene.open()
        try await former.take()
        for campaign in ["sale", "tides"] {
            _ = try await scene.begin(former, campaign: campaign, count: 10, released: 10)
        }
        let unsent = try await scene.begin(former, campaign: "alert", count: 10, released: 4)
        try await former.record(FailoverScene.outcomes(0..<2, .returned), released: 10, of: unsent)
        try await former.close(StoreFixtures.occurrence("tides"), as: .finished)
        if isSynchronous { try scene.execute("UPDATE writer SET synchronous = 1") }
        try scene.promote()
        try scene.endLease(secondsAgo: 16)
        return former
    }

    @Test func `holds what the last holder may have sent`() async throws {
        let former = try await vanish()
        let store = try await scene.open()
        try await store.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "alert", in: store) == .lostWorker)
        // All its requests were released, so that none is sent again.
        #expect(try await hold(of: "sale", in: store) == nil)
        #expect(try await hold(of: "tides", in: store) == nil)
        #expect(try scene.number("SELECT count(*) FROM writer WHERE doubted IS NULL") == 1)
        await store.unlock()
        await former.unlock()
        #expect(try scene.isReleased)
    }

    @Test func `leaves to the fleet what was entrusted to it`() async throws {
        let former = try await vanish()
        try scene.execute(
            """
            INSERT INTO fleet_occurrences (unit, count, omitted, first_unit, due, priority, terms)
            SELECT unit, 10, '', 1, 0, 0, '{}' FROM occurrences WHERE campaign = 'alert'
            """
        )
        let store = try await scene.open()
        try await store.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "alert", in: store) == nil)
        await former.unlock()
    }

    @Test func `holds nothing if commits waited for a standby`() async throws {
        let former = try await vanish(isSynchronous: true)
        let store = try await scene.open()
        try await store.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "alert", in: store) == nil)
        await former.unlock()
    }

    @Test func `holds nothing if the last holder had released the lock`() async throws {
        let former = try await scene.open()
        try await former.take()
        _ = try await scene.begin(former, released: 10)
        await former.unlock()
        try scene.promote()
        let store = try await scene.open()
        try await store.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "sale", in: store) == nil)
    }

    @Test func `holds nothing without a failover`() async throws {
        let former = try await scene.open()
        try await former.take()
        _ = try await scene.begin(former, released: 10)
        try scene.endLease(secondsAgo: 0)
        let store = try await scene.open()
        try await store.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "sale", in: store) == nil)
        await former.unlock()
    }

    @Test func `the last holder has more time to return`() async throws {
        let former = try await scene.open()
        try await former.take()
        let unit = try await scene.begin(former, released: 10)
        try scene.replicate()
        try await former.record([], released: 20, of: unit)
        try scene.failOver()
        try scene.endLease(secondsAgo: 1)
        let other = try await scene.open()
        await #expect(throws: StateStoreError.self) {
            try await other.take(for: StoreFixtures.tellingWorker)
        }
        await #expect(throws: scene.lostCommits(isRestored: true)) {
            try await former.record([], released: 40, of: unit)
        }
        await former.unlock()
        try await other.take(for: StoreFixtures.tellingWorker)
        #expect(try await other.unit(unit).released == 20)
        #expect(try await hold(of: "sale", in: other) == nil)
    }

    @Test func `a holder that cannot restore leaves the doubt to the next one`() async throws {
        let former = try await scene.open()
        try await former.take()
        let unit = try await scene.begin(former, released: 10)
        try scene.replicate()
        try await former.record([], released: 20, of: unit)
        try scene.failOver()
        // Another process has the lock.
        try scene.endLease(secondsAgo: 16)
        let other = try await scene.open()
        try await other.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "sale", in: other) == .lostWorker)
        await #expect(throws: scene.lostCommits(isRestored: false)) {
            try await former.record([], released: 40, of: unit)
        }
        await former.unlock()
        #expect(try await other.unit(unit).released == 10)
        await other.unlock()
        try await former.take()
        #expect(try await former.unit(unit).released == 20)
    }

    @Test func `a process that ended before it could restore is doubted`() async throws {
        let former = try await scene.open()
        try await former.take()
        let unit = try await scene.begin(former, released: 10)
        await former.unlock()
        try scene.replicate()
        try await former.take()
        try await former.record([], released: 20, of: unit)
        await former.unlock()
        try scene.failOver()
        // It takes the lock on the new timeline, and ends.
        try scene.execute("ALTER TABLE fleet_occurrences RENAME TO hidden")
        await #expect(throws: StateStoreError.self) { try await former.take() }
        try scene.execute("ALTER TABLE hidden RENAME TO fleet_occurrences")
        let other = try await scene.open()
        try await other.take(for: StoreFixtures.tellingWorker)
        #expect(try await hold(of: "sale", in: other) == .lostWorker)
    }

    @Test func `waits for a standby, but not for long`() async throws {
        try scene.execute("CREATE TABLE test_standby (lag bigint)")
        try scene.execute("INSERT INTO test_standby VALUES (1)")
        try scene.execute("DROP FUNCTION fleet_server()")
        try scene.execute(
            """
            CREATE FUNCTION fleet_server(
                OUT timeline bigint, OUT place bigint, OUT safe bigint
            ) LANGUAGE sql SET search_path FROM CURRENT AS $$
                UPDATE test_standby SET lag = lag;
                SELECT number, 1000::bigint, 1000 - lag FROM test_timeline, test_standby
            $$
            """
        )
        let store = try await scene.open()
        let clock = ContinuousClock()
        let late = try await clock.measure { try await store.take() }
        #expect(late >= .seconds(2))
        // The standby is gone: nothing waits for it for a minute.
        let soon = try await clock.measure {
            _ = try await StoreFixtures.openedUnit(store, count: 1)
        }
        #expect(soon < .seconds(2))
        await store.unlock()
        try scene.execute("UPDATE test_standby SET lag = 0")
        let other = try await scene.open()
        let quick = try await clock.measure {
            try await other.take(for: StoreFixtures.tellingWorker)
        }
        #expect(quick < .seconds(2))
    }
}
