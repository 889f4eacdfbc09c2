import Fleet
import PostgresClient
import State
import Testing

@testable import PostgresStore

@Suite(.serialized)
struct FleetClaimTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    @Test func `units are stored first and claimed when they are open`() async throws {
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: 10,
            firstUnit: 5,
            isStored: false
        )
        try scene.add(occurrence, omitting: [1, 9])
        let writer = try await scene.writer()
        var worker = try await scene.worker(1)
        guard
            case .omitted(_, let omitted) = try await scene.answer(
                .readOmitted(writer, occurrence.number)
            )
        else { return }
        #expect(omitted == [1, 9])
        let units = occurrence.units(of: 8, omitting: omitted)
        _ = try await scene.answer(.cut(writer, occurrence.number, units))
        #expect(try await scene.claim([1], for: &worker).isEmpty)
        // A cut that is repeated after a lost answer changes nothing.
        let others = occurrence.units(of: 2, omitting: [])
        _ = try await scene.answer(.cut(writer, occurrence.number, others))
        guard case .divided(let division?) = try await scene.answer(.divide(writer, on: nil, []))
        else { return }
        #expect(division.uncut.map(\.isStored) == [true])
        _ = try await scene.answer(.open(writer, occurrence.number))
        let claims = try await scene.claim([2, 3, 4], for: &worker)
        #expect(claims.map(\.unit) == units)
        #expect(claims.map(\.fence.token) == [ClaimToken(2), ClaimToken(3)])
    }

    @Test func `only the writer divides, cuts and opens`() async throws {
        let fence = try await scene.writer()
        let other = ClaimFence(epoch: fence.epoch, token: ClaimToken(1))
        let occurrence = OccurrenceNumber(1)
        #expect(try await scene.failure(.cut(other, occurrence, [])) == .fenced)
        #expect(try await scene.failure(.open(other, occurrence)) == .fenced)
        #expect(try await scene.failure(.readOmitted(other, occurrence)) == .fenced)
        #expect(try await scene.failure(.endWriter(other)) == .fenced)
        #expect(try await scene.answer(.divide(other, on: nil, [])) == .divided(nil))
        guard
            case .writer(_, let none) = try await scene.answer(
                .takeWriter(ClaimToken(2), former: other)
            )
        else { return }
        #expect(none == nil)
        guard
            case .writer(_, let again?) = try await scene.answer(
                .takeWriter(ClaimToken(3), former: fence)
            )
        else { return }
        #expect(again == ClaimFence(epoch: fence.epoch + 1, token: ClaimToken(3)))
        #expect(try await scene.answer(.divide(fence, on: nil, [])) == .divided(nil))
    }

    @Test func `the writer ends its lease, so that another worker is the writer at once`()
        async throws
    {
        let fence = try await scene.writer()
        let take = FleetTransaction.takeWriter(ClaimToken(2), former: nil)
        guard case .writer(_, nil) = try await scene.answer(take) else {
            Issue.record("two workers are the writer")
            return
        }
        _ = try await scene.answer(.endWriter(fence))
        guard case .writer(_, let next?) = try await scene.answer(take) else {
            Issue.record("the lease lasts")
            return
        }
        #expect(next.epoch == fence.epoch + 1)
    }

    @Test func `occurrences are claimed by due time, then by priority`() async throws {
        let fence = try await scene.writer()
        let turns = [
            FleetTurn(due: 5), FleetTurn(due: 5, priority: 2), FleetTurn(due: 4, priority: -9),
        ]
        for (index, turn) in turns.enumerated() {
            let occurrence = UncutOccurrence(
                OccurrenceNumber(index + 1),
                count: 1,
                firstUnit: index + 1,
                isStored: false
            )
            try scene.add(occurrence, turn: turn)
            let units = occurrence.units(of: 1, omitting: [])
            _ = try await scene.answer(.cut(fence, occurrence.number, units))
            _ = try await scene.answer(.open(fence, occurrence.number))
        }
        var worker = try await scene.worker(1)
        var claimed: [Int] = []
        for token in 1...3 as ClosedRange<UInt64> {
            claimed += try await scene.claim([token], for: &worker).map(\.unit.id.number)
        }
        #expect(claimed == [3, 2, 1])
    }

    @Test func `connections that race for claims share the units`() async throws {
        try await scene.open(count: 60, unitSize: 1)
        let place = scene.scene.place
        var owners: [WorkUnitID: Int] = [:]
        try await withThrowingTaskGroup(of: (UInt64, [ClaimedUnit]).self) { group in
            for number in 1...4 as ClosedRange<UInt64> {
                let worker = try await scene.worker(number)
                group.addTask {
                    (number, try await Self.claimAll(for: worker, on: FleetStore(at: place)))
                }
            }
            for try await (_, claims) in group {
                for claim in claims { owners[claim.unit.id, default: 0] += 1 }
            }
        }
        #expect(owners.count == 60)
        #expect(owners.values.allSatisfy { $0 == 1 })
        #expect(try scene.number("SELECT count(*) FROM work_units WHERE epoch = 1") == 60)
    }

    private static func claimAll(
        for worker: SceneWorker,
        on store: FleetStore
    ) async throws -> [ClaimedUnit] {
        var (worker, all, token) = (worker, [ClaimedUnit](), worker.id.number * 1_000)
        // Others may have locked what is left.
        var empty = 0
        while empty < 5 {
            token += 3
            let tokens = (token..<token + 3).map { ClaimToken($0) }
            guard
                case .answered(.claimed(_, let claims)) = await store.perform(
                    .claim(worker.fence, tokens)
                )
            else { throw FleetScene.UnexpectedReply() }
            worker.commits += 1
            all += claims
            empty = claims.isEmpty ? empty + 1 : 0
        }
        return all
    }

    @Test func `a claim passes a unit that a frozen transaction has locked`() async throws {
        try await scene.open(count: 2, unitSize: 1)
        var worker = try await scene.worker(1)
        try scene.execute("BEGIN")
        try scene.execute("SELECT 1 FROM work_units WHERE id = 10 FOR UPDATE")
        let claims = try await scene.claim([1, 2], for: &worker)
        try scene.execute("ROLLBACK")
        #expect(claims.map(\.unit.id) == [WorkUnitID(11)])
    }

    // MARK: Takeovers

    @Test func `a takeover reads every outcome and makes the rest unknown`() async throws {
        try await scene.open(count: 6, omitting: [1], unitSize: 6)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        try await scene.grant(20, to: first.id)
        let claim = try await scene.claim([1], for: &first)[0]
        _ = try await scene.commit([claim.change(mark: 5)], for: &first)
        let records = [
            AttemptRecord.accepted(0), AttemptRecord(.refused, of: 2, attempt: 1),
            AttemptRecord(.refused, of: 3, attempt: 1),
            AttemptRecord(.released, of: 3, attempt: 2),
        ]
        _ = try await scene.commit([claim.change(records)], for: &first)
        #expect(try await scene.claim([2], for: &second).isEmpty)
        try scene.endLeases()
        let taken = try await scene.claim([3], for: &second)[0]
        #expect(taken.mark == 5)
        #expect(taken.fence == ClaimFence(epoch: 2, token: ClaimToken(3)))
        #expect(
            taken.outcomes == [0: .accepted, 2: .refused, 3: .unknown, 4: .unknown]
        )
        // Its row is gone, because it has no other unit.
        #expect(try scene.number("SELECT count(*) FROM fleet_workers WHERE id = 1") == 0)
        // The former owner changes nothing any more.
        let late = claim.change(mark: 6, [.accepted(4)], ending: .finished)
        let commit = FleetTransaction.commit(first.fence, [late], returnedPermits: 0)
        #expect(try await scene.failure(commit) == .fenced)
        #expect(try scene.number("SELECT released FROM work_units") == 5)
        #expect(try await scene.settle(&second, claims: [3]).claims == [taken])
    }

    @Test func `a takeover lowers the permits of the former owner, and it loses only that unit`()
        async throws
    {
        try await scene.open(count: 4, unitSize: 2)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        try await scene.grant(20, to: first.id)
        let claims = try await scene.claim([1, 2], for: &first)
        _ = try await scene.commit(claims.map { $0.change(mark: 2) }, for: &first)
        try scene.endLeases()
        _ = try await scene.claim([3], for: &second)
        #expect(try await scene.settle(&first).permits == 18)
        let changes = claims.map { $0.change([.accepted(0)], ending: .finished) }
        #expect(try await scene.commit(changes, for: &first) == [claims[0].unit.id])
        #expect(try scene.number("SELECT sum(finished)::bigint FROM work_units") == 1)
    }

    @Test func `an unknown request is not made unknown again by the next takeover`() async throws {
        try await scene.open(count: 3, unitSize: 3)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        let claim = try await scene.claim([1], for: &first)[0]
        _ = try await scene.commit([claim.change(mark: 3)], for: &first)
        try scene.endLeases()
        _ = try await scene.claim([2], for: &second)
        let rows = try scene.number("SELECT count(*) FROM attempt_log")
        _ = try await scene.worker(3)
        try scene.endLeases()
        var third = SceneWorker(3)
        let taken = try await scene.claim([3], for: &third)[0]
        #expect(taken.outcomes.values.allSatisfy { $0 == .unknown })
        #expect(try scene.number("SELECT count(*) FROM attempt_log") == rows)
    }

    /// The former owner goes on to commit after its lease ended.
    @Test func `a takeover during commits loses none that was answered`() async throws {
        let place = scene.scene
        for round in 1...8 {
            try scene.clear()
            try await scene.open(count: 40, unitSize: 40)
            var first = try await scene.worker(1)
            let second = try await scene.worker(2)
            let claim = try await scene.claim([1], for: &first)[0]
            let owner = first
            async let answered = Self.commitAll(claim, for: owner, in: place, leaseEnd: 3 * round)
            let taken = try await Self.takeOver(for: second, on: FleetStore(at: place.place))
            let committed = try await answered
            #expect(taken.mark == committed)
            for request in 0..<committed - 1 {
                #expect(taken.outcomes[request] == .accepted, "round \(round)")
            }
            #expect(taken.outcomes[committed - 1] == .unknown)
        }
    }

    /// Each commit raises the mark by one and records the request before; returns the last mark that
    /// was committed under the claim.
    private static func commitAll(
        _ claim: ClaimedUnit,
        for worker: SceneWorker,
        in scene: PostgresScene,
        leaseEnd: Int
    ) async throws -> Int {
        let store = FleetStore(at: scene.place)
        var worker = worker
        for mark in 1...claim.unit.count {
            if mark == leaseEnd {
                try scene.execute("UPDATE fleet_workers SET lease = '-infinity' WHERE id = 1")
            }
            let records = mark > 1 ? [AttemptRecord.accepted(mark - 2)] : []
            let commit = FleetTransaction.commit(
                worker.fence,
                [claim.change(mark: mark, records)],
                returnedPermits: 0
            )
            switch await store.perform(commit) {
            case .answered(.committed(_, let lost)):
                guard lost.isEmpty else { return mark - 1 }
                worker.commits += 1
            case .failed(.fenced, _): return mark - 1
            case let reply:
                Issue.record("\(reply)")
                return mark - 1
            }
        }
        return claim.unit.count
    }

    private static func takeOver(
        for worker: SceneWorker,
        on store: FleetStore
    ) async throws -> ClaimedUnit {
        var (worker, token) = (worker, 100 as UInt64)
        while true {
            token += 1
            let claim = FleetTransaction.claim(worker.fence, [ClaimToken(token)])
            guard case .answered(.claimed(_, let claims)) = await store.perform(claim) else {
                throw FleetScene.UnexpectedReply()
            }
            worker.commits += 1
            if let taken = claims.first { return taken }
        }
    }

    // MARK: Late answers

    @Test func `a late answer replaces unknown unless the request was released again`() async throws
    {
        try await scene.open(count: 3, unitSize: 3)
        var (first, second) = (try await scene.worker(1), try await scene.worker(2))
        let claim = try await scene.claim([1], for: &first)[0]
        _ = try await scene.commit([claim.change(mark: 3)], for: &first)
        try scene.endLeases()
        let taken = try await scene.claim([2], for: &second)[0]
        let repeated = taken.change([AttemptRecord(.released, of: 1, attempt: 2)])
        _ = try await scene.commit([repeated], for: &second)
        // The row of the former owner is gone, so that it has registered again.
        var former = try await scene.worker(4)
        let ids = UnitNotes(
            of: claim.unit,
            messageIDs: [0: "projects/p/messages/0", 1: "projects/p/messages/1"]
        )
        let late = (0..<2).map { LateAnswer(.accepted($0), of: WorkUnitID(10)) }
        #expect(try await scene.add(late, notes: [ids], for: &former) == 1)
        let row = try await scene.settle(&second, claims: [2])
        #expect(row.claims[0].outcomes == [0: .accepted, 1: .released, 2: .unknown])
        let stored = try await scene.state.messageIDs(of: UnitID(number: 1), from: 0, count: 3)
        #expect(stored.map(\.request) == [0])
        _ = try await scene.commit([taken.change(ending: .finished)], for: &second)
        let rows = try scene.number("SELECT count(*) FROM attempt_log")
        let dropped = LateAnswer(AttemptRecord(.rejected, of: 2, attempt: 1), of: WorkUnitID(10))
        #expect(try await scene.add([dropped], for: &former) == 1)
        #expect(try scene.number("SELECT count(*) FROM attempt_log") == rows)
    }

    @Test func `a late answer to a released request counts only in a free unit`() async throws {
        try await scene.open(count: 4, omitting: [2], unitSize: 4)
        var worker = try await scene.worker(1)
        let claim = try await scene.claim([1], for: &worker)[0]
        let repeated = [
            AttemptRecord(.refused, of: 1, attempt: 1), AttemptRecord(.released, of: 1, attempt: 2),
        ]
        _ = try await scene.commit([claim.change(mark: 3, repeated)], for: &worker)
        let answers = [
            LateAnswer(.accepted(0), of: claim.unit.id),
            LateAnswer(AttemptRecord(.accepted, of: 1, attempt: 2), of: claim.unit.id),
        ]
        #expect(try await scene.add(answers, for: &worker) == 2)
        _ = try await scene.commit([claim.change(ending: .givenBack)], for: &worker)
        // Request 2 is left out, request 3 is above the mark, and request 0 has one attempt.
        let never = [2, 3].map { LateAnswer(.accepted($0), of: claim.unit.id) }
        let wrong = LateAnswer(AttemptRecord(.accepted, of: 0, attempt: 2), of: claim.unit.id)
        #expect(try await scene.add(never + [wrong], for: &worker) == 3)
        #expect(try await scene.add(answers, for: &worker) == 0)
        // They have an answer now.
        #expect(try await scene.add(answers, for: &worker) == 2)
        let again = try await scene.claim([2], for: &worker)[0]
        #expect(again.outcomes == [0: .accepted, 1: .accepted])
    }
}
