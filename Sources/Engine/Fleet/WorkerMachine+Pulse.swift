// Beats, which renew the lease, and requests for slices of the quota.
extension WorkerMachine {
    /// The time between requests for a slice: the next one is granted before the last one ends.
    private static var askInterval: Duration { .milliseconds(600) }
    private static var retryInterval: Duration { .milliseconds(500) }

    private var isRegistered: Bool { phase != .unregistered && phase != .left }

    mutating func startBeat(at now: Duration) -> [FleetCommand] {
        guard isRegistered, beats.isFree, now >= nextBeat else { return [] }
        // A worker that waits for a standby looks more often.
        let interval = waitsForStandby || phase == .leaving ? .seconds(1) : LeaseTerms.interval
        nextBeat = now + interval
        return [.perform(.beat(id), beats.start(incarnation, at: now))]
    }

    mutating func takeBeat(_ beat: BeatAnswer, begun: Duration, by former: Int, at now: Duration) {
        take(beat.server)
        if phase == .leaving {
            // A registration that arrived late can bring the row back.
            if beat.incarnation != nil { phase = .unsettled }
            if beat.incarnation == nil, let gate, safe >= gate { leave() }
            return
        }
        guard former == incarnation, beat.server.timeline == timeline else { return }
        noteStraggler(beat.straggler, at: now)
        guard phase == .active else { return }
        if beat.incarnation != incarnation {
            phase = .unsettled
        } else {
            // Units may be lost when the lease was not renewed in time.
            if !trust.isValid(at: now) { phase = .unsettled }
            trust.renew(from: begun)
        }
    }

    private mutating func noteStraggler(_ worker: WorkerID?, at now: Duration) {
        guard let worker else {
            straggler = nil
            return
        }
        // All of them are late since the same failover.
        straggler = (worker, straggler?.since ?? now)
    }

    /// A worker that has not confirmed the timeline for too long.
    func overdueStraggler(at now: Duration) -> WorkerID? {
        guard let straggler, now - straggler.since >= LeaseTerms.patience else { return nil }
        return straggler.worker
    }

    /// More than a worker sends while a slice is valid.
    private static var muchWork: Int { 1_000_000 }

    /// The number of requests that could be sent, with those of units that may be claimed until then.
    private func wanted(at now: Duration) -> Int {
        guard !isDraining, !isResting(at: now) else { return 0 }
        let owned = units.reduce(0) { $0 + (givesBack($1) ? 0 : $1.wanted) }
        // The next claim is probably successful.
        let isLikely = nextClaim <= now || expectsUnits(at: now)
        return owned > 0 && isLikely ? owned + Self.muchWork : owned
    }

    /// Whether a slice is needed, or an answer that tells which units are recalled, or which permits this worker has:
    /// without that, a worker without units would keep them from the others.
    private func mustAsk(at now: Duration) -> Bool {
        isThrottled || wanted(at: now) > 0 || mayHaveMorePermits
            || isResting(at: now) && !isDraining && units.contains { !givesBack($0) }
    }

    /// Whether the server may have granted permits that this worker does not know of.
    ///
    /// A new writer may answer the last request again, until it has answered a later one.
    private var mayHaveMorePermits: Bool { wantingAsk > 0 && knownAsk <= wantingAsk }

    mutating func startAsk(at now: Duration) -> [FleetCommand] {
        guard mayWork(at: now), slices.isFree, now >= nextAsk else { return [] }
        guard mustAsk(at: now) else { return [] }
        let ask = SliceAsk(permitReturns: permitReturns, throttles: throttles)
        nextAsk = now + Self.askInterval
        let validity = asks.begin(at: now)
        let wanted = wanted(at: now)
        if wanted > 0 { wantingAsk = asks.last }
        let request = SliceRequest(
            number: asks.last,
            wanted: wanted,
            isThrottled: isThrottled,
            validity: validity
        )
        return [.perform(.ask(id, request), slices.start(ask, at: now))]
    }

    private var isThrottled: Bool { throttles > reportedThrottles }

    mutating func takeSlice(
        _ slice: SliceAnswer,
        of server: ServerState,
        after ask: SliceAsk,
        begun: Duration,
        at now: Duration
    ) {
        take(server)
        if asks.mustReport(now - begun) { notices.append(.farServer(now - begun)) }
        guard server.timeline == timeline else { return }
        reportedThrottles = max(reportedThrottles, ask.throttles)
        if let request = asks[slice.number] {
            let end = SliceMeter.end(of: request, answered: begun)
            meter.use(height: slice.height, until: end, now: now)
            asks.receive(slice.number, at: now)
        }
        share = slice.share
        recalled = slice.recalled
        // A unit can be withdrawn, and its recall be over, between two answers.
        if phase == .active, slice.losses != losses { phase = .unsettled }
        guard ask.permitReturns == permitReturns, phase == .active else { return }
        permits = max(permits, slice.permits)
        knownAsk = max(knownAsk, slice.number)
    }

    mutating func retryBeat(at now: Duration) {
        nextBeat = min(nextBeat, now + Self.retryInterval)
    }

    // MARK: - Sends

    /// The number of requests that may be opened.
    private var room: Int { openLimit - open }

    mutating func sendReady(at now: Duration, into commands: inout [FleetCommand]) {
        guard mayWork(at: now), !isDraining, !isResting(at: now) else { return }
        var room = self.room
        for index in units.indices where !givesBack(units[index]) {
            while room > 0, units[index].hasReady {
                let count = meter.take(upTo: room, now: now)
                guard count > 0 else { return }
                guard let order = units[index].takeOrder(upTo: count) else {
                    meter.giveBack(count)
                    break
                }
                meter.giveBack(count - order.requests.count)
                room -= order.requests.count
                commands.append(.send(order))
            }
        }
    }

    mutating func take(_ result: SendResult, at now: Duration) {
        if case .refused(_, isThrottled: true) = result.answer { throttles += 1 }
        if let index = units.firstIndex(where: {
            $0.unit.id == result.unit && $0.fence == result.fence
        }) {
            units[index].receive(result, now: now)
            oldestUnrecorded = oldestUnrecorded ?? now
            return
        }
        for index in formers.indices
        where formers[index].unit == result.unit && formers[index].fence == result.fence {
            formers[index].receive(result)
        }
    }

    // MARK: - Time

    /// When something may change without an event; nil if only events change something.
    func nextWake(at now: Duration) -> Duration? {
        guard phase != .left else { return nil }
        var times: [Duration] = []
        if isRegistered, beats.isFree { times.append(nextBeat) }
        if ledger.isFree { times.append(contentsOf: ledgerTimes(at: now)) }
        if mayWork(at: now) {
            if slices.isFree, mustAsk(at: now) { times.append(nextAsk) }
            if isResting(at: now) {
                times.append(restEnd)
            } else {
                let mayStart =
                    !isDraining && room > 0 && units.contains { $0.hasReady && !givesBack($0) }
                if mayStart, let next = meter.next(now: now) { times.append(next) }
            }
        }
        return times.min().map { max($0, now + .milliseconds(1)) }
    }

    private func ledgerTimes(at now: Duration) -> [Duration] {
        guard nextAttempt <= now else { return [nextAttempt] }
        guard phase == .active, !waitsForStandby else { return [] }
        var times: [Duration] = []
        if let oldestUnrecorded, !units.isEmpty {
            times.append(oldestUnrecorded + Self.recordInterval)
        }
        if !isDraining, mayWork(at: now) {
            if wantsClaim(at: now) { times.append(nextClaim) }
            times += units.compactMap(\.nextRepeat).filter { $0 > now }
        }
        if let straggler, straggler.worker != nil {
            times.append(straggler.since + LeaseTerms.patience)
        }
        return times
    }
}
