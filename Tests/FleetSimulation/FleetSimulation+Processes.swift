import Fleet

extension FleetSimulation {
    mutating func start(_ slot: Int) {
        guard processes[slot].worker == nil else { return }
        let settings = WorkerMachine.Settings(
            units: scenario.units,
            ahead: random.number(in: 3...12),
            maximumOpen: 16,
            repeatsUnknown: scenario.repeatsUnknown,
            isSynchronous: scenario.isSynchronous,
            restoredUnits: 2
        )
        processes[slot].start = now - random.number(in: 0...1_000) * 1_000_000_000
        processes[slot].rate = random.number(in: 999_000...1_001_000)
        processes[slot].armed = .max
        processes[slot].knownGeneration = -1
        processes[slot].worker = WorkerMachine(settings, seed: random.next())
        pass(.time, to: slot, isWriter: false)
        guard slot < 4 else { return }
        processes[slot].writer = WriterMachine(
            WriterMachine.Settings(
                quota: scenario.quota,
                permits: scenario.permits,
                unitSize: scenario.unitSize
            ),
            seed: random.next()
        )
        pass(.time, to: slot, isWriter: true)
    }

    /// Whether an event can reach its process now; later if the process is stopped.
    mutating func isAwake(_ slot: Int, life: Int, _ kind: SimulatedEvent.Kind) -> Bool {
        guard processes[slot].life == life else { return false }
        guard processes[slot].pauseEnd <= now else {
            queue.add(kind, at: processes[slot].pauseEnd)
            return false
        }
        return true
    }

    mutating func wake(_ slot: Int, life: Int) {
        guard isAwake(slot, life: life, .wake(process: slot, life: life)) else { return }
        guard processes[slot].armed <= now else { return }
        processes[slot].armed = .max
        pass(.time, to: slot, isWriter: false)
        pass(.time, to: slot, isWriter: true)
    }

    mutating func pass(_ event: FleetEvent, to slot: Int, isWriter: Bool) {
        let clock = processes[slot].clock(at: now)
        if isWriter {
            guard let commands = processes[slot].writer?.receive(event, at: clock) else { return }
            perform(commands, of: slot)
        } else {
            guard let commands = processes[slot].worker?.receive(event, at: clock) else { return }
            perform(commands, of: slot)
        }
    }

    private mutating func perform(_ commands: [FleetCommand], of slot: Int) {
        for command in commands {
            switch command {
            case .perform(let transaction, let ticket):
                trace.add(ticket.number)
                submit(transaction, ticket, from: slot)
            case .send(let order): send(order, from: slot)
            case .wake(let clock): arm(slot, at: processes[slot].time(of: clock))
            case .report(.left): end(slot)
            case .report(.possiblyDoubled(let units)): judge.excuse(units)
            case .report: break
            case .forget(let unit): processes[slot].names[unit] = nil
            }
        }
    }

    private mutating func arm(_ slot: Int, at time: Int) {
        guard time < processes[slot].armed || processes[slot].armed <= now else { return }
        processes[slot].armed = time
        let kind = SimulatedEvent.Kind.wake(process: slot, life: processes[slot].life)
        queue.add(kind, at: max(time, now + 1))
    }

    /// Ends a process; it forgets everything.
    mutating func end(_ slot: Int) {
        processes[slot].life += 1
        processes[slot].worker = nil
        processes[slot].writer = nil
        processes[slot].names = [:]
        processes[slot].pauseEnd = 0
    }

    // MARK: - Requests to recipients

    private mutating func send(_ order: SendOrder, from slot: Int) {
        guard let worker = processes[slot].worker?.id else { return }
        let process = FleetJudge.Process(slot: slot, life: processes[slot].life)
        judge.issue(order, by: worker, in: process, at: now)
        for request in order.requests {
            trace.add(request)
            let (answer, isAccepted) = decide()
            let isSlow = random.chance(scenario.slowAnswers)
            let time = random.number(in: isSlow ? 4_000...30_000 : scenario.answerTimes)
            sends.append(
                SimulatedSend(
                    slot: slot,
                    life: processes[slot].life,
                    order: order,
                    request: request,
                    answer: answer,
                    isAccepted: isAccepted,
                    delay: time * 1_000_000
                )
            )
            let delay = random.number(in: 10...2_000) * 1_000
            queue.add(.leave(sends.count - 1), at: now + delay)
        }
    }

    private mutating func decide() -> (SendResult.Answer, isAccepted: Bool) {
        let chance = random.number(in: 0...99)
        switch chance {
        case 0..<82: return (.accepted, true)
        case 82..<87: return (.rejected, false)
        case 87..<89:
            return (.refused(after: .seconds(3), isThrottled: random.chance(50_000)), false)
        case 89..<93: return (.refused(after: .seconds(1), isThrottled: false), false)
        case 93..<97:
            let delay: Duration? = scenario.repeatsUnknown ? .zero : nil
            return (.unknown(repeatedAfter: delay), chance < 95)
        default: return (.unwritten, false)
        }
    }

    mutating func leave(_ index: Int) {
        let send = sends[index]
        guard isAwake(send.slot, life: send.life, .leave(index)) else { return }
        queue.add(.result(index), at: now + send.delay)
        guard send.answer != .unwritten else { return }
        judge.leave(
            unit: send.order.unit.number,
            request: send.request,
            FleetJudge.Departure(
                attempt: send.order.attempt,
                claim: send.order.fence,
                isAccepted: send.isAccepted,
                isRejected: send.answer == .rejected,
                process: FleetJudge.Process(slot: send.slot, life: send.life),
                time: now
            ),
            at: now
        )
    }

    mutating func result(_ index: Int) {
        let send = sends[index]
        guard isAwake(send.slot, life: send.life, .result(index)) else { return }
        let result = SendResult(send.answer, to: send.request, of: send.order)
        let process = FleetJudge.Process(slot: send.slot, life: send.life)
        judge.answered(process)
        if send.answer == .accepted || send.answer == .rejected {
            judge.receive(result, by: process, at: now)
        }
        if send.answer == .accepted {
            processes[send.slot].names[send.order.unit, default: []].insert(send.request)
        }
        pass(.sent(result), to: send.slot, isWriter: false)
    }
}
