import Fleet

// The service, which recalls occurrences, collects them, and entrusts them again.
//
// It decides from the tables only, as a service that continues after a crash.
extension FleetSimulation {
    /// Whether there is a service; without one, finished units stay in the fleet.
    var hasService: Bool { scenario.recalls > 0 || scenario.collects }

    /// Whether the service gets answers.
    private var reachesServer: Bool {
        now >= serverStart && !(scenario.isSynchronous && server.isCutOff(at: now))
    }

    mutating func recallSome() {
        guard reachesServer else { return }
        let place = random.number(in: 0...server.database.occurrences.count - 1)
        recall(server.database.occurrences[place].uncut.number)
    }

    private mutating func recall(_ number: OccurrenceNumber) {
        let occurrence = server.database.occurrences[number.number]
        guard occurrence.state != .left, !occurrence.isRecalled else { return }
        let first = occurrence.uncut.firstUnit
        judge.recall(first..<first + unitCount(occurrence.uncut.count), at: now)
        server.recall(number, at: now)
    }

    mutating func serve() {
        queue.add(.service, at: now + random.number(in: 100...600) * 1_000_000)
        guard reachesServer else { return }
        for occurrence in server.database.occurrences where !occurrence.isSettled {
            serve(occurrence)
        }
    }

    private mutating func serve(_ occurrence: OccurrenceRow) {
        let number = occurrence.uncut.number
        if occurrence.state == .left {
            if random.chance(150_000) { entrust(occurrence) }
            return
        }
        if occurrence.isHeld { recall(number) }
        if occurrence.isRecalled || occurrence.isHeld || scenario.collects || mustCollect {
            server.collect(number, ClaimToken(random.next()), at: now)
        }
    }

    /// Whether finished units are collected, because nothing is recalled any more.
    private var mustCollect: Bool { now > scenario.troubles.upperBound * 1_000_000 }

    /// Entrusts what was returned, without a few requests that are left out since then.
    private mutating func entrust(_ occurrence: OccurrenceRow) {
        let returned = occurrence.returned
        let suppressed = returned.filter { _ in random.chance(20_000) }
        let left = Set(suppressed)
        let requests = returned.filter { !left.contains($0) }
        server.entrust(
            occurrence.uncut.number,
            requests,
            firstUnit: nextUnit,
            suppressed: suppressed,
            at: now
        )
        nextUnit += unitCount((requests.last ?? 0) + 1)
    }

    /// The number of units of an occurrence, if none is left out.
    private func unitCount(_ requests: Int) -> Int {
        (requests + scenario.unitSize - 1) / scenario.unitSize
    }
}
