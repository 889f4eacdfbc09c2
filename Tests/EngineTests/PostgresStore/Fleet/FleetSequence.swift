import Fleet
import Testing

@testable import FleetSimulation
@testable import PostgresStore

/// Draws transactions that are possible for the rows of the model, and some that are not.
struct FleetSequence {
    private(set) var random: SimulatedRandomness
    /// Every claim that was answered.
    private var claims: [(worker: WorkerID, claim: ClaimedUnit)] = []
    private var tokens: UInt64 = 0
    private var workers: [WorkerID] = []
    private var present: [WorkerID] = []
    private var requests = 0

    static let occurrences = [
        occurrence(0, count: 23, omitting: [0, 7, 8, 22], firstUnit: 0),
        occurrence(1, count: 17, omitting: [], firstUnit: 3),
        occurrence(2, count: 8, omitting: [3], firstUnit: 6),
    ]
    static let unitSize = 8
    static let unitCount = 7

    /// The message IDs of all requests, of which each transaction stores those of its outcomes.
    static func notes(of database: ModelDatabase) -> [UnitNotes] {
        database.units.compactMap { row in
            guard let unit = row?.unit else { return nil }
            let requests = (0..<unit.count).map { ($0, "projects/p/messages/\($0)") }
            return UnitNotes(of: unit, messageIDs: Dictionary(uniqueKeysWithValues: requests))
        }
    }

    private static func occurrence(
        _ number: Int,
        count: Int,
        omitting omitted: [Int],
        firstUnit: Int
    ) -> OccurrenceRow {
        let uncut = UncutOccurrence(
            OccurrenceNumber(number),
            count: count,
            firstUnit: firstUnit,
            isStored: false
        )
        return OccurrenceRow(uncut: uncut, omitted: omitted)
    }

    init(seed: UInt64) { random = SimulatedRandomness(seed: seed) }

    mutating func note(_ answer: FleetAnswer, to transaction: FleetTransaction) {
        switch (transaction, answer) {
        case (.claim(let fence, _), .claimed(_, let new)):
            claims += new.map { (fence.worker, $0) }
        case (.settle(let id, _), .settled(_, let row?)):
            claims += row.claims.map { (id, $0) }
        default: break
        }
    }

    mutating func next(for server: ModelServer) -> FleetTransaction {
        let database = server.database
        present = database.workers.filter(\.isPresent).map(\.id)
        if present.count < 3, chance(50) { return registration(in: database) }
        switch random.number(in: 0...99) {
        case 0..<3: return registration(in: database)
        case 3..<14: return .beat(worker())
        case 14..<20: return .ask(worker(), request())
        case 20..<50: return commit(in: server)
        case 50..<62:
            return .claim(fence(in: server), (0..<random.number(in: 1...3)).map { _ in token() })
        case 62..<68: return .addLateAnswers(fence(in: server), lateAnswers())
        case 68..<74: return settlement()
        case 74..<86: return restoration(in: server)
        case 86..<88: return .strikeOff(fence(in: server), worker())
        case 88..<89: return .leave(fence(in: server))
        case 89..<92:
            return .takeWriter(token(), former: chance(50) ? writer(in: database) : nil)
        case 92..<97: return division(in: server)
        default: return cut(in: database)
        }
    }

    // MARK: Parts

    private mutating func chance(_ percent: Int) -> Bool { random.chance(percent * 10_000) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[random.number(in: 0...values.count - 1)]
    }

    private mutating func token() -> ClaimToken {
        tokens += 1
        return ClaimToken(tokens &* 0x9E37_79B9_7F4A_7C15)
    }

    private mutating func worker() -> WorkerID {
        if workers.isEmpty || chance(2) { return WorkerID(999) }
        return present.isEmpty || chance(5) ? pick(workers) : pick(present)
    }

    private mutating func registration(in database: ModelDatabase) -> FleetTransaction {
        // A lost registration may be repeated. No other number is used again.
        let lost = workers.filter { database.formerPlace(of: $0) == nil }
        let id =
            lost.isEmpty || chance(50) ? WorkerID(random.next()) : pick(lost)
        if !workers.contains(id) { workers.append(id) }
        return .register(id, isSynchronous: id.number % 4 == 0)
    }

    private mutating func request() -> SliceRequest {
        requests += 1
        return SliceRequest(
            number: requests,
            wanted: random.number(in: 0...50),
            isThrottled: chance(20),
            validity: .milliseconds(random.number(in: 500...12_000))
        )
    }

    /// The fence that the worker's row has now, sometimes with one wrong number.
    private mutating func fence(in server: ModelServer) -> WorkerFence {
        // Most workers have confirmed the timeline.
        let confirmed = server.database.workers
            .filter { $0.isPresent && $0.timeline == server.timeline }.map(\.id)
        let id = confirmed.isEmpty || chance(20) ? worker() : pick(confirmed)
        let row = server.database.place(of: id).map { server.database.workers[$0] }
        let wrong = random.number(in: 0...40)
        return WorkerFence(
            worker: id,
            incarnation: (row?.incarnation ?? 1) + (wrong == 0 ? -1 : 0),
            commits: (row?.commits ?? 0) + (wrong == 1 ? -1 : wrong == 2 ? 1 : 0),
            timeline: Timeline(server.timeline - (wrong == 3 ? 1 : 0))
        )
    }

    private mutating func commit(in server: ModelServer) -> FleetTransaction {
        let fence = fence(in: server)
        let own = claims.filter { $0.worker == fence.worker }
        var changes: [WorkUnitID: UnitChange] = [:]
        for _ in 0..<random.number(in: 0...2) where !own.isEmpty {
            let (_, claim) = chance(80) ? own[own.count - 1] : pick(own)
            changes[claim.unit.id] = change(claim)
        }
        let returned = chance(30) ? random.number(in: 1...9) : 0
        return .commit(
            fence,
            changes.values.sorted { $0.unit < $1.unit },
            returnedPermits: returned
        )
    }

    private mutating func change(_ claim: ClaimedUnit) -> UnitChange {
        let ending: UnitChange.Ending? =
            switch random.number(in: 0...9) {
            case 0: .finished
            case 1: .givenBack
            default: nil
            }
        return UnitChange(
            claim.unit.id,
            fence: claim.fence,
            mark: chance(60) ? random.number(in: 0...claim.unit.count) : nil,
            records: records(of: claim.unit),
            ending: ending
        )
    }

    private mutating func records(of unit: WorkUnit) -> [AttemptRecord] {
        let sent = (0..<unit.count).filter { !unit.omits($0) }
        return (0..<random.number(in: 0...5)).map { _ in record(of: pick(sent)) }
    }

    private mutating func record(of request: Int) -> AttemptRecord {
        let outcomes: [AttemptOutcome] = [
            .released, .unknown, .returned, .refused, .rejected, .accepted,
        ]
        let attempt = chance(70) ? 1 : random.number(in: 2...3)
        return AttemptRecord(pick(outcomes), of: request, attempt: attempt)
    }

    private mutating func lateAnswers() -> [LateAnswer] {
        (0..<random.number(in: 1...6)).compactMap { _ in
            guard !claims.isEmpty else { return nil }
            let unit = pick(claims).claim.unit
            let request = pick((0..<unit.count).filter { !unit.omits($0) })
            let outcome: AttemptOutcome = chance(50) ? .accepted : .rejected
            let attempt = chance(80) ? 1 : 2
            return LateAnswer(
                AttemptRecord(outcome, of: request, attempt: attempt),
                of: unit.id
            )
        }
    }

    private mutating func settlement() -> FleetTransaction {
        let id = worker()
        let own = claims.filter { $0.worker == id }.map(\.claim.fence.token)
        return .settle(id, claims: Array(own.suffix(3)))
    }

    private mutating func restoration(in server: ModelServer) -> FleetTransaction {
        let late = server.database.workers
            .filter { $0.isPresent && $0.timeline != server.timeline }
        var fence = fence(in: server)
        if let row = late.first, chance(80) {
            fence = WorkerFence(
                worker: row.id,
                incarnation: row.incarnation,
                commits: row.commits + random.number(in: 0...2),
                timeline: Timeline(server.timeline)
            )
        }
        var units: [WorkUnitID: RestoredUnit] = [:]
        for (_, claim) in claims.filter({ $0.worker == fence.worker }).suffix(4) {
            let holding = pick(
                [.owned, .owned, .finished, .former, .abandoned] as [RestoredUnit.Holding]
            )
            units[claim.unit.id] = RestoredUnit(
                claim.unit.id,
                fence: claim.fence,
                mark: random.number(in: 0...claim.unit.count),
                records: records(of: claim.unit),
                unanswered: holding == .owned ? random.number(in: 0...5) : 0,
                holding: holding
            )
        }
        return .restore(
            fence,
            units.values.sorted { $0.unit < $1.unit },
            isLast: chance(75)
        )
    }

    // MARK: The writer

    private mutating func writer(in database: ModelDatabase) -> ClaimFence {
        let fence = database.writer.fence
        return chance(85) ? fence : ClaimFence(epoch: fence.epoch, token: ClaimToken(3))
    }

    private mutating func division(in server: ModelServer) -> FleetTransaction {
        let asking = workers.filter { _ in chance(60) }
        let grants = asking.map { id in
            Grant(
                to: id,
                number: random.number(in: 0...requests + 1),
                height: random.number(in: 0...500),
                permits: random.number(in: 0...20),
                share: random.number(in: 1...40)
            )
        }
        let timeline = chance(90) ? Timeline(server.timeline) : nil
        let terms = WriterTerms(
            lease: .milliseconds(random.number(in: 500...3_000)),
            rest: chance(50) ? nil : .milliseconds(random.number(in: 0...5_000))
        )
        return .divide(writer(in: server.database), on: timeline, grants, terms: terms)
    }

    private mutating func cut(in database: ModelDatabase) -> FleetTransaction {
        // Some divisions are older than the present ones.
        let occurrence = pick(chance(80) ? database.occurrences : Self.occurrences)
        let number = occurrence.uncut.number
        switch random.number(in: 0...9) {
        case 0..<2: return .readOmitted(writer(in: database), number)
        case 2..<3: return .endWriter(writer(in: database))
        case 3..<6: return .open(writer(in: database), number)
        default: return .cut(writer(in: database), number, occurrence.units)
        }
    }
}

extension OccurrenceRow {
    /// The units that a writer divides it into.
    var units: [WorkUnit] { uncut.units(of: FleetSequence.unitSize, omitting: omitted) }
}
