import Fleet

/// A fleet of workers over a model of PostgreSQL, with everything that can go wrong.
///
/// The same scenario has the same trace.
package struct FleetSimulation: Sendable {
    /// What one run showed.
    package struct Report: Sendable {
        package let violations: [String]
        package let trace: UInt64
        package let sends: Int
        package let failovers: Int
        /// Whether an occurrence is held at the end.
        package let isHeld: Bool
        /// When everything had ended, in seconds.
        package let duration: Int
    }

    let scenario: FleetScenario
    var random: SimulatedRandomness
    var queue = EventQueue()
    var now = 0
    var server: ModelServer
    /// The primary before the last failover, if there was one.
    var formerServers: [ModelServer] = []
    var processes: [SimulatedProcess] = []
    var requests: [SimulatedRequest] = []
    var sends: [SimulatedSend] = []
    var troubles: [SimulatedTrouble] = []
    var judge: FleetJudge
    var trace = TraceHash()
    /// Raised by each failover; connections to a former server are lost.
    var generation = 0
    var serverStart = 0
    var failovers = 0
    var otherWritingEnd = 0
    /// The number of the next unit of an occurrence that is entrusted again.
    var nextUnit: Int
    /// When the simulation looked for its end, in seconds.
    private var lastLook = 0
    /// When every unit had ended and every process was awake, in nanoseconds.
    private var end: Int?

    /// When a run is too long, in nanoseconds.
    private static let limit = 900_000_000_000

    package init(_ scenario: FleetScenario) {
        self.scenario = scenario
        var random = SimulatedRandomness(seed: scenario.seed ^ 0x5DEE_CE66)
        var occurrences: [OccurrenceRow] = []
        var firstUnit = 0
        for number in 0..<scenario.occurrences {
            let count = max(1, scenario.requests / scenario.occurrences)
            let omitted = (0..<count).filter { _ in random.chance(30_000) }
            let uncut = UncutOccurrence(
                OccurrenceNumber(number),
                count: count,
                firstUnit: firstUnit,
                isStored: false
            )
            occurrences.append(OccurrenceRow(uncut: uncut, omitted: omitted))
            firstUnit += (count + scenario.unitSize - 1) / scenario.unitSize
        }
        self.random = random
        nextUnit = firstUnit
        server = ModelServer(
            ModelServer.Settings(
                isSynchronous: scenario.isSynchronous,
                lag: scenario.lag * 1_000_000,
                hasStandby: true
            ),
            database: ModelDatabase(occurrences: occurrences, units: firstUnit),
            fault: scenario.fault
        )
        judge = FleetJudge(
            FleetJudge.Rules(
                quota: scenario.quota,
                maximumUnknown: scenario.permits,
                repeatsUnknown: scenario.repeatsUnknown,
                clockIsSteady: scenario.clockJumps == 0
            )
        )
    }

    /// Plays the scenario until everything has ended.
    package mutating func run() -> Report {
        for slot in 0..<scenario.workers {
            processes.append(SimulatedProcess(slot: slot))
            queue.add(.start(process: slot), at: random.number(in: 0...3_000) * 1_000_000)
        }
        plan()
        if scenario.otherWriting { queue.add(.otherWriting, at: 1_000_000) }
        if hasService { queue.add(.service, at: 1_000_000_000) }
        while let event = queue.next() {
            now = event.time
            trace.add(now)
            perform(event.kind)
            for note in server.notes { judge.observe(note) }
            server.notes.removeAll(keepingCapacity: true)
            if end == nil, isOver() { end = now }
            // Late answers are recorded, or dropped, before the judge concludes.
            let isSettled = end.map { now > $0 + 60_000_000_000 } ?? false
            if now > Self.limit || !judge.violations.isEmpty || isSettled { break }
        }
        return conclude()
    }

    private var lastTrouble: Int { (scenario.troubles.upperBound + 1) * 1_000_000 }

    /// Looks once a second whether everything has ended.
    private mutating func isOver() -> Bool {
        guard now > max(lastTrouble, serverStart), now / 1_000_000_000 > lastLook else {
            return false
        }
        lastLook = now / 1_000_000_000
        guard processes.allSatisfy({ $0.pauseEnd <= now && $0.partitionEnd <= now }) else {
            return false
        }
        let database = server.database
        if hasService { return database.occurrences.allSatisfy(\.isSettled) }
        for occurrence in database.occurrences where occurrence.state != .open { return false }
        for case let unit? in database.units where !unit.isFinished {
            guard database.occurrences[unit.unit.occurrence.number].isHeld else { return false }
        }
        return true
    }

    private mutating func conclude() -> Report {
        if judge.violations.isEmpty { judge.conclude(with: server.database, at: now) }
        trace.add(judge.sends)
        let isHeld = server.database.occurrences.contains(where: \.isHeld)
        return Report(
            violations: judge.violations,
            trace: trace.value,
            sends: judge.sends,
            failovers: failovers,
            isHeld: isHeld,
            duration: (end ?? now) / 1_000_000_000
        )
    }

    private mutating func perform(_ kind: SimulatedEvent.Kind) {
        switch kind {
        case .arrive(let index): arrive(index)
        case .execute(let index): execute(index)
        case .answer(let index): answer(index)
        case .giveUp(let index): giveUp(index)
        case .wake(let slot, let life): wake(slot, life: life)
        case .leave(let index): leave(index)
        case .result(let index): result(index)
        case .trouble(let index): cause(troubles[index])
        case .start(let slot): start(slot)
        case .otherWriting: writeOther()
        case .service: serve()
        }
    }
}
