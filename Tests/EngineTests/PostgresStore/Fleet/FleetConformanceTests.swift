import CampaignModel
import Fleet
import Foundation
import PostgresClient
import State
import StoreTables
import Testing

@testable import FleetSimulation
@testable import PostgresStore

/// Plays the same transactions on the model of the simulation and on a server.
@Suite(.serialized)
struct FleetConformanceTests {
    @Test func `the server answers as the model of the simulation`() async throws {
        let scene = try await FleetScene(losesRecords: true)
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
    private var nextUnit = FleetSequence.unitCount

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
            guard try await serve(step: step) else { return false }
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
        let notes = FleetSequence.notes(of: model.database)
        model.names = Dictionary(
            uniqueKeysWithValues: notes.map { ($0.unit, Set($0.messageIDs.keys)) }
        )
        let expected: FleetReplyView =
            switch model.perform(transaction, at: nanoseconds, snapshot: nil) {
            case .success(let answer): .answered(answer.withoutPositions)
            case .failure(let error): .failed(error.failure)
            }
        let found: FleetReplyView
        switch await scene.store.perform(transaction, notes: notes) {
        case .answered(let answer):
            found = .answered(answer.withoutPositions)
            sequence.note(answer, to: transaction)
        case .failed(let failure, _): found = .failed(failure)
        }
        #expect(found == expected, "seed \(seed), step \(step): \(transaction)")
        return found == expected
    }

    // MARK: The service

    /// Does on both what a service does; returns whether both recorded the same.
    private mutating func serve(step: Int) async throws -> Bool {
        let occurrences = model.database.occurrences
        let occurrence = occurrences[troubles.number(in: 0...occurrences.count - 1)]
        let number = occurrence.uncut.number
        let nanoseconds = time * 1_000_000
        switch troubles.number(in: 0...99) {
        case 0..<3:
            model.recall(number, at: nanoseconds)
            try await scene.state.recall(UnitID(number: Int64(number.number)))
        case 3..<5: try end(occurrence, after: troubles.number(in: -1...30))
        case 5..<8 where occurrence.isRecalled && occurrence.state == .open:
            let token = ClaimToken(UInt64(troubles.number(in: 1...1_000_000)))
            model.withdraw(number, token, at: nanoseconds)
            try scene.execute("SELECT fleet_withdraw(\(number.number), \(token.number))")
        case 8..<20: return try await collect(number, step: step)
        case 20..<40 where occurrence.state == .left: try entrust(occurrence)
        default: break
        }
        return true
    }

    private mutating func collect(_ number: OccurrenceNumber, step: Int) async throws -> Bool {
        let recorded = model.collect(number, ClaimToken(0), at: time * 1_000_000)
        let expected = recorded.map { RecordedRequest($0.key, Outcome($0.value)) }.sorted()
        let unit = UnitID(number: Int64(number.number))
        let found = try await scene.state.collect(from: unit).outcomes
            .map { RecordedRequest($0.index, $0.outcome) }.sorted()
        #expect(found == expected, "seed \(seed), step \(step): \(number)")
        return found == expected
    }

    /// Sets the time from which on nothing is sent.
    private mutating func end(_ occurrence: OccurrenceRow, after seconds: Int) throws {
        guard occurrence.state != .left else { return }
        var row = occurrence
        let until = (time + seconds * 1_000) * 1_000_000
        row.until = until
        let number = row.uncut.number.number
        model.begin(at: time * 1_000_000)
        model.change(.occurrence(number, row))
        model.end()
        try scene.execute("UPDATE fleet_occurrences SET until = \(until) WHERE unit = \(number)")
    }

    private mutating func entrust(_ occurrence: OccurrenceRow) throws {
        let number = occurrence.uncut.number
        model.entrust(
            number,
            occurrence.returned,
            firstUnit: nextUnit,
            suppressed: [],
            at: time * 1_000_000
        )
        let row = model.database.occurrences[number.number]
        guard row.state == .planned else { return }
        nextUnit += row.uncut.count
        try scene.add(row.uncut, omitting: row.omitted)
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
        let expectedUnits = model.database.units.compactMap { $0 }.filter { !$0.isMerged }
            .map(UnitView.init)
        #expect(units == expectedUnits, "seed \(seed)")
        let named = try await namedRequests()
        let expectedNamed = Set(model.database.units.flatMap { $0?.namedRequests ?? [] })
        #expect(named == expectedNamed, "seed \(seed)")
        let occurrences = try await occurrenceRows()
        let expectedOccurrences = model.database.occurrences.map(OccurrenceView.init)
        #expect(occurrences == expectedOccurrences, "seed \(seed)")
        return workers == expectedWorkers && units == expectedUnits && named == expectedNamed
            && occurrences == expectedOccurrences
    }

    private func workerRows() throws -> [WorkerView] {
        try scene.execute(
            """
            SELECT id, incarnation, commits, timeline, suspect, permits - returned, losses
            FROM fleet_workers JOIN fleet_slices ON worker = id ORDER BY number
            """
        ).rows.map { row in
            WorkerView(
                id: try row.worker(at: 0),
                incarnation: try row.number(at: 1),
                commits: try row.number(at: 2),
                timeline: try row.number(at: 3),
                suspect: try row.integer(at: 4).map { Int($0) },
                permits: try row.number(at: 5),
                losses: try row.number(at: 6)
            )
        }
    }

    /// The requests whose message IDs are stored.
    private func namedRequests() async throws -> Set<NamedRequest> {
        var all: Set<NamedRequest> = []
        for occurrence in FleetSequence.occurrences {
            let number = occurrence.uncut.number.number
            let unit = UnitID(number: Int64(number))
            let ids = try await scene.state.messageIDs(of: unit, from: 0, count: .max)
            all.formUnion(ids.map { NamedRequest(occurrence: number, request: $0.request) })
        }
        return all
    }

    /// The rows of occurrences in the fleet, and the records of all.
    private func occurrenceRows() async throws -> [OccurrenceView] {
        var all: [OccurrenceView] = []
        for occurrence in FleetSequence.occurrences {
            let number = occurrence.uncut.number.number
            let row = try scene.execute(
                """
                SELECT state, held, recalled, first_unit FROM fleet_occurrences WHERE unit = \(number)
                """
            ).rows.first
            let unit = UnitID(number: Int64(number))
            let requests = 0..<occurrence.uncut.count
            let record = try await scene.state.outcomes(of: unit, in: requests)
            all.append(
                OccurrenceView(
                    row: try row.map { row in try (0..<4).map { try row.number(at: $0) } },
                    record: record.map { $0 == .intended ? .returned : $0 }
                )
            )
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
