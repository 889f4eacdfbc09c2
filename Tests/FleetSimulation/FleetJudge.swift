import Fleet

/// Records what leaves and what recipients decide, and compares it with the tables at the end.
///
/// It shares no decision with the machines.
struct FleetJudge: Sendable {
    /// What happened to one attempt that left.
    struct Departure: Sendable {
        let attempt: Int
        /// The claim under which it was released.
        let claim: ClaimFence
        let isAccepted: Bool
        let isRejected: Bool
        var isRecorded = false
        /// When its process received the answer, if that process has not crashed.
        var receipt: Int?
        /// Whether the answer arrived after the unit was finished.
        var isMerged = false
        let process: Process
    }

    /// One life of a process.
    struct Process: Hashable, Sendable {
        let slot: Int
        let life: Int
    }

    struct Rules: Sendable {
        /// Sends in any 60 s.
        let quota: Int
        /// `max_unknown`.
        let maximumUnknown: Int
        let repeatsUnknown: Bool
        /// Whether leases end by a clock that never jumps.
        let clockIsSteady: Bool
    }

    private struct Place: Hashable {
        let unit: Int
        let request: Int
    }

    let rules: Rules
    private(set) var violations: [String] = []
    private var departures: [Place: [Departure]] = [:]
    /// The acceptances that a worker reported as possibly doubled.
    private var excused: [Place: Int] = [:]
    /// Those that were stored as such; a failover may have lost that.
    private var stored: [Place: Int] = [:]
    /// The attempts that were unknown at some time.
    private var unknowns: [Place: Set<Int>] = [:]
    private var issues: [Int] = []
    private var oldestIssue = 0
    private var owners: [Int: WorkerID] = [:]
    private var openCount = 0
    private(set) var sends = 0
    private var hasFailedOver = false
    /// When open requests are counted again after a failover.
    private var openFrom: Int?
    /// The processes that ended without recording what they had received.
    var crashed: Set<Process> = []
    private var end = 0

    init(_ rules: Rules) { self.rules = rules }

    mutating func report(_ violation: String) {
        if violations.count < 20 { violations.append(violation) }
    }

    // MARK: - Sends

    /// A machine passes a request to its transport.
    mutating func issue(_ order: SendOrder, by worker: WorkerID, at time: Int) {
        let unit = order.unit.number
        for _ in order.requests { issues.append(time) }
        while issues[oldestIssue] <= time - 60_000_000_000 { oldestIssue += 1 }
        if issues.count - oldestIssue > rules.quota {
            report("\(issues.count - oldestIssue) sends in 60 s at \(time)")
        }
        // Registrations that are replaced after a failover keep no unit.
        if rules.clockIsSteady, !hasFailedOver, let owner = owners[unit], owner != worker {
            report("unit \(unit) is sent by a former owner at \(time)")
        }
    }

    /// How long marks that a failover lost may be sent.
    private static let noticing = 30_000_000_000

    mutating func failOver(at time: Int) {
        hasFailedOver = true
        openFrom = time + Self.noticing
    }

    /// What was open before or just after a failover may stay so, and no longer counts.
    private mutating func forgetOpen() {
        for place in departures.keys {
            departures[place] = departures[place]?.map { departure in
                var departure = departure
                departure.isRecorded = true
                return departure
            }
        }
        openCount = 0
        openFrom = nil
    }

    mutating func leave(unit: Int, request: Int, _ departure: Departure, at time: Int) {
        if let openFrom, time >= openFrom { forgetOpen() }
        sends += 1
        departures[Place(unit: unit, request: request), default: []].append(departure)
        openCount += 1
        if openCount > rules.maximumUnknown, openFrom == nil {
            report("\(openCount) requests are unanswered")
        }
    }

    // MARK: - Tables

    mutating func observe(_ note: ModelServer.Note) {
        switch note {
        case .recorded(let unit, let request, let attempt, let outcome):
            let place = Place(unit: unit, request: request)
            if outcome == .unknown { unknowns[place, default: []].insert(attempt) }
            close(place, attempt: attempt)
        case .takenOver(let unit, let count, let permits):
            if count > permits, !hasFailedOver {
                report("\(count) of unit \(unit) are unknown, with \(permits) permits")
            }
        case .claimed(let unit, let worker): owners[unit] = worker
        case .named(let unit, let mark):
            for request in 0..<mark {
                let place = Place(unit: unit, request: request)
                stored[place] = departures[place]?.count ?? 0
            }
        case .merged(let unit, let request, let attempt):
            update(attempt, of: Place(unit: unit, request: request)) { $0.isMerged = true }
        case .permits(let sum):
            if sum > rules.maximumUnknown { report("\(sum) permits are granted") }
        case .deadlock: report("transactions block each other")
        }
    }

    /// A worker reports that requests below its marks are possibly doubled.
    mutating func excuse(_ units: [MarkedUnit]) {
        for named in units {
            for request in 0..<named.mark {
                let place = Place(unit: named.unit.number, request: request)
                excused[place] = departures[place]?.count ?? 0
            }
        }
    }

    /// A process receives an answer that decides something.
    mutating func receive(_ result: SendResult, by process: Process, at time: Int) {
        let place = Place(unit: result.unit.number, request: result.request)
        update(result.attempt, of: place) { if $0.process == process { $0.receipt = time } }
    }

    private mutating func update(
        _ attempt: Int,
        of place: Place,
        _ body: (inout Departure) -> Void
    ) {
        guard var all = departures[place] else { return }
        for index in all.indices where all[index].attempt == attempt { body(&all[index]) }
        departures[place] = all
    }

    private mutating func close(_ place: Place, attempt: Int) {
        guard var all = departures[place] else { return }
        for index in all.indices where all[index].attempt == attempt && !all[index].isRecorded {
            all[index].isRecorded = true
            openCount -= 1
        }
        departures[place] = all
    }

    // MARK: - The end

    /// How long a worker may take to record an answer, without faults.
    private static let recording = 20_000_000_000

    /// `time`: now.
    mutating func conclude(with database: ModelDatabase, at time: Int) {
        end = time
        for occurrence in database.occurrences where occurrence.state != .open {
            report("occurrence \(occurrence.uncut.number.number) is not divided")
        }
        for case let row? in database.units {
            let isHeld = database.occurrences[row.unit.occurrence.number].isHeld
            if !isHeld, !row.isFinished { report("unit \(row.unit.id.number) does not end") }
            for request in 0..<row.unit.count {
                check(request, of: row, isHeld: isHeld)
            }
        }
    }

    private mutating func check(_ request: Int, of row: UnitRow, isHeld: Bool) {
        let place = Place(unit: row.unit.id.number, request: request)
        let left = departures[place] ?? []
        let outcomes = row.attempts[request]
        let name = "request \(request) of unit \(place.unit)"
        if row.unit.omits(request) {
            if !left.isEmpty || !outcomes.isEmpty { report("\(name) is not left out") }
            return
        }
        let taken = left.filter(\.isAccepted)
        // Released requests of a held occurrence become unknown with the next claim.
        let covered = outcomes.count {
            $0 == .accepted || $0 == .unknown || isHeld && $0 == .released
        }
        // What one lost claim repeated by policy is named with the held occurrence. Lost claims may also
        // have repeated what they had made unknown.
        let repeated = rules.repeatsUnknown ? unknowns[place] ?? [] : []
        let lost = taken.filter { !repeated.contains($0.attempt) }
        let accepted = isHeld ? Set(lost.map(\.claim)).count : taken.count
        let named = request < row.doubledMark ? stored[place] ?? 0 : 0
        let known = max(covered, isHeld ? 1 : 0) + max(named, excused[place] ?? 0)
        if accepted > known { report("\(name) is doubled: \(accepted), recorded \(outcomes)") }
        if !isHeld { checkEnd(outcomes, left, name) }
        checkOrder(outcomes, at: place, name)
        for (index, outcome) in outcomes.enumerated() {
            let attempt = left.filter { $0.attempt == index + 1 }
            if outcome == .accepted, !attempt.contains(where: \.isAccepted) {
                report("\(name) is recorded as accepted")
            }
            if outcome == .rejected, !attempt.contains(where: \.isRejected) {
                report("\(name) is recorded as rejected")
            }
        }
        if !isHeld { checkReceived(left, outcomes, name) }
        let names = Int(row.names[request])
        let needed = outcomes.count { $0 == .accepted }
        if needed > 0, names == 0 { report("\(name) has no message ID") }
    }

    /// An answer that a worker received is recorded, unless the request was released again.
    private mutating func checkReceived(
        _ left: [Departure],
        _ outcomes: [AttemptOutcome],
        _ name: String
    ) {
        for departure in left {
            guard let receipt = departure.receipt, receipt < end - Self.recording,
                !departure.isMerged, !crashed.contains(departure.process),
                departure.attempt == outcomes.count, let last = outcomes.last
            else { continue }
            let answer: AttemptOutcome = departure.isAccepted ? .accepted : .rejected
            if last < answer { report("\(name) was \(answer), recorded \(outcomes)") }
        }
    }

    private mutating func checkEnd(
        _ outcomes: [AttemptOutcome],
        _ left: [Departure],
        _ name: String
    ) {
        switch outcomes.last {
        case .accepted, .rejected, .unknown: break
        case .released, .returned, .refused, nil: report("\(name) is lost: \(outcomes)")
        }
    }

    /// A request is sent again only if the policy allows it.
    private mutating func checkOrder(
        _ outcomes: [AttemptOutcome],
        at place: Place,
        _ name: String
    ) {
        for (index, outcome) in outcomes.dropLast().enumerated() {
            let wasUnknown = unknowns[place]?.contains(index + 1) ?? false
            let mayRepeat = outcome.isRepeatable || rules.repeatsUnknown && wasUnknown
            if !mayRepeat { report("\(name) is sent again after \(outcomes)") }
        }
    }
}
