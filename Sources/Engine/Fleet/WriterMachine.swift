/// Becomes the writer, divides occurrences, the quota and the permits, without a clock or a socket.
///
/// Every worker has one; at most one is the writer. After a drain it ends
/// its lease. Its transactions use the lane of the writer and are
/// checked against epoch and token of the writer's row.
package struct WriterMachine: Sendable {
    package struct Settings: Hashable, Sendable {
        /// Sends in any 60 s.
        package let quota: Int
        /// `max_unknown`.
        package let permits: Int
        /// The number of requests of a work unit.
        package let unitSize: Int

        package init(
            quota: Int,
            permits: Int,
            unitSize: Int = WorkUnit.standardCount
        ) {
            self.quota = quota
            self.permits = permits
            self.unitSize = unitSize
        }
    }

    private enum Work: Sendable {
        case take
        case divide
        case read(OccurrenceNumber)
        case cut(OccurrenceNumber)
        case open(OccurrenceNumber)
        case end
    }

    private let settings: Settings
    private var numbers: DrawnNumbers
    private var fence: ClaimFence?
    private var lane = FleetLane<Work>(.writer)
    private var next = Duration.zero
    private var nextDivision = Duration.zero
    /// Whether an occurrence was cut or opened since the last division.
    private var hasCut = false
    private var isDraining = false
    private var wait = StandbyWait()
    private var notices: [FleetNotice] = []
    /// Nil until a division has read how long slices of former writers count.
    private var divider: QuotaDivider?
    private var roundTrip = RoundTrip()
    /// Whether the writer's row must be taken before the next transaction.
    private var mustTake = true
    private var pool: PermitPool
    private var cuts: [CutMachine] = []
    private var grants: [Grant] = []
    private var timeline: Timeline?
    private var safe = LogPosition(0)
    /// The last request of each worker that was divided for.
    private var answered: [WorkerID: Int] = [:]

    /// `seed`: 64 random bits, different for each process.
    package init(_ settings: Settings, seed: UInt64) {
        self.settings = settings
        numbers = DrawnNumbers(seed: seed)
        pool = PermitPool(stock: settings.permits)
    }

    /// Whether this worker was the writer at its last transaction.
    package var isWriter: Bool { fence != nil }

    /// Whether the machine does nothing any more after a drain.
    package var hasEnded: Bool { isDraining && fence == nil && lane.isFree }

    package mutating func receive(_ event: FleetEvent, at now: Duration) -> [FleetCommand] {
        switch event {
        case .time, .sent, .limited: break
        case .drain: isDraining = true
        case .answered(let ticket, let answer):
            if let work = lane.end(ticket) {
                roundTrip.note(now - lane.begin)
                take(answer, to: work, at: now)
            }
        case .failed(let ticket, let failure):
            if let work = lane.end(ticket) { take(failure, of: work, at: now) }
        }
        return advance(at: now)
    }

    private mutating func advance(at now: Duration) -> [FleetCommand] {
        var commands = notices.map(FleetCommand.report)
        notices = []
        guard lane.isFree, !hasEnded else { return commands }
        if let (transaction, work) = nextTransaction(at: now) {
            commands.append(.perform(transaction, lane.start(work, at: now)))
        } else {
            let time = mustTake || isDraining ? next : max(next, nextDivision)
            commands.append(.wake(at: max(time, now + .milliseconds(1))))
        }
        return commands
    }

    private mutating func nextTransaction(at now: Duration) -> (FleetTransaction, Work)? {
        guard now >= next else { return nil }
        if isDraining { return fence.map { (.endWriter($0), .end) } }
        guard let fence, !mustTake else {
            next = now + LeaseTerms.writerInterval
            let token = ClaimToken(numbers.next())
            return (.takeWriter(token, former: fence, lease: roundTrip.lease), .take)
        }
        // Many cuts must not delay the divisions, because slices end after two seconds. If an answer takes
        // longer than the time between divisions, one transaction of a cut still follows each of them.
        let isDue = now >= nextDivision
        if !hasCut, let cut = nextCut(fence: fence) {
            if isDue { hasCut = true }
            return cut
        }
        guard isDue else { return nil }
        nextDivision = now + LeaseTerms.divisionInterval
        hasCut = false
        defer { grants = [] }
        let terms = WriterTerms(lease: roundTrip.lease, rest: divider?.rest(at: now))
        return (.divide(fence, on: timeline, grants, terms: terms), .divide)
    }

    private mutating func nextCut(fence: ClaimFence) -> (FleetTransaction, Work)? {
        for cut in cuts {
            guard let transaction = cut.next(fence: fence, safe: safe) else { continue }
            let number = cut.occurrence.number
            if case .readOmitted = transaction { return (transaction, .read(number)) }
            hasCut = true
            if case .open = transaction { return (transaction, .open(number)) }
            return (transaction, .cut(number))
        }
        return nil
    }

    private mutating func take(_ failure: FleetFailure, of work: Work, at now: Duration) {
        if case .end = work, failure != .notCommitted {
            // The lease ends by itself.
            fence = nil
            return
        }
        switch failure {
        case .notCommitted: next = now + LeaseTerms.divisionInterval
        case .fenced: lose(at: now)
        case .inDoubt:
            // A new token ends transactions that are still in the network.
            resign(at: now)
        }
    }

    private mutating func resign(at now: Duration) {
        mustTake = true
        cuts = []
        grants = []
        next = now + LeaseTerms.divisionInterval
    }

    private mutating func take(_ answer: FleetAnswer, to work: Work, at now: Duration) {
        switch answer {
        case .writer(let server, let fence):
            if let fence { begin(fence, server, at: now) } else { lose(at: now) }
        case .divided(let division):
            if let division { divide(division, at: now) } else { lose(at: now) }
        case .omitted(let server, let omitted):
            guard case .read(let number) = work else { return }
            for index in cuts.indices where cuts[index].occurrence.number == number {
                cuts[index].read(omitted)
            }
            take(server, at: now)
        case .cut(let server):
            guard case .cut(let number) = work else { return }
            for index in cuts.indices where cuts[index].occurrence.number == number {
                cuts[index].stored(at: server.position)
            }
            take(server, at: now)
        case .opened(let server):
            guard case .open(let number) = work else { return }
            cuts.removeAll { $0.occurrence.number == number }
            take(server, at: now)
        case .writerEnded: fence = nil
        case .registered, .beat, .asked, .committed, .claimed, .lateAnswersAdded, .settled,
            .restored, .struckOff, .left:
            break
        }
    }

    private mutating func begin(_ new: ClaimFence, _ server: ServerState, at now: Duration) {
        guard server.timeline >= timeline ?? server.timeline else {
            // A former primary answered.
            resign(at: now)
            return
        }
        let isSameTime = timeline == server.timeline
        // Without another writer in between, all valid slices are known.
        let knowsSlices = isSameTime && fence.map { $0.epoch + 1 == new.epoch } ?? false
        if !knowsSlices {
            divider = nil
            answered = [:]
        }
        if !isSameTime { safe = LogPosition(0) }
        timeline = server.timeline
        safe = max(safe, server.safe)
        fence = new
        mustTake = false
        next = now
        nextDivision = now
    }

    private mutating func lose(at now: Duration) {
        fence = nil
        divider = nil
        resign(at: now)
        next = now + LeaseTerms.writerInterval
    }

    /// After a failover, cuts may be lost, so they are read again.
    private mutating func take(_ server: ServerState, at now: Duration) {
        if timeline == server.timeline {
            safe = max(safe, server.safe)
        } else {
            resign(at: now)
        }
    }

    private mutating func divide(_ division: DivisionAnswer, at now: Duration) {
        take(division.server, at: now)
        guard !mustTake else { return }
        let known = Set(cuts.map(\.occurrence.number))
        for uncut in division.uncut where !known.contains(uncut.number) {
            let position = division.server.position
            cuts.append(CutMachine(uncut, size: settings.unitSize, position: position))
        }
        if divider == nil {
            // A restart of the server can lose the last divisions.
            let rest = max(division.rest, QuotaDivider.validity)
            divider = QuotaDivider(quota: settings.quota, start: now + rest)
        }
        let isWaiting = cuts.contains { $0.waits(for: safe) }
        if wait.mustReport(isWaiting: isWaiting, at: now) { notices.append(.waitsForStandby) }
        grants = grants(for: division, at: now)
    }

    private mutating func grants(for division: DivisionAnswer, at now: Duration) -> [Grant] {
        let asking = division.rows.compactMap { row in row.request.map { (row.worker, $0) } }
        let new = asking.filter { answered[$0.0] != $0.1.number }
        let heights = divider?.divide(among: new, of: asking.count, arrival: now) ?? [:]
        let idle = division.rows.reduce(0) { $0 + ($1.request == nil ? $1.permits : 0) }
        let share = pool.share(of: asking.count, besides: idle)
        var added: [WorkerID: Int] = [:]
        if division.isConfirmed {
            added = pool.grants(
                held: division.rows.map { ($0.worker, $0.permits) },
                wanted: new.map { ($0.0, min($0.1.wanted, share)) }
            )
        }
        for (worker, request) in new { answered[worker] = request.number }
        return new.map { worker, request in
            Grant(
                to: worker,
                number: request.number,
                height: heights[worker] ?? 0,
                permits: added[worker] ?? 0,
                share: share
            )
        }
    }
}
