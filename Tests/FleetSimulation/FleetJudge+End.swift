import Fleet

// Compares what left with the tables at the end.
extension FleetJudge {
    /// How long a worker may take to record an answer, without faults.
    private static let recording = 20_000_000_000

    /// `time`: now.
    mutating func conclude(with database: ModelDatabase, at time: Int) {
        end = time
        for occurrence in database.occurrences {
            if occurrence.isUncut {
                report("occurrence \(occurrence.uncut.number.number) is not divided")
            }
            if !occurrence.isHeld { conclude(occurrence, with: database) }
        }
        for case let row? in database.units {
            let isHeld = database.occurrences[row.unit.occurrence.number].isHeld
            if !isHeld, !row.isFinished { report("unit \(row.unit.id.number) does not end") }
            for request in 0..<row.unit.count {
                check(request, of: row, isHeld: isHeld)
            }
        }
    }

    private mutating func check(_ request: Int, of row: UnitRow, isHeld: Bool) {
        let place = Place(unit: row.unit.id.number, request: request)
        let left = departures[place] ?? []
        let outcomes = row.attempts[request]
        let name = "request \(request) of unit \(place.unit)"
        if row.unit.omits(request) {
            if !left.isEmpty || !outcomes.isEmpty { report("\(name) is not left out") }
            return
        }
        let taken = left.filter(\.isAccepted)
        // Released requests of a held occurrence become unknown with the next claim.
        let covered = outcomes.count {
            $0 == .accepted || $0 == .unknown || isHeld && $0 == .released
        }
        // What one lost claim repeated by policy is named with the held occurrence. Lost claims may also
        // have repeated what they had made unknown.
        let repeated = rules.repeatsUnknown ? unknowns[place] ?? [] : []
        let lost = taken.filter { !repeated.contains($0.attempt) }
        let accepted = isHeld ? Set(lost.map(\.claim)).count : taken.count
        let named = request < row.doubledMark ? stored[place] ?? 0 : 0
        let known = max(covered, isHeld ? 1 : 0) + max(named, excused[place] ?? 0)
        if accepted > known { report("\(name) is doubled: \(accepted), recorded \(outcomes)") }
        if !isHeld, !row.isMerged { checkEnd(outcomes, left, name) }
        checkOrder(outcomes, at: place, name)
        for (index, outcome) in outcomes.enumerated() {
            let attempt = left.filter { $0.attempt == index + 1 }
            if outcome == .accepted, !attempt.contains(where: \.isAccepted) {
                report("\(name) is recorded as accepted")
            }
            if outcome == .rejected, !attempt.contains(where: \.isRejected) {
                report("\(name) is recorded as rejected")
            }
        }
        if !isHeld { checkReceived(left, outcomes, name) }
        let names = Int(row.names[request])
        let needed = outcomes.count { $0 == .accepted }
        // A failover can lose an ID with its commit. Only the sender restores it, if it still runs.
        let isKnown = taken.contains { !hasFailedOver || !crashed.contains($0.process) }
        if needed > 0, names == 0, isKnown { report("\(name) has no message ID") }
    }

    /// An answer that a worker received is recorded, unless the request was released again.
    private mutating func checkReceived(
        _ left: [Departure],
        _ outcomes: [AttemptOutcome],
        _ name: String
    ) {
        for departure in left {
            guard let receipt = departure.receipt, receipt < end - Self.recording,
                !departure.isMerged, !crashed.contains(departure.process),
                departure.attempt == outcomes.count, let last = outcomes.last
            else { continue }
            let answer: AttemptOutcome = departure.isAccepted ? .accepted : .rejected
            if last < answer { report("\(name) was \(answer), recorded \(outcomes)") }
        }
    }

    private mutating func checkEnd(
        _ outcomes: [AttemptOutcome],
        _ left: [Departure],
        _ name: String
    ) {
        switch outcomes.last {
        case .accepted, .rejected, .unknown: break
        case .released, .returned, .refused, nil: report("\(name) is lost: \(outcomes)")
        }
    }

    /// A request is sent again only if the policy allows it.
    private mutating func checkOrder(
        _ outcomes: [AttemptOutcome],
        at place: Place,
        _ name: String
    ) {
        for (index, outcome) in outcomes.dropLast().enumerated() {
            let wasUnknown = unknowns[place]?.contains(index + 1) ?? false
            let mayRepeat = outcome.isRepeatable || rules.repeatsUnknown && wasUnknown
            if !mayRepeat { report("\(name) is sent again after \(outcomes)") }
        }
    }
}
