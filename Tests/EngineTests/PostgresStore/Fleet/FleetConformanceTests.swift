import Fleet
import Foundation
import PostgresClient
import State
import Testing

@testable import FleetSimulation
@testable import PostgresStore

/// Plays the same transactions on the model of the simulation and on a server.
@Suite(.serialized)
struct FleetConformanceTests {
    @Test func `the server answers as the model of the simulation`() async throws {
        let scene = try await FleetScene()
        for seed in 0..<50 {
            try scene.clear()
            var duel = try FleetDuel(on: scene, seed: UInt64(seed))
            guard try await duel.play(steps: 100) else { return }
        }
    }
}

/// One sequence on both servers.
private struct FleetDuel {
    private let scene: FleetScene
    private let seed: UInt64
    private var model: ModelServer
    private var sequence: FleetSequence
    private var troubles: SimulatedRandomness
    /// In milliseconds.
    private var time = 100_000
    /// What the server's clock shows.
    private var shown = 0

    init(on scene: FleetScene, seed: UInt64) throws {
        self.scene = scene
        self.seed = seed
        model = ModelServer(
            ModelServer.Settings(isSynchronous: false, lag: 0, hasStandby: true),
            database: ModelDatabase(
                occurrences: FleetSequence.occurrences,
                units: FleetSequence.unitCount
            ),
            fault: nil
        )
        sequence = FleetSequence(seed: seed)
        troubles = SimulatedRandomness(seed: seed &+ 1_000)
        for occurrence in FleetSequence.occurrences {
            try scene.add(occurrence.uncut, omitting: occurrence.omitted)
        }
        try scene.set(timeline: 1)
        try scene.set(milliseconds: time)
    }

    /// Returns whether both gave the same answers and have the same rows.
    mutating func play(steps: Int) async throws -> Bool {
        try await prepare()
        for step in 0..<steps {
            try trouble()
            let transaction = sequence.next(for: model)
            guard try await perform(transaction, step: step) else { return false }
        }
        return try await isSame()
    }

    /// Opens the occurrences, so that there is something to claim.
    private mutating func prepare() async throws {
        _ = try await perform(.takeWriter(ClaimToken(1), former: nil), step: -1)
        for occurrence in FleetSequence.occurrences.dropLast() {
            let fence = model.database.writer.fence
            let number = occurrence.uncut.number
            _ = try await perform(.cut(fence, number, occurrence.units), step: -1)
            _ = try await perform(.open(fence, number), step: -1)
        }
    }

    private mutating func perform(_ transaction: FleetTransaction, step: Int) async throws -> Bool {
        let nanoseconds = time * 1_000_000
        model.names = FleetSequence.names
        let expected: FleetReplyView =
            switch model.perform(transaction, at: nanoseconds, snapshot: nil) {
            case .success(let answer): .answered(answer.withoutPositions)
            case .failure(let error): .failed(error.failure)
            }
        let found: FleetReplyView
        switch await scene.store.perform(transaction, notes: FleetSequence.notes) {
        case .answered(let answer):
            found = .answered(answer.withoutPositions)
            sequence.note(answer, to: transaction)
        case .failed(let failure, _): found = .failed(failure)
        }
        #expect(found == expected, "seed \(seed), step \(step): \(transaction)")
        return found == expected
    }

    // MARK: Time and failovers

    private mutating func trouble() throws {
        switch troubles.number(in: 0...99) {
        case 0..<50: time += troubles.number(in: 1...800)
        case 50..<65: time += troubles.number(in: 2_000...9_000)
        case 65..<70: time += 16_000
        case 70..<72: try failOver()
        case 72..<75: try beginCut()
        default: break
        }
        if time != shown { try scene.set(milliseconds: time) }
        shown = time
    }

    /// Nothing that is committed from now on reaches the standby.
    private mutating func beginCut() throws {
        guard model.cutStart == nil else { return }
        time += 1
        model.replicate(until: time * 1_000_000)
        model.cutStart = time * 1_000_000
        try scene.save()
        time += 1
    }

    private mutating func failOver() throws {
        time += 1
        if model.cutStart != nil { try scene.lose() }
        model.failOver(at: time * 1_000_000)
        try scene.set(timeline: model.timeline)
        time += 1
    }

    // MARK: Rows

    private func isSame() async throws -> Bool {
        let workers = try workerRows()
        let expectedWorkers = model.database.workers.filter(\.isPresent).map(WorkerView.init)
        #expect(workers == expectedWorkers, "seed \(seed)")
        let units = try unitRows()
        let expectedUnits = model.database.units.compactMap { $0.map(UnitView.init) }
        #expect(units == expectedUnits, "seed \(seed)")
        let named = try await namedRequests()
        let expectedNamed = model.database.units.flatMap { $0?.namedRequests ?? [] }
        #expect(named == expectedNamed, "seed \(seed)")
        return workers == expectedWorkers && units == expectedUnits && named == expectedNamed
    }

    private func workerRows() throws -> [WorkerView] {
        try scene.execute(
            """
            SELECT id, incarnation, commits, timeline, suspect, permits - returned
            FROM fleet_workers JOIN fleet_slices ON worker = id ORDER BY number
            """
        ).rows.map { row in
            WorkerView(
                id: try row.worker(at: 0),
                incarnation: try row.number(at: 1),
                commits: try row.number(at: 2),
                timeline: try row.number(at: 3),
                suspect: try row.integer(at: 4).map { Int($0) },
                permits: try row.number(at: 5)
            )
        }
    }

    /// The requests whose message IDs are stored, in the order of occurrences.
    private func namedRequests() async throws -> [NamedRequest] {
        var all: [NamedRequest] = []
        for occurrence in FleetSequence.occurrences {
            let number = occurrence.uncut.number.number
            let unit = UnitID(number: Int64(number))
            let ids = try await scene.state.messageIDs(of: unit, from: 0, count: .max)
            all += ids.map { NamedRequest(occurrence: number, request: $0.request) }
        }
        return all
    }

    private func unitRows() throws -> [UnitView] {
        let rows = try scene.execute(
            """
            SELECT id, owner, epoch, token, released, finished, coalesce(d.count, 0)
            FROM work_units LEFT JOIN fleet_doubled d ON d.work_unit = id ORDER BY id
            """
        ).rows
        return try rows.map { row in
            let id = try row.number(at: 0)
            let blocks = try scene.execute(
                "SELECT attempt, first, outcomes FROM attempt_log WHERE work_unit = \(id)"
            ).rows.map { try AttemptBlock($0, from: 0) }
            let unit = try #require(model.database.units[id]).unit
            let mark = try row.number(at: 4)
            let history = UnitHistory(of: unit, mark: mark, blocks)
            return UnitView(
                id: id,
                owner: try row.integer(at: 1).map { WorkerID(UInt64(bitPattern: $0)) },
                fence: try row.fence(at: 2),
                mark: mark,
                doubledMark: try row.number(at: 6),
                isFinished: try row.number(at: 5) == 1,
                records: history.records.filter { $0.request < mark }
            )
        }
    }
}

private struct NamedRequest: Equatable {
    let occurrence: Int
    let request: Int
}

extension UnitRow {
    fileprivate var namedRequests: [NamedRequest] {
        names.indices.filter { names[$0] > 0 }.map {
            NamedRequest(occurrence: unit.occurrence.number, request: unit.first + $0)
        }
    }
}

private enum FleetReplyView: Equatable {
    case answered(FleetAnswer)
    case failed(FleetFailure)
}

private struct WorkerView: Equatable {
    let id: WorkerID
    let incarnation: Int
    let commits: Int
    let timeline: Int
    let suspect: Int?
    let permits: Int
}

extension WorkerView {
    init(_ row: WorkerRow) {
        self.init(
            id: row.id,
            incarnation: row.incarnation,
            commits: row.commits,
            timeline: row.timeline,
            suspect: row.suspectOn,
            permits: row.permits
        )
    }
}

private struct UnitView: Equatable {
    let id: Int
    let owner: WorkerID?
    let fence: ClaimFence
    let mark: Int
    let doubledMark: Int
    let isFinished: Bool
    let records: [AttemptRecord]
}

extension UnitView {
    init(_ row: UnitRow) {
        self.init(
            id: row.unit.id.number,
            owner: row.owner,
            fence: row.fence,
            mark: row.mark,
            doubledMark: row.doubledMark,
            isFinished: row.isFinished,
            records: row.records
        )
    }
}

// MARK: - Answers

extension FleetAnswer {
    /// The answer with positions of 0, and with lists in one order.
    fileprivate var withoutPositions: Self {
        switch self {
        case .registered(let server): .registered(server.withoutPositions)
        case .beat(let beat):
            .beat(
                BeatAnswer(
                    server: beat.server.withoutPositions,
                    incarnation: beat.incarnation,
                    straggler: beat.straggler
                )
            )
        case .divided(nil): self
        case .asked(let server, let slice): .asked(server.withoutPositions, slice)
        case .committed(let server, let lost): .committed(server.withoutPositions, lost: lost)
        case .claimed(let server, let claims): .claimed(server.withoutPositions, claims)
        case .lateAnswersAdded(let server, let dropped):
            .lateAnswersAdded(server.withoutPositions, dropped: dropped)
        case .settled(let server, let row): .settled(server.withoutPositions, row)
        case .restored(let server, let taken):
            .restored(server.withoutPositions, taken: taken.sorted())
        case .struckOff(let server): .struckOff(server.withoutPositions)
        case .left(let server): .left(server.withoutPositions)
        case .writer(let server, let fence): .writer(server.withoutPositions, fence)
        case .divided(let division?):
            .divided(
                DivisionAnswer(
                    server: division.server.withoutPositions,
                    rows: division.rows,
                    uncut: division.uncut,
                    isConfirmed: division.isConfirmed
                )
            )
        case .omitted(let server, let omitted): .omitted(server.withoutPositions, omitted)
        case .writerEnded(let server): .writerEnded(server.withoutPositions)
        case .cut(let server): .cut(server.withoutPositions)
        case .opened(let server): .opened(server.withoutPositions)
        }
    }
}

extension ServerState {
    fileprivate var withoutPositions: Self {
        ServerState(timeline: timeline, position: LogPosition(0), safe: LogPosition(0))
    }
}
