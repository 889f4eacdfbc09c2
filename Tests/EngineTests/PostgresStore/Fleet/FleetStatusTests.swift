import CampaignModel
import Fleet
import Foundation
import JSON
import PostgresClient
import State
import StoreConformance
import Testing

@testable import PostgresStore

// What `herald status` and `herald doctor` read of a fleet.
@Suite(.serialized)
struct FleetStatusTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    private func workers() async throws -> [WorkerOverview] {
        try await scene.state.fleet().workers
    }

    @Test func `a worker has its units, its slice and the permits that it did not return`()
        async throws
    {
        try scene.set(seconds: 100)
        try await scene.open(count: 9, unitSize: 4)
        var worker = try await scene.worker(7)
        _ = try await scene.claim([1, 2], for: &worker)
        try await scene.grant(10, to: worker.id)
        let commit = FleetTransaction.commit(worker.fence, [], returnedPermits: 4)
        _ = try await scene.answer(commit)
        try scene.set(seconds: 104)
        let request = SliceRequest(number: 2, wanted: 9, isThrottled: false)
        _ = try await scene.answer(.ask(worker.id, request))
        let expected = WorkerOverview(
            host: ProcessInfo.processInfo.hostName,
            processID: Int(ProcessInfo.processInfo.processIdentifier),
            silence: 4,
            format: PostgresSchema.format,
            units: 2,
            sendsPerMinute: 100,
            permits: 6
        )
        #expect(try await workers() == [expected])
        // It no longer asks, so that its slice has ended.
        try scene.set(seconds: 108)
        #expect(try await workers().map(\.sendsPerMinute) == [0])
    }

    @Test func `a worker without a beat is silent, and its lease ends`() async throws {
        try scene.set(seconds: 100)
        let (first, _) = (try await scene.worker(1), try await scene.worker(2))
        try scene.set(seconds: 107)
        _ = try await scene.answer(.beat(first.id))
        #expect(try await workers().map(\.silence) == [0, 7])
        #expect(try await workers().map(\.isSilent) == [false, false])
        try scene.set(milliseconds: 108_500)
        #expect(try await workers().map(\.silence) == [1, 8])
        #expect(try await workers().map(\.isSilent) == [false, true])
        #expect(try await workers().map(\.isLeaseOver) == [false, false])
        try scene.set(seconds: 116)
        #expect(try await workers().map(\.isLeaseOver) == [false, true])
        // The clock has jumped back.
        try scene.set(seconds: 90)
        #expect(try await workers().map(\.silence) == [0, 0])
        #expect(try await workers().map(\.isLeaseOver) == [true, true])
    }

    @Test func `a failover is awaited for each worker that may have lost commits`() async throws {
        try scene.set(seconds: 100)
        var first = try await scene.worker(1)
        _ = try await scene.worker(2, isSynchronous: true)
        _ = try await scene.worker(3)
        _ = try await scene.worker(4)
        #expect(try await workers().allSatisfy { $0.timeline == .confirmed })
        // It was a suspect on the timeline that it had confirmed.
        try scene.execute("UPDATE fleet_workers SET suspect = 1 WHERE id = 4")
        try scene.set(timeline: 2)
        first.timeline = 2
        _ = try await scene.restore(for: first)
        let found = try await workers().map(\.timeline)
        #expect(found == [.confirmed, .unneeded, .awaited, .unneeded])
    }

    @Test func `a program for another format of the state is known`() async throws {
        _ = (try await scene.worker(1), try await scene.worker(2))
        try scene.execute("UPDATE fleet_workers SET format = 9 WHERE id = 2")
        #expect(try await workers().map(\.isOfOtherFormat) == [false, true])
        #expect(try await workers().map(\.format) == [PostgresSchema.format, 9])
    }

    // MARK: Occurrences

    /// An occurrence of 24 requests, whose requests 4 and 21 were left out; it is not divided.
    private func entrusted() async throws -> UnitID {
        let unit = try await StoreFixtures.openedUnit(scene.state, count: 24).id
        let omitted = [4, 21].map {
            RequestOutcome(index: $0, outcome: .suppressed, detail: OutcomeDetail.cap)
        }
        try await scene.state.record(omitted, released: nil, of: unit)
        let requests = EntrustedRequests(
            [0..<4, 5..<21, 22..<24],
            of: unit,
            turn: FleetTurn(due: 7),
            terms: .object(["list": "l"])
        )
        try await scene.state.entrust(requests)
        return unit
    }

    /// Divides the occurrence into units of 10 requests, and claims the first of them.
    private func claimed(
        _ count: UInt64,
        by worker: inout SceneWorker
    ) async throws -> [ClaimedUnit] {
        let fence = try await scene.writer()
        let divide = FleetTransaction.divide(fence, on: nil, [])
        guard case .divided(let division?) = try await scene.answer(divide) else { return [] }
        let occurrence = try #require(division.uncut.first)
        let units = occurrence.units(of: 10, omitting: [4, 21])
        _ = try await scene.answer(.cut(fence, occurrence.number, units))
        _ = try await scene.answer(.open(fence, occurrence.number))
        return try await scene.claim(Array(1...count), for: &worker)
    }

    private func occurrence() async throws -> EntrustedOccurrence {
        let found = try await scene.state.fleet().occurrences
        #expect(found.count == 1)
        return try #require(found.first)
    }

    @Test func `an occurrence that is not divided has no units`() async throws {
        _ = try await entrusted()
        let found = try await occurrence()
        #expect(try found.id == StoreFixtures.occurrence("sale"))
        #expect(found.units == EntrustedOccurrence.Units(free: 0, owned: 0, finished: 0))
        #expect(found.count == 24)
        #expect((found.sent, found.sendable) == (0, 22))
    }

    @Test func `released requests are counted without those that are left out`() async throws {
        let unit = try await entrusted()
        var worker = try await scene.worker(1)
        let claims = try await claimed(2, by: &worker)
        _ = try await scene.commit([claims[0].change(mark: 4)], for: &worker)
        #expect(try await occurrence().released == 4)
        _ = try await scene.commit([claims[0].change(mark: 5)], for: &worker)
        #expect(try await occurrence().released == 4)
        _ = try await scene.commit([claims[0].change(mark: 6)], for: &worker)
        var found = try await occurrence()
        #expect(found.released == 5)
        #expect(found.units == EntrustedOccurrence.Units(free: 1, owned: 2, finished: 0))
        #expect(found.workers == 1)

        let records = (0..<10).map { AttemptRecord.accepted($0) }
        let end = claims[1].change(mark: 10, records, ending: .finished)
        _ = try await scene.commit([end], for: &worker)
        found = try await occurrence()
        #expect((found.released, found.sent) == (15, 15))
        #expect(found.units == EntrustedOccurrence.Units(free: 1, owned: 1, finished: 1))
        _ = try await scene.state.collect(from: unit)
        found = try await occurrence()
        #expect((found.released, found.tally[.accepted], found.sent) == (5, 10, 15))
        #expect(found.units == EntrustedOccurrence.Units(free: 1, owned: 1, finished: 0))
    }

    @Test func `units of a removed worker are free`() async throws {
        _ = try await entrusted()
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        _ = try await claimed(2, by: &first)
        _ = try await scene.claim([9], for: &second)
        #expect(try await occurrence().workers == 2)
        try scene.execute("DELETE FROM fleet_workers WHERE id = 1")
        let found = try await occurrence()
        #expect(found.units == EntrustedOccurrence.Units(free: 2, owned: 1, finished: 0))
        #expect(found.workers == 1)
    }

    @Test func `a stop of an occurrence has its reason`() async throws {
        _ = try await entrusted()
        try scene.set(seconds: 100)
        var found = try await occurrence()
        #expect(!found.isRecalled && !found.isHeld && found.problem == nil)
        try scene.execute("UPDATE fleet_occurrences SET until = 100000000000")
        #expect(try await occurrence().isRecalled)
        try scene.execute(
            "UPDATE fleet_occurrences SET until = 100000000001, held = 1, problem = 'no token'"
        )
        found = try await occurrence()
        #expect(!found.isRecalled && found.isHeld && found.problem == "no token")
        try scene.execute("UPDATE fleet_occurrences SET recalled = 1")
        #expect(try await occurrence().isRecalled)
    }

    @Test func `possibly doubled requests are counted for each occurrence`() async throws {
        let unit = try await StoreFixtures.openedUnit(scene.state, count: 24).id
        for (work, count) in [(1, 3), (2, 4)] {
            try scene.execute(
                "INSERT INTO fleet_doubled (unit, work_unit, first, count) VALUES ($1, $2, 0, $3)",
                [.integer(unit.number), .number(work), .number(count)]
            )
        }
        let sale = try StoreFixtures.occurrence("sale")
        let fleet = try await scene.state.fleet()
        #expect(fleet.doubled == [DoubledRequests(occurrence: sale, count: 7)])
        #expect(fleet.occurrences.isEmpty)
    }

    @Test func `a reading waits for no lock`() async throws {
        _ = try await entrusted()
        var worker = try await scene.worker(1)
        _ = try await claimed(2, by: &worker)
        try scene.execute("BEGIN")
        for table in ["fleet_workers", "fleet_slices", "fleet_occurrences", "work_units"] {
            try scene.execute("SELECT 1 FROM \(table) FOR UPDATE")
        }
        #expect(try await occurrence().workers == 1)
        #expect(try await workers().count == 1)
        try scene.execute("ROLLBACK")
    }
}
