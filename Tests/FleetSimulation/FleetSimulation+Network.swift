import Fleet

extension FleetSimulation {
    /// How long a worker waits for an answer.
    private static let patience = 4_000_000_000

    mutating func submit(_ transaction: FleetTransaction, _ ticket: FleetTicket, from slot: Int) {
        let process = processes[slot]
        let index = requests.count
        var request = SimulatedRequest(
            slot: slot,
            life: process.life,
            ticket: ticket,
            transaction: transaction,
            submitted: now,
            generation: generation
        )
        if ticket.lane == .ledger { request.names = names(for: transaction, of: process) }
        request.losesAnswer = random.chance(scenario.lostAnswers(of: ticket.lane))
        request.hasWarning = random.chance(scenario.warnings)
        request.isAtFormer = scenario.formerAnswers > 0 && reachesFormer(process)
        let latency = drawLatency()
        if process.partitionEnd > now || random.chance(scenario.lostRequests) {
            queue.add(.giveUp(index), at: now + Self.patience)
        } else if now < serverStart {
            request.failure = .notCommitted
            queue.add(.giveUp(index), at: now + latency)
        } else if ticket.lane == .ledger, random.chance(scenario.lateArrivals) {
            queue.add(.giveUp(index), at: now + Self.patience)
            let delay = Self.patience + random.number(in: -300...3_000) * 1_000_000
            queue.add(.arrive(index), at: now + delay)
        } else {
            queue.add(.arrive(index), at: now + latency)
        }
        requests.append(request)
        guard scenario.fault == .sendsBeforeAnswer, case .commit = transaction else { return }
        requests[index].isOver = true
        let state = server.state
        pass(.answered(ticket, .committed(state, lost: [])), to: slot, isWriter: false)
    }

    /// How long a transaction or an answer is on its way.
    private mutating func drawLatency() -> Int {
        scenario.latency * 1_000_000 + random.number(in: 200...3_000) * 1_000
    }

    /// The accepted requests of a transaction whose message IDs the driver has.
    private func names(
        for transaction: FleetTransaction,
        of process: SimulatedProcess
    ) -> [WorkUnitID: Set<Int>] {
        switch transaction {
        case .commit(_, let changes, _): process.names(of: changes.map(\.unit))
        case .addLateAnswers(_, let answers): process.names(of: answers.map(\.unit))
        case .restore(_, let units, _): process.names(of: units.map(\.unit))
        default: [:]
        }
    }

    /// Whether a proxy passes a transaction to the former primary.
    ///
    /// Only processes that have noticed the failover are protected from that.
    private mutating func reachesFormer(_ process: SimulatedProcess) -> Bool {
        !formerServers.isEmpty && process.knownGeneration == generation
            && random.chance(scenario.formerAnswers)
    }

    mutating func arrive(_ index: Int) {
        guard requests[index].generation == generation else {
            queue.add(.giveUp(index), at: now + 100_000_000)
            return
        }
        if case .claim = requests[index].transaction, let fault = scenario.fault,
            fault == .claimsWithoutLocks || fault == .takeoverReadsOldSnapshot
        {
            requests[index].snapshot = server.database
        }
        let isLedger = requests[index].ticket.lane == .ledger
        let execution = random.number(in: isLedger ? scenario.executions : 1...8)
        var time = now + execution * 1_000_000
        if requests[index].ticket.lane == .writer { time = waitForWriter(from: now, to: time) }
        queue.add(.execute(index), at: time)
    }

    mutating func execute(_ index: Int) {
        guard requests[index].generation == generation else {
            queue.add(.giveUp(index), at: now + 100_000_000)
            return
        }
        let request = requests[index]
        if case .commit(_, let changes, _) = request.transaction,
            scenario.fault == .keepsLocksOfFrozenTransactions, isFrozen(request)
        {
            server.keepLocks(of: changes, at: now)
            return
        }
        let result = perform(request)
        requests[index].snapshot = nil
        switch result {
        case .success(let answer): requests[index].answer = answer
        case .failure(let error): requests[index].failure = error.failure
        }
        if !request.isAtFormer { storeNamesApart(request) }
        guard !request.isOver else { return }
        guard let delay = confirmation(of: index) else {
            queue.add(.giveUp(index), at: max(now, request.submitted + Self.patience))
            return
        }
        let latency = drawLatency()
        queue.add(.answer(index), at: now + delay + latency)
    }

    private mutating func perform(
        _ request: SimulatedRequest
    ) -> Result<FleetAnswer, ModelServer.TransactionFailure> {
        guard request.isAtFormer else {
            server.names = request.names
            return server.perform(request.transaction, at: now, snapshot: request.snapshot)
        }
        formerServers[0].names = request.names
        let result = formerServers[0].perform(request.transaction, at: now, snapshot: nil)
        formerServers[0].notes = []
        return result
    }

    /// Whether the process cannot send the `COMMIT` that follows its statements.
    private func isFrozen(_ request: SimulatedRequest) -> Bool {
        let process = processes[request.slot]
        return process.life != request.life || process.pauseEnd > now
    }

    /// How long the commit waits for the standby; nil if its answer is lost.
    private mutating func confirmation(of index: Int) -> Int? {
        if requests[index].losesAnswer {
            requests[index].answer = nil
            requests[index].failure = .inDoubt
            return nil
        }
        guard scenario.isSynchronous, requests[index].answer != nil,
            requests[index].transaction.isDurable
        else { return 0 }
        if answersAtOnce(index) { return 0 }
        if requests[index].hasWarning {
            requests[index].answer = nil
            requests[index].failure = .inDoubt
            return 0
        }
        return server.isCutOff(at: now) ? nil : server.settings.lag
    }

    /// Whether a fault answers a commit before the standby has it.
    private func answersAtOnce(_ index: Int) -> Bool {
        switch scenario.fault {
        case .keepsSettingsInSession: true
        case .acceptsWarnings: requests[index].hasWarning
        default: false
        }
    }

    private mutating func storeNamesApart(_ request: SimulatedRequest) {
        guard scenario.fault == .storesNamesApart,
            case .commit(_, let changes, _) = request.transaction,
            processes[request.slot].life == request.life, random.chance(990_000)
        else { return }
        server.storeNames(of: changes, at: now)
    }

    mutating func answer(_ index: Int) {
        if scenario.isSynchronous, requests[index].generation != generation,
            requests[index].transaction.isDurable, !answersAtOnce(index)
        {
            // The server ended while it waited for its standby.
            requests[index].answer = nil
            requests[index].failure = .inDoubt
        }
        let request = requests[index]
        if processes[request.slot].partitionEnd > now {
            requests[index].answer = nil
            requests[index].failure = .inDoubt
            queue.add(.giveUp(index), at: max(now, request.submitted + Self.patience))
            return
        }
        guard !request.isOver, isAwake(request.slot, life: request.life, .answer(index)) else {
            return
        }
        if request.answer != nil, !request.isAtFormer, request.ticket.lane != .slices {
            processes[request.slot].knownGeneration = request.generation
        }
        // A worker does not wait for longer, even if it was stopped in between.
        requests[index].isOver = true
        let isWriter = request.ticket.lane == .writer
        if let answer = request.answer, now - request.submitted < Self.patience {
            if scenario.fault == .forgetsNamesEarly, case .committed = answer {
                for unit in request.names.keys { processes[request.slot].names[unit] = nil }
            }
            pass(.answered(request.ticket, answer), to: request.slot, isWriter: isWriter)
        } else {
            let failure = request.answer == nil ? request.failure : .inDoubt
            pass(.failed(request.ticket, failure), to: request.slot, isWriter: isWriter)
        }
        requests[index].answer = nil
    }

    mutating func giveUp(_ index: Int) {
        let request = requests[index]
        guard !request.isOver, isAwake(request.slot, life: request.life, .giveUp(index)) else {
            return
        }
        requests[index].isOver = true
        let isWriter = request.ticket.lane == .writer
        let failure: FleetFailure = request.failure == .notCommitted ? .notCommitted : .inDoubt
        pass(.failed(request.ticket, failure), to: request.slot, isWriter: isWriter)
    }

    /// Transactions of the writer wait for each other.
    private mutating func waitForWriter(from start: Int, to end: Int) -> Int {
        guard start < otherWritingEnd else { return end }
        if scenario.fault == .raisesShareLocks { judge.observe(.deadlock) }
        return otherWritingEnd + end - start
    }

    mutating func writeOther() {
        otherWritingEnd = now + random.number(in: 1...20) * 1_000_000
        queue.add(.otherWriting, at: now + 400_000_000)
    }
}
