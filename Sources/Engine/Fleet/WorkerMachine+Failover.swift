// Registration, commits in doubt, failovers, and the end.
extension WorkerMachine {
    mutating func register(_ server: ServerState, begun: Duration, at now: Duration) {
        guard isCurrent(server, at: now) else { return }
        timeline = server.timeline
        safe = server.safe
        // A failover must not lose the registration of a worker that may have sent.
        gate = server.position
        trust.renew(from: begun)
        if restoresRegistration { restore(on: server.timeline) } else { phase = .active }
        nextBeat = begun + .seconds(1)
    }

    /// Continues with what the server has about this worker; no earlier commit can happen any more.
    mutating func settle(_ server: ServerState, _ row: SettledWorker?, at now: Duration) {
        // A former primary does not have what was committed since the failover.
        guard isCurrent(server, at: now) else { return }
        let work = doubtful
        doubtful = nil
        guard let row else {
            if let work { end(work, isCommitted: false, row: nil, at: server.position) }
            registerAgain(after: server)
            return
        }
        incarnation = row.incarnation
        losses = row.losses
        // A failover must not bring back the mark of a suspect after the worker sent again. An earlier
        // settlement without an answer may have removed that mark.
        if row.wasSuspect || hasDoubtfulSettle { mustReachStandby = true }
        let isCommitted = work != nil && row.commits == commits + 1
        if let work { end(work, isCommitted: isCommitted, row: row, at: server.position) }
        // A registration may be older than the answer to its repetition.
        let isLost = row.confirmed != timeline || row.commits < commits
        if server.timeline != timeline || isLost {
            notices.append(.failover(server.timeline))
            if !trust.isValid(at: now) { giveUp(.abandoned, at: server.position) }
            restore(on: server.timeline)
        } else if restoresRegistration || work.map(\.isRestoration) ?? false {
            // The answer names the units that others have. A repetition changes nothing else.
            restore(on: server.timeline)
        } else {
            resume(server, row)
        }
    }

    /// Continues without a restoration.
    private mutating func resume(_ server: ServerState, _ row: SettledWorker) {
        phase = .active
        safe = max(safe, server.safe)
        if mustReachStandby { gate = server.position }
        mustReachStandby = false
        loseUnits(missingFrom: row, at: server.position)
        // Takeovers that this worker did not notice have lowered it.
        permits = row.permits
        permitReturns += 1
    }

    /// Whether an answer is from the primary; a former one is reported once, and tried again later.
    private mutating func isCurrent(_ server: ServerState, at now: Duration) -> Bool {
        let isCurrent = server.timeline >= newestTimeline
        if !isCurrent {
            nextAttempt = now + .seconds(1)
            if !isAtFormerPrimary { notices.append(.formerPrimary(server.timeline)) }
        }
        newestTimeline = max(newestTimeline, server.timeline)
        isAtFormerPrimary = !isCurrent
        return isCurrent
    }

    /// Begins to restore everything that is remembered.
    private mutating func restore(on timeline: Timeline) {
        for index in formers.indices { formers[index].note(isRestored: false) }
        taken = []
        phase = .unrestored(timeline)
    }

    private mutating func end(
        _ work: LedgerWork,
        isCommitted: Bool,
        row: SettledWorker?,
        at position: LogPosition
    ) {
        switch work {
        case .commit(let changed, _):
            guard isCommitted, let row else {
                for index in units.indices where changed.contains(units[index].unit.id) {
                    units[index].revertPending()
                }
                return
            }
            commits += 1
            apply(work, lost: lostUnits(among: changed, row), at: position)
        case .claim:
            guard isCommitted, let row else { return }
            commits += 1
            add(row.claims, at: position)
        case .lateAnswers, .strikeOff:
            guard isCommitted else { return }
            commits += 1
            apply(work, lost: [], at: position)
        case .register, .settle, .restore, .leave: break
        }
    }

    /// The changed units whose claim was not current, so that their change was not made.
    private func lostUnits(among changed: [WorkUnitID], _ row: SettledWorker) -> Set<WorkUnitID> {
        let ended = units.filter { $0.pending?.ending != nil }.map(\.unit.id)
        let current = units.filter { row.units[$0.unit.id] == $0.fence }.map(\.unit.id)
        return Set(changed).subtracting(current).subtracting(ended)
    }

    private mutating func loseUnits(missingFrom row: SettledWorker, at position: LogPosition) {
        let lost = units.filter { row.units[$0.unit.id] != $0.fence }.map(\.unit.id)
        lose(Set(lost), at: position)
        if !lost.isEmpty { notices.append(.lost(lost)) }
    }

    /// The row was removed: every unit was taken over, or a failover lost the registration.
    private mutating func registerAgain(after server: ServerState) {
        if isDraining, units.isEmpty, formers.isEmpty {
            // A failover must not bring the row back.
            timeline = server.timeline
            safe = server.safe
            leave(after: server.position)
            return
        }
        notices.append(.struckOff)
        // Without a failover, the takeover has seen everything that this worker committed.
        let holding: RestoredUnit.Holding =
            server.timeline == timeline ? .former : .abandoned
        giveUp(holding, at: server.position)
        id = WorkerID(numbers.next())
        incarnation = 1
        commits = 0
        permits = 0
        losses = 0
        permitReturns += 1
        asks.forget()
        gate = nil
        hasDoubtfulSettle = false
        trust.clear()
        restoresRegistration = true
        mustReachStandby = false
        phase = .unregistered
    }

    private mutating func giveUp(_ holding: RestoredUnit.Holding, at position: LogPosition) {
        for index in units.indices {
            units[index].revertPending()
            formers.append(FormerUnit(units[index], holding: holding, at: position))
        }
        units = []
    }

    /// Takes the answer to a part of a restoration.
    mutating func restored(
        _ timeline: Timeline,
        isLast: Bool,
        taken new: [WorkUnitID],
        _ server: ServerState
    ) {
        taken.formUnion(new)
        if isLast {
            confirm(timeline, server)
        } else {
            for index in formers.indices where restoring.contains(formers[index].fence) {
                formers[index].note(isRestored: true)
            }
        }
        restoring = []
    }

    private mutating func confirm(_ timeline: Timeline, _ server: ServerState) {
        nameTaken()
        let isNew = timeline != self.timeline
        self.timeline = timeline
        if isNew { safe = server.safe }
        phase = .active
        straggler = nil
        noteRestored(at: server.position)
        gate = mustReachStandby || restoresRegistration ? server.position : nil
        mustReachStandby = false
        restoresRegistration = false
        lose(taken, at: server.position)
        taken = []
        permits = units.reduce(0) { $0 + $1.outstanding }
        permitReturns += 1
        // The failover may have brought back a request that was answered.
        wantingAsk = asks.last
        take(server)
    }

    /// Reports the requests that other workers may have sent, too.
    private mutating func nameTaken() {
        guard !taken.isEmpty else { return }
        let owned = units.map { MarkedUnit($0.unit.id, mark: $0.mark) }
        let former = formers.filter(\.isAbandoned).map { MarkedUnit($0.unit, mark: $0.mark) }
        notices.append(.possiblyDoubled((owned + former).filter { taken.contains($0.unit) }))
    }

    private mutating func noteRestored(at position: LogPosition) {
        for index in formers.indices { formers[index].restored(at: position) }
    }

    /// Waits until a standby has the removal of the row.
    mutating func leave(after position: LogPosition) {
        gate = position
        phase = .leaving
        nextBeat = .zero
        if safe >= position { leave() }
    }

    mutating func leave() {
        phase = .left
        notices.append(.left)
    }
}
