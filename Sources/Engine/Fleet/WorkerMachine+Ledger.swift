// The transactions that count as commits, one at a time.
extension WorkerMachine {
    private static var retryInterval: Duration { .milliseconds(200) }
    /// The number of former units with which no more are claimed.
    private static var formerLimit: Int { 64 }
    /// The time between claims if nothing was free, and while more is probably free soon.
    private static var claimInterval: Duration { .milliseconds(500) }
    private static var soonerClaim: Duration { .milliseconds(200) }
    /// The time after a claim in which more units are expected: those of some occurrences become free one after
    /// the other.
    private static var expectation: Duration { .seconds(2) }
    private static var leastAhead: Int { 8 }
    /// How long an outcome may wait for others.
    static var recordInterval: Duration { .milliseconds(500) }

    var fence: WorkerFence {
        WorkerFence(worker: id, incarnation: incarnation, commits: commits, timeline: timeline)
    }

    mutating func startLedger(at now: Duration) -> [FleetCommand] {
        guard ledger.isFree, now >= nextAttempt else { return [] }
        guard let (transaction, work) = nextTransaction(at: now) else { return [] }
        return [.perform(transaction, ledger.start(work, at: now))]
    }

    private mutating func nextTransaction(
        at now: Duration
    ) -> (FleetTransaction, LedgerWork)? {
        switch phase {
        case .unregistered:
            return (.register(id, isSynchronous: settings.isSynchronous), .register)
        case .unsettled:
            var tokens: [ClaimToken] = []
            if case .claim(let drawn) = doubtful { tokens = drawn }
            return (.settle(id, claims: tokens), .settle)
        case .unrestored(let timeline):
            return restoration(on: timeline)
        case .active:
            return waitsForStandby ? nil : nextChange(at: now)
        case .leaving, .left:
            return nil
        }
    }

    private mutating func nextChange(at now: Duration) -> (FleetTransaction, LedgerWork)? {
        // Commits can follow each other without a gap, so other changes go first after each.
        if hasCommitted, let change = otherChange(at: now) { return change }
        return commit(at: now) ?? otherChange(at: now)
    }

    private mutating func otherChange(at now: Duration) -> (FleetTransaction, LedgerWork)? {
        hasCommitted = false
        if let late = addLateAnswers() { return late }
        if isDraining {
            // What a failover may lose is remembered until a standby has it.
            let mayLeave = units.isEmpty && formers.isEmpty
            return mayLeave ? (.leave(fence), .leave) : nil
        }
        if let overdue = overdueStraggler(at: now) {
            return (.strikeOff(fence, overdue), .strikeOff)
        }
        guard mayClaim(at: now) else { return nil }
        recalledBeforeClaim = recalled
        let tokens = [ClaimToken(numbers.next())]
        return (.claim(fence, tokens), .claim(tokens))
    }

    /// A commit costs the server as much as hundreds of outcomes, so that it waits until it has many, or
    /// until something waits for it.
    private func mustCommit(at now: Duration) -> Bool {
        let unrecorded = units.reduce(0) { $0 + $1.unrecorded.count }
        let returned = returnedPermits(at: now)
        var lead = OwnedUnit.Lead(ahead)
        let batch = min(ahead, max(1, min(permits, share) * 2 / 7))
        if unrecorded >= settings.ahead || returned > 0 && returned >= min(batch, permits - share) {
            return true
        }
        if units.isEmpty { return returned > 0 }
        if let oldestUnrecorded, now >= oldestUnrecorded + Self.recordInterval { return true }
        let mayRelease = mayWork(at: now) && !isResting(at: now)
        let available = releasable + unrecorded
        for unit in units {
            if unit.isComplete { return true }
            let givesBack = givesBack(unit)
            if givesBack, unit.open.isEmpty { return true }
            guard mayRelease, !givesBack else {
                if unit.hasReady { return true }
                continue
            }
            let waiting = unit.unreleased(&lead, at: now)
            if waiting > 0, available >= min(batch, waiting) { return true }
        }
        return false
    }

    /// The number of requests between the sent ones and the marks: what the slice admits in a second, because
    /// a crash leaves them unknown.
    private var ahead: Int { min(settings.ahead, max(Self.leastAhead, meter.perSecond)) }

    private mutating func commit(at now: Duration) -> (FleetTransaction, LedgerWork)? {
        guard mustCommit(at: now) else { return nil }
        oldestUnrecorded = nil
        var allowance = OwnedUnit.Allowance(
            permits: releasable,
            lead: OwnedUnit.Lead(ahead),
            mayRelease: mayWork(at: now),
            isResting: isResting(at: now),
            now: now
        )
        var changes: [UnitChange] = []
        for index in units.indices {
            let isDraining = givesBack(units[index])
            if let change = units[index].prepare(&allowance, isDraining: isDraining) {
                changes.append(change)
            }
        }
        let returned = returnedPermits(at: now)
        guard !changes.isEmpty || returned > 0 else { return nil }
        hasCommitted = true
        if returned > 0 { permitReturns += 1 }
        return (
            .commit(fence, changes, returnedPermits: returned),
            .commit(changes.map(\.unit), returnedPermits: returned)
        )
    }

    /// The permits above an equal part, and all if the worker has no unit and expects none.
    private func returnedPermits(at now: Duration) -> Int {
        let isIdle = units.isEmpty && (isDraining || !expectsUnits(at: now))
        return min(freePermits, max(0, permits - (isIdle ? 0 : share)))
    }

    /// Whether more units are probably free soon.
    func expectsUnits(at now: Duration) -> Bool {
        lastClaim.map { now < $0 + Self.expectation } ?? false
    }

    /// Whether units are missing and may be claimed.
    ///
    /// What a failover may lose is kept in memory, so it must not grow without limit.
    private func mayClaim(at now: Duration) -> Bool {
        now >= nextClaim && wantsClaim(at: now)
    }

    /// Whether units are missing, and claimed when it is time.
    func wantsClaim(at now: Duration) -> Bool {
        mayWork(at: now) && !isResting(at: now) && units.count < settings.units
            && !hasManyFormers && needsUnit
    }

    /// Whether little is left of the units: a unit that waits here could be sent by another worker.
    private var needsUnit: Bool {
        units.reduce(0) { $0 + (givesBack($1) ? 0 : $1.wanted) } < 4 * settings.ahead
    }

    /// Whether so many units wait for a standby that no more are claimed.
    var hasManyFormers: Bool { formers.count >= Self.formerLimit }

    // MARK: - Failures

    mutating func take(_ failure: FleetFailure, of ticket: FleetTicket, at now: Duration) {
        switch ticket.lane {
        case .beats:
            if beats.end(ticket) != nil { retryBeat(at: now) }
        case .slices:
            if slices.end(ticket) != nil { asks.missAnswer() }
        case .ledger:
            guard let work = ledger.end(ticket) else { return }
            nextAttempt = now + Self.retryInterval
            fail(work, with: failure)
        case .writer: break
        }
    }

    private mutating func fail(_ work: LedgerWork, with failure: FleetFailure) {
        switch (work, failure) {
        case (.register, _): break
        case (.settle, .inDoubt): hasDoubtfulSettle = true
        case (.settle, _): break
        case (_, .inDoubt):
            doubtful = work
            phase = .unsettled
        case (_, .notCommitted):
            revert(work)
        case (_, .fenced):
            revert(work)
            phase = .unsettled
        }
    }

    private mutating func revert(_ work: LedgerWork) {
        switch work {
        case .commit(let changed, _):
            for index in units.indices where changed.contains(units[index].unit.id) {
                units[index].revertPending()
            }
            oldestUnrecorded = .zero
        case .claim, .register, .lateAnswers, .settle, .restore, .strikeOff, .leave: break
        }
    }

    // MARK: - Answers

    mutating func take(_ answer: FleetAnswer, to ticket: FleetTicket, at now: Duration) {
        switch ticket.lane {
        case .beats:
            let begun = beats.begin
            guard let former = beats.end(ticket), case .beat(let beat) = answer else { return }
            takeBeat(beat, begun: begun, by: former, at: now)
        case .slices:
            let begun = slices.begin
            guard let ask = slices.end(ticket), case .asked(let server, let slice) = answer else {
                return
            }
            takeSlice(slice, of: server, after: ask, begun: begun, at: now)
        case .ledger:
            let begun = ledger.begin
            guard let work = ledger.end(ticket) else { return }
            complete(work, with: answer, begun: begun, at: now)
        case .writer: break
        }
    }

    private mutating func complete(
        _ work: LedgerWork,
        with answer: FleetAnswer,
        begun: Duration,
        at now: Duration
    ) {
        switch answer {
        case .registered(let server): register(server, begun: begun, at: now)
        case .committed(let server, let lost):
            commits += 1
            apply(work, lost: Set(lost), at: server.position)
            take(server)
        case .claimed(let server, let claims):
            commits += 1
            if !claims.isEmpty { lastClaim = now }
            if claims.isEmpty {
                nextClaim = now + (expectsUnits(at: now) ? Self.soonerClaim : Self.claimInterval)
            }
            add(claims, at: server.position)
            take(server)
        case .lateAnswersAdded(let server, let dropped):
            commits += 1
            if dropped > 0 { notices.append(.droppedAnswers(dropped)) }
            apply(work, lost: [], at: server.position)
            take(server)
        case .struckOff(let server):
            commits += 1
            apply(work, lost: [], at: server.position)
            take(server)
        case .left(let server):
            safe = max(safe, server.safe)
            leave(after: server.position)
        case .settled(let server, let row): settle(server, row, at: now)
        case .restored(let server, let taken):
            guard case .restore(let timeline, let isLast) = work else { return }
            restored(timeline, isLast: isLast, taken: taken, server)
        case .beat, .asked, .writer, .divided, .omitted, .cut, .opened, .writerEnded: break
        }
    }

    mutating func add(_ claims: [ClaimedUnit], at position: LogPosition) {
        // An earlier claim of the same unit was taken over before this worker noticed it.
        let ids = Set(claims.map(\.unit.id))
        lose(ids, at: position)
        // Units of recalled occurrences cannot be claimed, so these were entrusted again. A recall that was
        // noticed later may be later than a claim whose answer is late.
        recalled.subtract(recalledBeforeClaim.intersection(claims.map(\.unit.occurrence)))
        for index in formers.indices where ids.contains(formers[index].unit) {
            formers[index].reclaim()
        }
        for claim in claims {
            let repeats = settings.repeatsUnknown
            units.append(OwnedUnit(claim, repeatsUnknown: repeats))
        }
    }

    /// Ends a transaction as committed.
    mutating func apply(_ work: LedgerWork, lost: Set<WorkUnitID>, at position: LogPosition) {
        switch work {
        case .commit(let changed, let returned):
            permits -= returned
            // Answers from between the request and now do not count either.
            if returned > 0 { permitReturns += 1 }
            lose(lost, at: position)
            if !lost.isEmpty { notices.append(.lost(lost.sorted())) }
            for index in units.indices where changed.contains(units[index].unit.id) {
                end(at: index, at: position)
            }
            units.removeAll { $0.isOver }
        case .lateAnswers:
            for index in formers.indices { formers[index].addedLateAnswers(at: position) }
        case .strikeOff:
            straggler?.worker = nil
            nextBeat = .zero
        case .register, .claim, .settle, .restore, .leave: break
        }
    }

    private mutating func end(at index: Int, at position: LogPosition) {
        let ending = units[index].pending?.ending
        units[index].commitPending()
        guard let ending else { return }
        units[index].end()
        let holding: RestoredUnit.Holding = ending == .finished ? .finished : .former
        formers.append(FormerUnit(units[index], holding: holding, at: position))
    }
}
