/// Coordinates one worker with the others over PostgreSQL, without a clock, a socket or randomness.
///
/// A driver performs its commands and reports their results, with the time of a monotonic clock.
///
/// - Invariant: A request is sent only after the answer to the commit that released this attempt.
package struct WorkerMachine: Sendable {
    package struct Settings: Hashable, Sendable {
        /// The number of units that the worker has at the same time.
        package let units: Int
        /// The number of requests between the sent ones and the mark.
        package let ahead: Int
        /// The number of requests that may be open.
        package let maximumOpen: Int
        /// Whether requests of claimed units with an unknown outcome are sent again.
        package let repeatsUnknown: Bool
        /// Whether the driver reports only commits that a synchronous standby has.
        package let isSynchronous: Bool
        /// The number of former units that one transaction restores.
        package let restoredUnits: Int

        package init(
            units: Int,
            ahead: Int,
            maximumOpen: Int,
            repeatsUnknown: Bool,
            isSynchronous: Bool,
            restoredUnits: Int = 16
        ) {
            self.units = units
            self.ahead = ahead
            self.maximumOpen = maximumOpen
            self.repeatsUnknown = repeatsUnknown
            self.isSynchronous = isSynchronous
            self.restoredUnits = restoredUnits
        }
    }

    enum Phase: Hashable, Sendable {
        /// The worker has no row.
        case unregistered
        case active
        /// What the server has about the worker must be read before anything else.
        case unsettled
        /// The server has this timeline, or lost commits, and the units must be restored.
        case unrestored(Timeline)
        /// The row is removed; a standby may not have that yet.
        case leaving
        case left
    }

    /// A transaction of the ledger's lane.
    enum LedgerWork: Sendable {
        case register
        case commit([WorkUnitID], returnedPermits: Int)
        case claim([ClaimToken])
        case lateAnswers
        case settle
        case restore(Timeline, isLast: Bool)
        case strikeOff
        case leave

        var isRestoration: Bool { if case .restore = self { true } else { false } }
    }

    /// What a worker remembers of a request for a slice.
    struct SliceAsk: Sendable {
        /// The number of returns of permits before the request.
        let permitReturns: Int
        /// The number of answers 429 before the request.
        let throttles: Int
    }

    let settings: Settings
    var numbers: DrawnNumbers
    var phase = Phase.unregistered
    package internal(set) var id: WorkerID
    var incarnation = 1
    var commits = 0
    /// The timeline that this worker has confirmed.
    var timeline = Timeline(0)
    /// What a standby has, on that timeline.
    var safe = LogPosition(0)
    /// Nothing is committed before a standby has this position.
    var gate: LogPosition?
    /// The transaction whose commit is in doubt.
    var doubtful: LedgerWork?
    /// Whether a settlement of this registration may arrive later, and clear a suspicion then.
    var hasDoubtfulSettle = false
    /// The greatest timeline that an answer told; an older one is that of a former primary.
    var newestTimeline = Timeline(0)
    /// Whether the last settlement or registration reached a former primary.
    var isAtFormerPrimary = false
    /// Whether what is remembered must be restored after the registration.
    var restoresRegistration = false
    /// Whether nothing may be committed before a standby has the settlement.
    var mustReachStandby = false
    /// The units that other workers have, by the answers to the present restoration.
    var taken: Set<WorkUnitID> = []
    /// The former units in the present part of a restoration.
    var restoring: Set<ClaimFence> = []

    var units: [OwnedUnit] = []
    var formers: [FormerUnit] = []
    var permits = 0
    /// The units that others have taken from this registration, as the last settlement tells.
    var losses = 0
    /// Raised when permits are returned or lost, so that answers from before do not count.
    var permitReturns = 0
    /// The last request for a slice for which permits may be granted.
    var wantingAsk = 0
    /// The last request whose grant this worker knows.
    ///
    /// The answer to a request has the grants of earlier ones, because the writer divides later. Answers that arrive
    /// while permits are returned do not count.
    var knownAsk = 0
    var share = Int.max
    var isDraining = false
    /// The occurrences whose units are given back.
    var recalled: Set<OccurrenceNumber> = []
    /// The recalls that were known when the last claim began.
    var recalledBeforeClaim: Set<OccurrenceNumber> = []
    /// Nothing is sent before this time.
    var restEnd = Duration.zero
    /// The number of requests that may be open.
    var openLimit: Int

    var ledger = FleetLane<LedgerWork>(.ledger)
    var beats = FleetLane<Int>(.beats)
    var slices = FleetLane<SliceAsk>(.slices)
    var trust = LeaseTrust()
    var nextBeat = Duration.zero
    var nextClaim = Duration.zero
    /// When the last unit was claimed; nil without any.
    var lastClaim: Duration?
    var nextAttempt = Duration.zero
    var nextAsk = Duration.zero
    var asks = SliceAsks()
    /// The number of answers 429, and how many of them an answered request for a slice has reported.
    var throttles = 0
    var reportedThrottles = 0
    var meter = SliceMeter()
    /// A worker that has not confirmed the timeline, and since when there are such workers; nil after
    /// it was struck off, until the next beat.
    var straggler: (worker: WorkerID?, since: Duration)?
    var wait = StandbyWait()
    /// When the first of the outcomes arrived that no commit has recorded; nil without any.
    var oldestUnrecorded: Duration?
    /// Whether the last change of the ledger was a commit.
    var hasCommitted = false
    var notices: [FleetNotice] = []

    /// `seed`: 64 random bits, different for each process.
    package init(_ settings: Settings, seed: UInt64) {
        self.settings = settings
        openLimit = settings.maximumOpen
        numbers = DrawnNumbers(seed: seed)
        id = WorkerID(numbers.next())
    }

    /// Whether the worker gave back everything and its row is durably removed.
    package var hasLeft: Bool { phase == .left }

    /// The number of requests without an answer, also of units that another worker took over.
    package var open: Int {
        formers.reduce(units.reduce(0) { $0 + $1.open.count }) { $0 + $1.openCount }
    }

    /// The units that the worker has.
    package var owned: [WorkUnitID] { units.map(\.unit.id) }

    package mutating func receive(_ event: FleetEvent, at now: Duration) -> [FleetCommand] {
        receive([event], at: now)
    }

    /// Takes events that arrived together, in order, and returns the commands for all of them.
    package mutating func receive(_ events: [FleetEvent], at now: Duration) -> [FleetCommand] {
        for event in events { take(event, at: now) }
        return advance(at: now)
    }

    private mutating func take(_ event: FleetEvent, at now: Duration) {
        switch event {
        case .time: break
        case .answered(let ticket, let answer): take(answer, to: ticket, at: now)
        case .failed(let ticket, let failure): take(failure, of: ticket, at: now)
        case .sent(let result): take(result, at: now)
        case .limited(let end, let open):
            restEnd = end
            openLimit = min(open, settings.maximumOpen)
        case .drain: isDraining = true
        }
    }

    private mutating func advance(at now: Duration) -> [FleetCommand] {
        var commands = dropFormers()
        let isWaiting = waitsForStandby || hasManyFormers || phase == .leaving
        if wait.mustReport(isWaiting: isWaiting, at: now) { notices.append(.waitsForStandby) }
        commands += startBeat(at: now)
        commands += startLedger(at: now)
        commands += startAsk(at: now)
        sendReady(at: now, into: &commands)
        commands += notices.map(FleetCommand.report)
        notices = []
        if let wake = nextWake(at: now) { commands.append(.wake(at: wake)) }
        return commands
    }

    /// The permits of an equal part that no released request uses.
    var releasable: Int {
        max(0, min(permits, share) - units.reduce(0) { $0 + $1.outstanding })
    }

    /// The permits that no released request uses.
    var freePermits: Int { max(0, permits - units.reduce(0) { $0 + $1.outstanding }) }

    /// Whether requests may be released and sent, and units claimed.
    func mayWork(at now: Duration) -> Bool { phase == .active && trust.isValid(at: now) }

    /// Whether nothing is sent for now.
    func isResting(at now: Duration) -> Bool { now < restEnd }

    /// Whether the units of an occurrence are given back.
    func givesBack(_ unit: OwnedUnit) -> Bool {
        isDraining || recalled.contains(unit.unit.occurrence)
    }

    /// Whether commits must wait for a standby.
    var waitsForStandby: Bool { gate.map { safe < $0 } ?? false }

    /// The last position on which this worker depends is at a standby, so it can be forgotten.
    private mutating func dropFormers() -> [FleetCommand] {
        // Until they are restored, the position may be that of another timeline.
        guard phase == .active else { return [] }
        let safe = safe
        let durable = formers.filter { $0.isDurable(at: safe) }.map(\.unit)
        guard !durable.isEmpty else { return [] }
        formers.removeAll { $0.isDurable(at: safe) }
        // This worker may have claimed a unit again.
        let kept = Set(formers.map(\.unit)).union(units.map(\.unit.id))
        return Set(durable).subtracting(kept).sorted().map(FleetCommand.forget)
    }

    /// Uses what an answer tells about the server.
    mutating func take(_ server: ServerState) {
        newestTimeline = max(newestTimeline, server.timeline)
        if server.timeline > timeline {
            if phase == .active || phase == .leaving { phase = .unsettled }
        } else if server.timeline == timeline {
            safe = max(safe, server.safe)
        }
    }

    /// Notes that another worker has a unit.
    mutating func lose(_ lost: Set<WorkUnitID>, at position: LogPosition) {
        guard units.contains(where: { lost.contains($0.unit.id) }) else { return }
        for index in units.indices where lost.contains(units[index].unit.id) {
            units[index].revertPending()
            permits = max(0, permits - units[index].outstanding)
            formers.append(FormerUnit(units[index], holding: .former, at: position))
        }
        units.removeAll { lost.contains($0.unit.id) }
        permitReturns += 1
    }
}
