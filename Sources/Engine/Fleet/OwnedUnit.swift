/// A claimed unit in the memory of its owner.
struct OwnedUnit: Sendable {
    let unit: WorkUnit
    let fence: ClaimFence
    private(set) var history: UnitHistory
    /// The durable mark.
    private(set) var mark: Int
    /// The first request that was not sent.
    private var next: Int
    /// The attempts that were sent and have no answer, by request.
    private(set) var open: [Int: Int] = [:]
    /// Outcomes that no commit has recorded.
    private(set) var unrecorded: [AttemptRecord] = []
    /// Requests to repeat, which no commit has released again.
    private var waiting = RepeatQueue()
    /// Repeats that a commit has released; those before `nextReady` were sent.
    private var ready: [AttemptRecord] = []
    private var nextReady = 0
    /// The change that is being committed.
    private(set) var pending: UnitChange?
    /// The requests that are released, or being released, and have no recorded outcome.
    private(set) var outstanding = 0
    /// Whether it is finished or given back.
    private(set) var isOver = false

    init(_ claim: ClaimedUnit, repeatsUnknown: Bool) {
        unit = claim.unit
        fence = claim.fence
        mark = claim.mark
        next = claim.mark
        history = UnitHistory(count: claim.unit.count)
        for record in claim.records { history.merge(record) }
        for request in 0..<claim.mark {
            guard let last = history.last(of: request) else { continue }
            if last.isRepeatable || repeatsUnknown && last == .unknown {
                waiting.add(request, at: .zero)
            }
        }
    }

    /// The number of requests that could be sent, regardless of marks.
    var wanted: Int { unit.count - next + waiting.count + readyCount }

    private var readyCount: Int { ready.count - nextReady }

    /// Whether a request may leave now.
    var hasReady: Bool { readyCount > 0 || next < mark }

    /// The time of the first repeat that waits; nil without any.
    var nextRepeat: Duration? { waiting.nextTime }

    /// The number of requests that a commit could release, with enough permits.
    ///
    /// `lead`: what is left for other units is returned in it.
    func unreleased(_ lead: inout Lead, at now: Duration) -> Int {
        let new = mark - next < lead.least && mark < unit.count ? lastMark(lead) : mark
        let repeats = waiting.nextTime.map { $0 <= now ? waiting.count : 0 } ?? 0
        lead.take(new - next)
        return new - mark + repeats
    }

    private func lastMark(_ lead: Lead) -> Int { max(mark, min(unit.count, next + lead.most)) }

    /// Whether every request has its last outcome, as soon as what is not recorded is.
    var isComplete: Bool {
        mark == unit.count && next == unit.count && open.isEmpty && waiting.isEmpty
            && readyCount == 0
    }
}

// MARK: - Commits

extension OwnedUnit {
    /// The number of requests between the sent ones and the marks, over all units.
    ///
    /// Marks rise when it is below `least`, to `most`: a unit that begins where another one ends needs no more
    /// commits than the middle of a unit.
    struct Lead {
        private(set) var least: Int
        private(set) var most: Int

        init(_ ahead: Int) {
            least = ahead
            most = 2 * ahead
        }

        /// Takes the part of one unit.
        mutating func take(_ count: Int) {
            least = max(0, least - count)
            most = max(0, most - count)
        }
    }

    /// What a commit may do in a unit.
    struct Allowance {
        /// The number of requests that it may release.
        var permits: Int
        var lead: Lead
        let mayRelease: Bool
        /// Released requests that were not sent are taken back.
        let isResting: Bool
        let now: Duration
    }

    /// Prepares the next change; nil if there is nothing to commit.
    ///
    /// Permits that it uses are taken from the allowance.
    ///
    /// `isDraining`: the unit is given back as soon as no request is open.
    mutating func prepare(_ allowance: inout Allowance, isDraining: Bool) -> UnitChange? {
        precondition(pending == nil)
        let takesBack = isDraining || allowance.isResting
        if takesBack { returnUnsent() }
        var records = unrecorded
        var newMark: Int?
        if allowance.mayRelease, !takesBack {
            let before = allowance.permits
            records += releaseRepeats(&allowance)
            newMark = raisedMark(&allowance)
            outstanding += before - allowance.permits
        }
        let isReleasing = newMark != nil || records.count > unrecorded.count
        let ending = isReleasing ? nil : ending(isDraining: isDraining)
        guard !records.isEmpty || newMark != nil || ending != nil else { return nil }
        let change = UnitChange(
            unit.id,
            fence: fence,
            mark: newMark,
            records: records,
            ending: ending
        )
        pending = change
        return change
    }

    private func ending(isDraining: Bool) -> UnitChange.Ending? {
        if isComplete { return .finished }
        return isDraining && open.isEmpty ? .givenBack : nil
    }

    private mutating func releaseRepeats(_ allowance: inout Allowance) -> [AttemptRecord] {
        var released: [AttemptRecord] = []
        while allowance.permits > 0, let request = waiting.next(at: allowance.now) {
            allowance.permits -= 1
            let attempt = history.attempts(of: request) + 1
            released.append(AttemptRecord(.released, of: request, attempt: attempt))
        }
        return released
    }

    private func raisedMark(_ allowance: inout Allowance) -> Int? {
        let most = lastMark(allowance.lead)
        var new = mark
        while new < most {
            if !unit.omits(new) {
                guard allowance.permits > 0 else { break }
                allowance.permits -= 1
            }
            new += 1
        }
        allowance.lead.take(new - next)
        return new > mark ? new : nil
    }

    /// Ends the pending change as committed.
    mutating func commitPending() {
        guard let change = pending else { return }
        pending = nil
        for record in change.records {
            history.merge(record)
            if record.outcome == .released { ready.append(record) } else { outstanding -= 1 }
        }
        unrecorded.removeFirst(change.records.count { $0.outcome != .released })
        guard let new = change.mark else { return }
        for request in mark..<new where !unit.omits(request) {
            history.merge(AttemptRecord(.released, of: request, attempt: 1))
        }
        mark = new
        skipOmitted()
    }

    /// Ends the pending change as not committed.
    mutating func revertPending() {
        guard let change = pending else { return }
        pending = nil
        for record in change.records where record.outcome == .released {
            outstanding -= 1
            waiting.add(record.request, at: .zero)
        }
        outstanding -= (mark..<(change.mark ?? mark)).count { !unit.omits($0) }
    }

    private mutating func skipOmitted() {
        while next < mark, unit.omits(next) { next += 1 }
    }

    /// Records every released request that was not sent as returned.
    private mutating func returnUnsent() {
        for request in next..<mark where !unit.omits(request) {
            unrecorded.append(AttemptRecord(.returned, of: request, attempt: 1))
            waiting.add(request, at: .zero)
        }
        next = mark
        for record in ready[nextReady...] {
            let attempt = record.attempt
            unrecorded.append(AttemptRecord(.returned, of: record.request, attempt: attempt))
            waiting.add(record.request, at: .zero)
        }
        ready = []
        nextReady = 0
    }

    /// Notes that the unit is finished or given back.
    mutating func end() { isOver = true }
}

// MARK: - Sends

extension OwnedUnit {
    /// Takes at most `count` requests of one attempt that follow each other.
    mutating func takeOrder(upTo count: Int) -> SendOrder? {
        guard count > 0 else { return nil }
        if let first = takeReady() {
            open[first.request] = first.attempt
            let requests = first.request..<first.request + 1
            return SendOrder(requests, of: unit.id, fence: fence, attempt: first.attempt)
        }
        skipOmitted()
        let start = next
        while next < mark, next - start < count, !unit.omits(next) {
            open[next] = 1
            next += 1
        }
        guard next > start else { return nil }
        let requests = start..<next
        skipOmitted()
        return SendOrder(requests, of: unit.id, fence: fence, attempt: 1)
    }

    private mutating func takeReady() -> AttemptRecord? {
        guard readyCount > 0 else { return nil }
        defer {
            nextReady += 1
            if readyCount == 0 {
                ready.removeAll(keepingCapacity: true)
                nextReady = 0
            }
        }
        return ready[nextReady]
    }

    /// Takes the answer to an open request.
    mutating func receive(_ result: SendResult, now: Duration) {
        guard open[result.request] == result.attempt else { return }
        open[result.request] = nil
        let outcome = AttemptOutcome(result.answer)
        unrecorded.append(
            AttemptRecord(outcome, of: result.request, attempt: result.attempt)
        )
        switch result.answer {
        case .accepted, .rejected: break
        case .refused(let delay, _): waiting.add(result.request, at: now + delay)
        case .unwritten: waiting.add(result.request, at: now)
        case .unknown(let delay):
            if let delay { waiting.add(result.request, at: now + delay) }
        }
    }
}

extension AttemptOutcome {
    /// The outcome that an answer means.
    init(_ answer: SendResult.Answer) {
        self =
            switch answer {
            case .accepted: .accepted
            case .rejected: .rejected
            case .refused: .refused
            case .unknown: .unknown
            case .unwritten: .returned
            }
    }
}
