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
        /// When it left.
        let time: Int
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

    struct Place: Hashable {
        let unit: Int
        let request: Int
    }

    let rules: Rules
    private(set) var violations: [String] = []
    var departures: [Place: [Departure]] = [:]
    /// The acceptances that a worker reported as possibly doubled.
    var excused: [Place: Int] = [:]
    /// Those that were stored as such; a failover may have lost that.
    var stored: [Place: Int] = [:]
    /// The attempts that were unknown at some time.
    var unknowns: [Place: Set<Int>] = [:]
    private var issues: [Int] = []
    private var oldestIssue = 0
    private var owners: [Int: WorkerID] = [:]
    private var openCount = 0
    private(set) var sends = 0
    var hasFailedOver = false
    /// When open requests are counted again after a failover.
    private var openFrom: Int?
    /// The processes that ended without recording what they had received.
    var crashed: Set<Process> = []
    var end = 0
    /// When the occurrence of each unit was recalled.
    var recalls: [Int: Int] = [:]
    /// The units that a recall finished.
    var withdrawn: Set<Int> = []
    var limits: [Process: Limit] = [:]

    init(_ rules: Rules) { self.rules = rules }

    mutating func report(_ violation: String) {
        if violations.count < 20 { violations.append(violation) }
    }

    // MARK: - Sends

    /// A machine passes a request to its transport.
    mutating func issue(
        _ order: SendOrder,
        by worker: WorkerID,
        in process: Process,
        at time: Int
    ) {
        checkRecall(of: order.unit.number, at: time)
        checkLimit(order.requests.count, of: process, at: time)
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
        case .changed(let unit):
            if withdrawn.contains(unit) { report("unit \(unit) is changed after its withdrawal") }
        case .withdrawn(let unit): withdrawn.insert(unit)
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
}
