// Registration, commits in doubt, failovers, and the end.
extension WorkerMachine {
    mutating func register(_ server: ServerState, begun: Duration) {
        timeline = server.timeline
        safe = server.safe
        // A failover must not lose the registration of a worker that may have sent.
        gate = server.position
        trust.renew(from: begun)
        phase = restoresRegistration ? .unrestored(server.timeline) : .active
        nextBeat = begun + .seconds(1)
    }

    /// Continues with what the server has about this worker; no earlier commit can happen any more.
    mutating func settle(_ server: ServerState, _ row: SettledWorker?, at now: Duration) {
        let work = doubtful
        doubtful = nil
        guard let row else {
            if let work { end(work, isCommitted: false, row: nil, at: server.position) }
            registerAgain(after: server)
            return
        }
        incarnation = row.incarnation
        // A failover must not bring back the mark of a suspect after the worker sent again. An earlier
        // settlement without an answer may have removed that mark.
        if row.wasSuspect || hasDoubtfulSettle { mustReachStandby = true }
        hasDoubtfulSettle = false
        let isRestored = work.map { isRestoration($0, in: row) } ?? false
        let isCommitted = isRestored || work != nil && row.commits == commits + 1
        if let work { end(work, isCommitted: isCommitted, row: row, at: server.position) }
        // A registration may be older than the answer to its repetition.
        guard server.timeline == timeline, row.confirmed == timeline, row.commits >= commits else {
            notices.append(.failover(server.timeline))
            if !trust.isValid(at: now) { giveUp(.abandoned, at: server.position) }
            phase = .unrestored(server.timeline)
            return
        }
        phase = .active
        safe = max(safe, server.safe)
        if mustReachStandby { gate = server.position }
        mustReachStandby = false
        loseUnits(missingFrom: row, at: server.position)
        // Takeovers that this worker did not notice have lowered it.
        permits = row.permits
        permitReturns += 1
    }

    private func isRestoration(_ work: LedgerWork, in row: SettledWorker) -> Bool {
        if case .restore(let timeline) = work { return row.confirmed == timeline }
        return false
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
        case .restore(let timeline):
            guard isCommitted, let row else { return }
            self.timeline = timeline
            safe = LogPosition(0)
            noteRestored(at: position)
            let lost = units.filter { row.units[$0.unit.id] != $0.fence }.map(\.unit.id)
            if !lost.isEmpty { notices.append(.possiblyDoubled(lost)) }
        case .register, .settle, .leave: break
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
            leave()
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
        permitReturns += 1
        askBegins = [:]
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

    mutating func confirm(_ timeline: Timeline, _ server: ServerState, taken: [WorkUnitID]) {
        let isNew = timeline != self.timeline
        self.timeline = timeline
        if isNew { safe = server.safe }
        phase = .active
        straggler = nil
        noteRestored(at: server.position)
        gate = mustReachStandby || restoresRegistration ? server.position : nil
        mustReachStandby = false
        restoresRegistration = false
        lose(Set(taken), at: server.position)
        permits = units.reduce(0) { $0 + $1.outstanding }
        permitReturns += 1
        if !taken.isEmpty { notices.append(.possiblyDoubled(taken)) }
        take(server)
    }

    private mutating func noteRestored(at position: LogPosition) {
        for index in units.indices { units[index].restored(at: position) }
        for index in formers.indices { formers[index].restored(at: position) }
    }

    mutating func leave() {
        phase = .left
        notices.append(.left)
    }
}
