import Fleet

/// What goes wrong in one run of the simulation, and how much.
package struct FleetScenario: Sendable {
    var seed: UInt64
    var fault: FleetFault?
    var workers = 100
    var occurrences = 3
    var requests = 1_200
    var unitSize = 20
    /// Sends in any 60 s.
    var quota = 3_000
    var permits = 400
    var units = 2
    var repeatsUnknown = false
    var isSynchronous = false
    /// From a commit to its arrival at the standby, in milliseconds.
    var lag = 30
    var crashes = 0
    var pauses = 0
    /// In milliseconds.
    var pauseLengths = 2_000...120_000
    var partitions = 0
    var drains = 0
    var failovers = 0
    /// The milliseconds before a failover from which on the standby receives nothing.
    var cutLengths = 0...0
    /// The milliseconds for which a promoted server has no standby.
    var standbyReturns = 0...0
    /// Failovers that another one follows before or just after the standby is there, in millionths.
    var repeatedFailovers = 0
    /// The number of workers that end with each failover.
    var lostWithFailover = 0
    var clockJumps = 0
    var recalls = 0
    /// The number of times that workers are told to rest.
    var limits = 0
    /// Whether the service also takes finished units of occurrences that it has not recalled.
    var collects = false
    /// In millionths of all transactions.
    var lostRequests = 0
    var lostAnswers = 0
    /// The same for beats and requests for slices.
    var lostPulses = 5_000
    var lateArrivals = 0
    /// Transactions that reach the former primary after their process has noticed a failover.
    var formerAnswers = 0
    var warnings = 0
    /// How long a transaction and its answer are on their way at least, in milliseconds each.
    var latency = 0
    /// How long a transaction waits for locks and the disk, in milliseconds.
    var executions = 1...8
    /// In milliseconds.
    var answerTimes = 50...500
    var slowAnswers = 20_000
    var otherWriting = false
    /// When troubles happen, in milliseconds.
    var troubles = 4_000...120_000

    init(seed: UInt64) { self.seed = seed }

    /// A scenario with troubles of all kinds.
    package static func random(seed: UInt64) -> Self {
        var random = SimulatedRandomness(seed: seed)
        var scenario = Self(seed: seed)
        scenario.occurrences = random.number(in: 1...4)
        scenario.requests = random.number(in: 600...2_400)
        scenario.unitSize = random.number(in: 8...40)
        scenario.quota = random.number(in: 900...3_000)
        scenario.permits = random.number(in: 150...900)
        scenario.units = random.number(in: 1...3)
        scenario.repeatsUnknown = random.chance(400_000)
        scenario.isSynchronous = random.chance(500_000)
        scenario.lag = random.number(in: 5...400)
        scenario.crashes = random.number(in: 0...2)
        scenario.pauses = random.number(in: 0...5)
        scenario.partitions = random.number(in: 0...4)
        scenario.drains = random.number(in: 0...6)
        scenario.failovers = max(0, random.number(in: -1...2))
        scenario.cutLengths = random.chance(500_000) ? 0...4_000 : 0...0
        // If the clock jumps just before a failover that loses commits, a lost takeover goes unnoticed.
        let mayJump = scenario.isSynchronous || scenario.failovers == 0
        scenario.clockJumps = mayJump && random.chance(300_000) ? 1 : 0
        scenario.lostRequests = random.number(in: 0...8_000)
        scenario.lostAnswers = random.number(in: 0...8_000)
        scenario.lateArrivals = random.number(in: 0...5_000)
        scenario.warnings = scenario.isSynchronous ? random.number(in: 0...10_000) : 0
        scenario.otherWriting = random.chance(300_000)
        scenario.formerAnswers = random.chance(300_000) ? 20_000 : 0
        scenario.recalls = max(0, random.number(in: -2...5))
        scenario.collects = random.chance(500_000)
        scenario.limits = random.number(in: 0...8)
        scenario.standbyReturns = random.chance(500_000) ? 0...6_000 : 0...0
        scenario.repeatedFailovers = random.chance(300_000) ? 500_000 : 0
        scenario.lostPulses = random.chance(200_000) ? 100_000 : 5_000
        scenario.latency = random.chance(100_000) ? 250 : 0
        return scenario
    }

    /// A scenario that is made for a fault, without the fault.
    package static func schedule(for fault: FleetFault, seed: UInt64) -> Self {
        var scenario = random(seed: seed)
        scenario.clockJumps = 0
        scenario.lostPulses = 5_000
        scenario.latency = 0
        switch fault {
        case .claimsWithoutLocks: break
        case .takeoverReadsOldSnapshot:
            scenario.executions = 1...900
            scenario.pauses = 120
            scenario.pauseLengths = 14_500...17_000
            scenario.failovers = 0
            scenario.repeatsUnknown = true
            scenario.quota = 900
        case .trustsStoppedClock:
            scenario.pauses = 60
            scenario.pauseLengths = 20_000...60_000
            scenario.failovers = 0
            scenario.quota = 900
        case .keepsLocksOfFrozenTransactions:
            scenario.crashes = 60
            scenario.executions = 1...300
        case .sendsBeforeAnswer, .repeatsFromMemory:
            scenario.crashes = 60
            scenario.lostRequests = 20_000
        case .looksUpBySelect:
            scenario.workers = 12
            scenario.failovers = 0
            scenario.lateArrivals = 150_000
            scenario.lostAnswers = 150_000
        case .acceptsWarnings, .keepsSettingsInSession:
            scenario.isSynchronous = true
            scenario.warnings = 300_000
            scenario.failovers = 3
            scenario.cutLengths = 3_000...6_000
            scenario.lostWithFailover = 60
            scenario.requests = 3_000
            scenario.quota = 1_500
        case .acceptsOutdatedAnswers:
            scenario.repeatsUnknown = true
            scenario.pauses = 60
            scenario.pauseLengths = 16_000...40_000
            scenario.slowAnswers = 400_000
        case .storesNamesApart: scenario.crashes = 40
        case .forgetsOldSlices: scenario.failovers = 0
        case .returnsPermitsByTime:
            scenario.failovers = 0
            scenario.pauses = 60
            scenario.permits = 150
            scenario.quota = 3_000
        case .readsTimelineOfCheckpoint, .claimsBeforeConfirmation:
            scenario.isSynchronous = false
            scenario.failovers = 2
            scenario.cutLengths = 1_000...4_000
            scenario.pauses = 20
        case .ignoresStandby:
            scenario.isSynchronous = false
            scenario.failovers = 2
            scenario.cutLengths = 6_000...9_000
            scenario.crashes = 0
            scenario.pauses = 0
            // Many workers register within the lost time, and few of the others end in it.
            scenario.drains = 250
            scenario.lostWithFailover = 2
            scenario.requests = 3_000
            scenario.quota = 1_500
        case .strikesOffSilently:
            scenario.isSynchronous = false
            scenario.failovers = 1
            scenario.cutLengths = 1_000...4_000
            scenario.lostWithFailover = 30
        case .forgetsNamesEarly:
            scenario.isSynchronous = false
            scenario.failovers = 2
            scenario.cutLengths = 1_000...4_000
        case .countsMissingStandby:
            scenario.isSynchronous = false
            scenario.failovers = 2
            scenario.standbyReturns = 2_000...6_000
            scenario.repeatedFailovers = 1_000_000
            scenario.requests = 3_000
            scenario.quota = 1_500
        case .raisesShareLocks: scenario.otherWriting = true
        case .hidesRecalls, .claimsIgnoreRecalls, .withdrawsFromTheLiving, .storesFormerDivision,
            .withdrawsWithoutFence, .withdrawsBeforeConfirmation, .hidesLosses:
            scenario.recall(for: fault)
        }
        return scenario
    }

    private mutating func recall(for fault: FleetFault) {
        recalls = 12
        quota = 900
        switch fault {
        case .withdrawsWithoutFence:
            failovers = 0
            clockJumps = 12
            slowAnswers = 400_000
        case .hidesLosses:
            // Occurrences of one unit leave the fleet between two answers to requests for slices, while
            // slow workers claim and commit nothing.
            failovers = 0
            clockJumps = 80
            workers = 12
            occurrences = 30
            requests = 900
            unitSize = 40
            recalls = 300
            quota = 300
            slowAnswers = 900_000
            lostPulses = 200_000
            limits = 0
        case .withdrawsBeforeConfirmation:
            isSynchronous = false
            failovers = 3
            cutLengths = 2_000...4_000
            recalls = 60
            // Some workers have not confirmed when units are withdrawn.
            pauses = 60
            pauseLengths = 5_000...40_000
            requests = 3_000
            quota = 1_500
        case .storesFormerDivision:
            occurrences = 40
            requests = 4_000
            recalls = 80
        default: failovers = 0
        }
    }

    /// In millionths.
    func lostAnswers(of lane: FleetTicket.Lane) -> Int {
        switch lane {
        case .ledger: lostAnswers
        case .beats, .slices: lostPulses
        case .writer: 5_000
        }
    }

    /// The same scenario with a fault.
    package func with(_ fault: FleetFault) -> Self {
        var scenario = self
        scenario.fault = fault
        return scenario
    }
}
