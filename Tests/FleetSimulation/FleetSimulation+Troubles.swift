import Fleet

extension FleetSimulation {
    /// Draws when everything goes wrong.
    mutating func plan() {
        let troubles = scenario.troubles
        for _ in 0..<scenario.crashes { add(.crash, at: random.number(in: troubles)) }
        for _ in 0..<scenario.pauses {
            let length = random.number(in: scenario.pauseLengths) * 1_000_000
            add(.pause(length), at: random.number(in: troubles))
        }
        for _ in 0..<scenario.partitions {
            let length = random.number(in: 3_000...60_000) * 1_000_000
            let count = random.number(in: 1...20)
            add(.partition(length, of: count), at: random.number(in: troubles))
        }
        for _ in 0..<scenario.drains { add(.drain, at: random.number(in: troubles)) }
        for _ in 0..<scenario.clockJumps {
            let jump = random.number(in: -3_600...3_600) * 1_000_000_000
            add(.clockJump(jump), at: random.number(in: troubles))
        }
        for _ in 0..<scenario.recalls { add(.recall, at: random.number(in: troubles)) }
        for _ in 0..<scenario.limits {
            let rest = random.number(in: 0...20_000) * 1_000_000
            let open = random.number(in: 1...16)
            let count = random.number(in: 1...40)
            add(.limit(rest: rest, open: open, of: count), at: random.number(in: troubles))
        }
        for _ in 0..<scenario.failovers {
            let time = random.number(in: troubles)
            let down = random.number(in: 1_000...9_000) * 1_000_000
            let cut = random.number(in: scenario.cutLengths)
            if cut > 0 { add(.cut, at: max(1, time - cut)) }
            add(.failOver(down: down), at: time)
        }
    }

    private mutating func add(_ kind: SimulatedTrouble.Kind, at milliseconds: Int) {
        let slot = random.number(in: 0...scenario.workers - 1)
        troubles.append(SimulatedTrouble(kind: kind, slot: slot))
        queue.add(.trouble(troubles.count - 1), at: milliseconds * 1_000_000)
    }

    mutating func cause(_ trouble: SimulatedTrouble) {
        switch trouble.kind {
        case .crash: crash(trouble.slot)
        case .pause(let length): pause(trouble.slot, length)
        case .partition(let length, let count):
            for slot in trouble.slot..<min(scenario.workers, trouble.slot + count) {
                processes[slot].partitionEnd = max(processes[slot].partitionEnd, now + length)
            }
        case .drain:
            guard processes[trouble.slot].worker != nil else { return }
            pass(.drain, to: trouble.slot, isWriter: false)
            pass(.drain, to: trouble.slot, isWriter: true)
            let restart = now + random.number(in: 20_000...60_000) * 1_000_000
            queue.add(.start(process: trouble.slot), at: restart)
        case .cut: server.cutStart = server.cutStart ?? now
        case .failOver(let down): failOver(down: down)
        case .clockJump(let jump): server.clockOffset += jump
        case .recall: recallSome()
        case .limit(let rest, let open, let count):
            for slot in trouble.slot..<min(scenario.workers, trouble.slot + count) {
                limit(slot, rest: rest, open: open)
            }
        }
    }

    private mutating func limit(_ slot: Int, rest: Int, open: Int) {
        let process = processes[slot]
        guard process.worker != nil, process.pauseEnd <= now else { return }
        let end = process.clock(at: now + rest)
        judge.limit(
            FleetJudge.Process(slot: slot, life: process.life),
            until: process.time(of: end) - 3_000,
            open: open
        )
        pass(.limited(until: end, open: open), to: slot, isWriter: false)
    }

    mutating func crash(_ slot: Int) {
        guard processes[slot].worker != nil else { return }
        judge.crashed.insert(FleetJudge.Process(slot: slot, life: processes[slot].life))
        end(slot)
        let restart = now + random.number(in: 1_000...60_000) * 1_000_000
        queue.add(.start(process: slot), at: restart)
    }

    private mutating func pause(_ slot: Int, _ length: Int) {
        processes[slot].pauseEnd = max(processes[slot].pauseEnd, now + length)
        // A clock that stops with the process.
        if scenario.fault == .trustsStoppedClock { processes[slot].start += length }
    }

    private mutating func failOver(down: Int) {
        guard now >= serverStart else {
            server.cutStart = nil
            return
        }
        failovers += 1
        judge.failOver(at: now)
        formerServers = [server]
        formerServers[0].retire()
        let standbyReturn = random.number(in: scenario.standbyReturns) * 1_000_000
        server.failOver(at: now, standbyStart: now + down + standbyReturn)
        judge.keepRecalls(of: server.database)
        generation += 1
        serverStart = now + down
        if random.chance(scenario.repeatedFailovers) { repeatFailover(within: standbyReturn) }
        for _ in 0..<scenario.lostWithFailover {
            crash(random.number(in: 0...scenario.workers - 1))
        }
    }

    /// Plans another failover, most often before the new primary has a standby.
    private mutating func repeatFailover(within standbyReturn: Int) {
        let delay = random.number(in: 0...standbyReturn / 1_000_000 + 2_000)
        let time = serverStart / 1_000_000 + delay
        guard time <= scenario.troubles.upperBound else { return }
        add(.failOver(down: random.number(in: 1_000...9_000) * 1_000_000), at: time)
    }
}
