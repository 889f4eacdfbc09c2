import Fleet
import State
import Testing

@testable import PostgresStore

// Registration, leases, slices, settlements.
@Suite(.serialized)
struct FleetWorkerTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    @Test func `a repeated registration changes nothing`() async throws {
        var worker = try await scene.worker(1)
        _ = try await scene.settle(&worker)
        _ = try await scene.worker(1)
        #expect(try scene.number("SELECT incarnation FROM fleet_workers") == 2)
        #expect(try scene.number("SELECT count(*) FROM fleet_slices") == 1)
    }

    @Test func `a registration that arrives late adds a removed worker again`() async throws {
        let worker = try await scene.worker(1)
        _ = try await scene.answer(.leave(worker.fence))
        _ = try await scene.worker(1)
        #expect(try scene.number("SELECT count(*) FROM fleet_workers") == 1)
        #expect(try scene.number("SELECT count(*) FROM fleet_slices") == 1)
    }

    @Test func `a server without standbys tells its own timeline, and that everything is safe`()
        async throws
    {
        let plain = try PostgresScene()
        _ = try await plain.open()
        let store = FleetStore(at: plain.place)
        let replies = [
            await store.perform(.register(WorkerID(1), isSynchronous: false)),
            await store.perform(.settle(WorkerID(1), claims: [])),
        ]
        guard case .answered(.registered(let first)) = replies[0],
            case .answered(.settled(let second, _?)) = replies[1]
        else {
            Issue.record("\(replies)")
            return
        }
        #expect(first.timeline == Timeline(1))
        #expect(first.safe == first.position)
        #expect(first.position < second.position)
    }

    /// Whether the position that the server has now counts as stored.
    private func countsAsStored() async throws -> Bool {
        guard case .beat(let beat) = try await scene.answer(.beat(WorkerID(1))) else {
            return false
        }
        return beat.server.safe == beat.server.position
    }

    @Test func `a promoted server counts nothing as stored for a minute`() async throws {
        try scene.set(seconds: 100)
        _ = try await scene.worker(1)
        let divide = FleetTransaction.divide(try await scene.writer(), on: Timeline(1), [])
        _ = try await scene.answer(divide)
        #expect(try await countsAsStored())
        try scene.set(timeline: 2)
        #expect(try await !countsAsStored())
        // The minute begins with the first division.
        try scene.set(seconds: 200)
        #expect(try await !countsAsStored())
        for (second, isStored) in [(200, false), (259, false), (261, true), (300, true)] {
            try scene.set(seconds: second)
            _ = try await scene.answer(divide)
            #expect(try await countsAsStored() == isStored, "second \(second)")
        }
    }

    @Test func `a server that had a standby a minute ago expects it`() async throws {
        try scene.set(seconds: 100)
        let divide = FleetTransaction.divide(try await scene.writer(), on: Timeline(1), [])
        _ = try await scene.answer(divide)
        // As a division does while a standby is there.
        try scene.execute("UPDATE fleet_writer SET expected = fleet_clock() + interval '60 s'")
        #expect(try await !countsAsStored())
        // The clock has jumped back.
        try scene.set(seconds: 10)
        _ = try await scene.answer(divide)
        #expect(try await !countsAsStored())
        try scene.set(seconds: 71)
        #expect(try await countsAsStored())
    }

    @Test func `a beat renews the lease and makes silent workers suspects`() async throws {
        try scene.set(seconds: 100)
        let (first, second) = (try await scene.worker(1), try await scene.worker(2))
        try scene.set(seconds: 108)
        guard case .beat(let beat) = try await scene.answer(.beat(first.id)) else { return }
        #expect(beat.incarnation == 1)
        #expect(beat.straggler == nil)
        #expect(try scene.number("SELECT suspect FROM fleet_workers WHERE id = 2") == 1)
        let lease = "SELECT extract(epoch FROM lease)::bigint FROM fleet_workers WHERE id = 1"
        #expect(try scene.number(lease) == 123)
        guard case .beat(let other) = try await scene.answer(.beat(second.id)) else { return }
        #expect(other.incarnation == 2)
        #expect(try await scene.failure(.commit(second.fence, [], returnedPermits: 0)) == .fenced)
    }

    @Test func `a lease that ends too late is over, because the clock has jumped back`()
        async throws
    {
        try await scene.open(count: 1, unitSize: 1)
        try scene.set(seconds: 1_000)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        _ = try await scene.claim([1], for: &first)
        try scene.set(seconds: 999)
        _ = try await scene.answer(.beat(second.id))
        #expect(try await scene.claim([2], for: &second).count == 1)
    }

    @Test func `a beat of a worker that was removed has no incarnation`() async throws {
        guard case .beat(let beat) = try await scene.answer(.beat(WorkerID(5))) else { return }
        #expect(beat.incarnation == nil)
    }

    @Test func `a worker asks for a slice and gets the last grant`() async throws {
        let worker = try await scene.worker(1)
        let request = SliceRequest(number: 1, wanted: 9, isThrottled: true)
        let ask = FleetTransaction.ask(worker.id, request)
        let none = SliceAnswer(number: 0, height: 0, permits: 0, share: .max)
        #expect(try await slice(ask) == none)
        let grant = Grant(to: worker.id, number: 1, height: 100, permits: 7, share: 50)
        let divide = FleetTransaction.divide(try await scene.writer(), on: Timeline(1), [grant])
        guard case .divided(let division?) = try await scene.answer(divide) else { return }
        #expect(division.rows == [DivisionAnswer.Row(worker.id, permits: 7, request: request)])
        let granted = SliceAnswer(number: 1, height: 100, permits: 7, share: 50)
        #expect(try await slice(ask) == granted)
        #expect(try await scene.failure(.ask(WorkerID(9), request)) == .fenced)
    }

    private func slice(_ ask: FleetTransaction) async throws -> SliceAnswer? {
        guard case .asked(let server, let slice) = try await scene.answer(ask) else { return nil }
        #expect(server.timeline == Timeline(1))
        return slice
    }

    @Test func `permits are granted only on the timeline on which they were counted`() async throws
    {
        let worker = try await scene.worker(1)
        let fence = try await scene.writer()
        let grant = Grant(to: worker.id, number: 1, height: 100, permits: 7, share: 50)
        for timeline in [nil, Timeline(2)] {
            _ = try await scene.answer(.divide(fence, on: timeline, [grant]))
        }
        #expect(try scene.number("SELECT permits FROM fleet_slices") == 0)
    }

    @Test func `a commit returns at most the granted permits`() async throws {
        var worker = try await scene.worker(1)
        try await scene.grant(10, to: worker.id)
        _ = try await scene.answer(.commit(worker.fence, [], returnedPermits: 4))
        #expect(try await scene.settle(&worker).permits == 6)
        _ = try await scene.answer(.commit(worker.fence, [], returnedPermits: 40))
        #expect(try await scene.settle(&worker).permits == 0)
    }

    @Test func `a fence compares incarnation, commits and timeline`() async throws {
        let worker = try await scene.worker(1)
        var wrong = [worker, worker, worker]
        wrong[0].incarnation = 2
        wrong[1].commits = 1
        wrong[2].timeline = 2
        for worker in wrong {
            for transaction in [
                FleetTransaction.commit(worker.fence, [], returnedPermits: 0),
                .claim(worker.fence, [ClaimToken(1)]), .addLateAnswers(worker.fence, []),
                .strikeOff(worker.fence, WorkerID(4)), .leave(worker.fence),
            ] {
                #expect(try await scene.failure(transaction) == .fenced)
            }
        }
        #expect(try scene.number("SELECT commits FROM fleet_workers") == 0)
        _ = try await scene.answer(.leave(worker.fence))
        #expect(try scene.number("SELECT count(*) FROM fleet_slices") == 0)
    }

    @Test func `another timeline of the server fences every worker off`() async throws {
        let worker = try await scene.worker(1)
        try scene.set(timeline: 2)
        #expect(try await scene.failure(.commit(worker.fence, [], returnedPermits: 0)) == .fenced)
        var restored = worker
        restored.timeline = 2
        #expect(try await scene.failure(.commit(restored.fence, [], returnedPermits: 0)) == .fenced)
        #expect(try await scene.restore(isLast: false, for: restored).isEmpty)
        #expect(try await scene.failure(.commit(restored.fence, [], returnedPermits: 0)) == .fenced)
        #expect(try await scene.restore(for: restored).isEmpty)
        _ = try await scene.answer(.commit(restored.fence, [], returnedPermits: 0))
    }

    @Test func `the last part of a restoration frees and names units that their worker forgot`()
        async throws
    {
        try await scene.open(count: 12, unitSize: 4)
        var worker = try await scene.worker(1)
        let claims = try await scene.claim([1, 2, 3], for: &worker)
        try scene.set(timeline: 2)
        worker.timeline = 2
        let owned = claims[0].restored(mark: 2, holding: .owned)
        // An earlier claim of the second unit; the third one is not remembered.
        let fence = ClaimFence(epoch: 0, token: ClaimToken(9))
        let earlier = RestoredUnit(
            claims[1].unit.id,
            fence: fence,
            mark: 1,
            records: [],
            unanswered: 0,
            holding: .former
        )
        let owners = "SELECT count(*) FROM work_units WHERE owner = 1"
        #expect(try await scene.restore([owned, earlier], isLast: false, for: worker).isEmpty)
        #expect(try scene.number(owners) == 3)
        #expect(try await scene.restore([owned, earlier], for: worker).isEmpty)
        #expect(try scene.number(owners) == 1)
        #expect(try await scene.state.possiblyDoubled(in: UnitID(number: 1)) == [4..<8, 8..<12])
    }

    @Test func `a straggler is struck off and holds what it may have sent`() async throws {
        try await scene.open(count: 8, unitSize: 4)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        _ = try await scene.claim([1], for: &second)
        try scene.set(timeline: 2)
        try scene.set(seconds: 60)
        guard case .beat(let beat) = try await scene.answer(.beat(first.id)) else { return }
        #expect(beat.straggler == second.id)
        first.timeline = 2
        _ = try await scene.restore(for: first)
        #expect(try await scene.claim([2], for: &first).isEmpty)
        _ = try await scene.answer(.strikeOff(first.fence, second.id))
        first.commits += 1
        #expect(try scene.number("SELECT held FROM fleet_occurrences") == 1)
        #expect(try scene.number("SELECT count(*) FROM fleet_workers") == 1)
        #expect(try await scene.claim([3], for: &first).isEmpty)
    }

    @Test func `a moved state is refused`() async throws {
        let worker = try await scene.worker(1)
        try scene.execute("UPDATE meta SET moved = '.herald/dev.sqlite'")
        for transaction in [
            FleetTransaction.register(WorkerID(2), isSynchronous: false),
            .commit(worker.fence, [], returnedPermits: 0),
            .takeWriter(ClaimToken(1), former: nil),
        ] {
            let reply = await scene.store.perform(transaction)
            guard case .failed(.notCommitted, let cause) = reply else {
                Issue.record("\(reply)")
                continue
            }
            let moved = StateStoreError.moved(
                path: scene.scene.place.name,
                to: ".herald/dev.sqlite"
            )
            #expect(cause as? StateStoreError == moved)
        }
    }
}
