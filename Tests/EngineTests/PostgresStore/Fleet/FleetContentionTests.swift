import Fleet
import Testing

@testable import PostgresStore

/// Every lane of several workers at the same time.
@Suite(.serialized)
struct FleetContentionTests {
    private let scene: FleetScene

    init() async throws { scene = try await FleetScene() }

    /// Leases end in between.
    @Test func `lanes of several workers never wait for each other in a circle`() async throws {
        try await scene.open(count: 40, unitSize: 2)
        let (state, place) = (scene.scene, scene.scene.place)
        var failures: [String] = []
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 1...4 as ClosedRange<UInt64> {
                let worker = try await scene.worker(number)
                group.addTask { try await Self.runLedger(of: worker, in: state) }
                group.addTask { await Self.runBeats(of: worker.id, on: FleetStore(at: place)) }
            }
            let writer = try await writerFence()
            let workers = (1...4).map { WorkerID($0) }
            group.addTask {
                await Self.runWriter(writer, workers, on: FleetStore(at: place))
            }
            for try await more in group { failures += more }
        }
        #expect(failures.isEmpty)
        // Claims, marks and takeovers happened.
        #expect(try scene.number("SELECT max(epoch) FROM work_units") > 1)
        #expect(try scene.number("SELECT max(released) FROM work_units") == 2)
    }

    private func writerFence() async throws -> ClaimFence {
        try scene.execute("UPDATE fleet_writer SET lease = '-infinity'")
        return try await scene.writer()
    }

    private static let rounds = 40

    private static func runLedger(
        of worker: SceneWorker,
        in state: PostgresScene
    ) async throws -> [String] {
        let store = FleetStore(at: state.place)
        var (worker, failures, units) = (worker, [String](), [ClaimedUnit]())
        for round in 0..<UInt64(rounds) {
            if round % 6 == worker.id.number {
                try state.execute(
                    """
                    UPDATE fleet_workers SET lease = '-infinity', beat = '-infinity'
                    WHERE id = \(worker.id.number)
                    """
                )
            }
            let token = worker.id.number * 1_000 + round * 2
            let transaction: FleetTransaction =
                if round % 3 == 0 {
                    .claim(worker.fence, [ClaimToken(token), ClaimToken(token + 1)])
                } else {
                    .commit(
                        worker.fence,
                        units.suffix(3).map { $0.change(mark: 2, [.accepted(0)]) },
                        returnedPermits: 1
                    )
                }
            switch await store.perform(transaction) {
            case .answered(.claimed(_, let claims)):
                worker.commits += 1
                units += claims
            case .answered: worker.commits += 1
            case .failed(.fenced, _):
                // It became a suspect, or was removed after its units were taken over.
                worker = await register(worker, on: store)
            case .failed(let failure, let cause): failures.append("\(failure): \(cause)")
            }
        }
        return failures
    }

    private static func register(_ worker: SceneWorker, on store: FleetStore) async -> SceneWorker {
        _ = await store.perform(.register(worker.id, isSynchronous: false))
        var worker = worker
        if case .answered(.settled(_, let row?)) = await store.perform(
            .settle(worker.id, claims: [])
        ) {
            worker.incarnation = row.incarnation
            worker.commits = row.commits
        }
        return worker
    }

    private static func runBeats(of worker: WorkerID, on store: FleetStore) async -> [String] {
        var failures: [String] = []
        for round in 0..<rounds {
            let request = SliceRequest(number: round, wanted: 5, isThrottled: false)
            for transaction in [FleetTransaction.beat(worker), .ask(worker, request)] {
                switch await store.perform(transaction) {
                case .answered, .failed(.fenced, _): break
                case .failed(let failure, let cause): failures.append("\(failure): \(cause)")
                }
            }
        }
        return failures
    }

    private static func runWriter(
        _ fence: ClaimFence,
        _ workers: [WorkerID],
        on store: FleetStore
    ) async -> [String] {
        var failures: [String] = []
        for round in 0..<rounds {
            let grants = workers.shuffled().map {
                Grant(to: $0, number: round, height: 10, permits: 1, share: 5)
            }
            let divide = FleetTransaction.divide(fence, on: Timeline(1), grants)
            if case .failed(let failure, let cause) = await store.perform(divide) {
                failures.append("\(failure): \(cause)")
            }
        }
        return failures
    }
}
