import Fleet
import Testing

@testable import PostgresStore

/// What a worker knows about its row.
struct SceneWorker: Sendable {
    let id: WorkerID
    var incarnation = 1
    var commits = 0
    var timeline = 1

    init(_ number: UInt64) { id = WorkerID(number) }

    var fence: WorkerFence {
        WorkerFence(
            worker: id,
            incarnation: incarnation,
            commits: commits,
            timeline: Timeline(timeline)
        )
    }
}

extension FleetScene {
    /// Registers a worker.
    func worker(_ number: UInt64, isSynchronous: Bool = false) async throws -> SceneWorker {
        let worker = SceneWorker(number)
        _ = try await answer(.register(worker.id, isSynchronous: isSynchronous))
        return worker
    }

    /// Becomes the writer.
    func writer() async throws -> ClaimFence {
        let answer = try await answer(.takeWriter(ClaimToken(77), former: nil))
        guard case .writer(_, let fence?) = answer else { throw UnexpectedReply() }
        return fence
    }

    /// Adds an occurrence whose units can be claimed.
    func open(count: Int, omitting omitted: [Int] = [], unitSize: Int) async throws {
        let occurrence = UncutOccurrence(
            OccurrenceNumber(1),
            count: count,
            firstUnit: 10,
            isStored: false
        )
        try add(occurrence, omitting: omitted)
        let fence = try await writer()
        let units = occurrence.units(of: unitSize, omitting: omitted)
        _ = try await answer(.cut(fence, occurrence.number, units))
        _ = try await answer(.open(fence, occurrence.number))
    }

    /// Claims units; each has a token of its own.
    func claim(
        _ tokens: [UInt64],
        for worker: inout SceneWorker,
        on other: FleetStore? = nil
    ) async throws -> [ClaimedUnit] {
        let claim = FleetTransaction.claim(worker.fence, tokens.map { ClaimToken($0) })
        let answer = try await answer(claim, on: other)
        guard case .claimed(_, let claims) = answer else { throw UnexpectedReply() }
        worker.commits += 1
        return claims
    }

    /// Commits changes; returns the units whose claim was not current.
    func commit(
        _ changes: [UnitChange],
        notes: [UnitNotes] = [],
        for worker: inout SceneWorker
    ) async throws -> [WorkUnitID] {
        let commit = FleetTransaction.commit(worker.fence, changes, returnedPermits: 0)
        let answer = try await answer(commit, notes: notes)
        guard case .committed(_, let lost) = answer else { throw UnexpectedReply() }
        worker.commits += 1
        return lost
    }

    func settle(
        _ worker: inout SceneWorker,
        claims: [UInt64] = []
    ) async throws -> SettledWorker {
        let settle = FleetTransaction.settle(worker.id, claims: claims.map { ClaimToken($0) })
        guard case .settled(_, let row?) = try await answer(settle) else {
            throw UnexpectedReply()
        }
        worker.incarnation = row.incarnation
        worker.commits = row.commits
        return row
    }

    /// Restores units on the worker's timeline; returns those that other workers have.
    func restore(
        _ units: [RestoredUnit] = [],
        isLast: Bool = true,
        notes: [UnitNotes] = [],
        for worker: SceneWorker
    ) async throws -> [WorkUnitID] {
        let restore = FleetTransaction.restore(worker.fence, units, isLast: isLast)
        guard case .restored(_, let taken) = try await answer(restore, notes: notes) else {
            throw UnexpectedReply()
        }
        return taken
    }

    /// Adds late answers; returns how many were dropped.
    func add(
        _ answers: [LateAnswer],
        notes: [UnitNotes] = [],
        for worker: inout SceneWorker
    ) async throws -> Int {
        let answer = try await answer(.addLateAnswers(worker.fence, answers), notes: notes)
        guard case .lateAnswersAdded(_, let dropped) = answer else { throw UnexpectedReply() }
        worker.commits += 1
        return dropped
    }

    /// Ends the lease of every worker.
    func endLeases() throws {
        try execute("UPDATE fleet_workers SET lease = fleet_clock() - interval '1 s'")
    }

    /// Grants permits on the first timeline.
    func grant(_ permits: Int, to worker: WorkerID) async throws {
        try execute("UPDATE fleet_writer SET lease = '-infinity'")
        let grant = Grant(to: worker, number: 1, height: 100, permits: permits, share: 50)
        _ = try await answer(.divide(try await writer(), on: Timeline(1), [grant]))
    }
}

extension ClaimedUnit {
    func change(
        mark: Int? = nil,
        _ records: [AttemptRecord] = [],
        ending: UnitChange.Ending? = nil
    ) -> UnitChange {
        UnitChange(unit.id, fence: fence, mark: mark, records: records, ending: ending)
    }

    /// What the worker remembers after a failover.
    func restored(
        mark: Int,
        _ records: [AttemptRecord] = [],
        unanswered: Int = 0,
        holding: RestoredUnit.Holding
    ) -> RestoredUnit {
        RestoredUnit(
            unit.id,
            fence: fence,
            mark: mark,
            records: records,
            unanswered: unanswered,
            holding: holding
        )
    }

    /// The records as `request: outcome` of the last attempt.
    var outcomes: [Int: AttemptOutcome] {
        var history = UnitHistory(count: unit.count)
        for record in records { history.merge(record) }
        return (0..<unit.count).reduce(into: [:]) { $0[$1] = history.last(of: $1) }
    }
}

extension AttemptRecord {
    static func accepted(_ request: Int, attempt: Int = 1) -> Self {
        AttemptRecord(.accepted, of: request, attempt: attempt)
    }
}
