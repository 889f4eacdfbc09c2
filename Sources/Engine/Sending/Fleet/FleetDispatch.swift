import CampaignModel
import Planning
import RunControl
import State
import Time

/// Follows an occurrence that a fleet sends, from its first request until nothing of it is left in the
/// fleet.
///
/// The requests are entrusted in parts: the answers to the first ones show whether the list is right. If answers
/// may stop a rollout, workers get them one work unit after the other.
struct FleetDispatch {
    private let dispatcher: Dispatcher
    private let fleet: any FleetLedger
    private let sending: ActiveOccurrence
    private let terms: FleetTerms
    /// The number of requests whose answers may be missing if an answer may stop the rollout.
    private let mostWatched: Int
    /// What workers may send of the present part; nil if that is all.
    private var window: FleetWindow?
    /// When workers were last told what they may send.
    private var lastAllowed: Instant?
    private var trial: WrongListDetector?
    private var rollout: RolloutGuard?
    private var objective: ObjectiveWatch?
    private var skipped: SkippedRequests
    /// The requests that were not entrusted.
    private var rest: RequestRanges
    private var repeated: [RequestOutcome] = []
    private var repeatedCount = 0
    /// Whether a request came back unsent.
    private var isPartlyReturned = false

    /// The number of requests in the first part.
    private static let firstPart = 250
    /// The interval of looks at the fleet.
    private static let interval = Duration.milliseconds(500)
    /// The same while the first requests are sent, whose end the next ones wait for.
    private static let firstInterval = Duration.milliseconds(200)
    /// The same if each answer may let workers send more.
    private static let watchedInterval = Duration.milliseconds(100)
    private static let recordedTogether = 65_536

    init(
        _ sending: ActiveOccurrence,
        under terms: FleetTerms,
        to handover: FleetHandover,
        by dispatcher: Dispatcher
    ) {
        self.dispatcher = dispatcher
        fleet = handover.ledger
        mostWatched = max(1, handover.mostUnknown)
        self.sending = sending
        self.terms = terms
        trial = sending.trial
        rollout = sending.rollout?.answers
        objective = ObjectiveWatch(of: sending)
        skipped = sending.skipped
        rest = sending.skipped.without(from: sending.requests)
    }

    mutating func perform() async throws(StateStoreError) -> DispatchResult {
        let clock = dispatcher.settings.clock
        objective?.begin(on: clock)
        var end = DispatchMachine.End.complete
        if let stop = rollout?.stop() { end = try await stopped(by: stop) }
        while end == .complete, !rest.isEmpty {
            let part = nextPart()
            try await skip(below: part.last?.upperBound ?? 0)
            window = isWatched ? FleetWindow(of: part, size: mostWatched) : nil
            try await fleet.entrust(
                EntrustedRequests(
                    part,
                    of: sending.unit.id,
                    turn: FleetTurn(
                        due: sending.due.nanoseconds,
                        priority: sending.priority
                    ),
                    until: last.map(\.nanoseconds),
                    window: window,
                    terms: terms.stored
                )
            )
            end = try await follow()
        }
        try await dispatcher.perform(
            .finish(end, rest: end == .complete ? skipped : nil),
            of: sending
        )
        return DispatchResult(end: end, repeated: repeated, repeatedCount: repeatedCount)
    }

    /// Follows what a former service entrusted.
    ///
    /// Returns why workers stopped; `.complete` if they did not.
    ///
    /// A rollout is taken back at once: what workers may send depends on the answers of its whole stage.
    mutating func adopt() async throws(StateStoreError) -> DispatchMachine.End {
        let clock = dispatcher.settings.clock
        objective?.begin(on: clock)
        let occurrence = try await dispatcher.stores.reader.occurrence(sending.occurrence)
        if occurrence?.rollout != nil { try await fleet.recall(sending.unit.id) }
        return try await follow()
    }

    /// Whether an answer may stop the rollout.
    ///
    /// It must stop soon, so that workers never have more than may be left unknown.
    private var isWatched: Bool { rollout?.dependsOnAnswers ?? false }

    /// Takes the requests that are entrusted next.
    private mutating func nextPart() -> [Range<Int>] {
        let needed = trial?.needed ?? 0
        guard needed > 0 || isWatched else {
            defer { rest = RequestRanges([]) }
            return rest.all
        }
        let most = isWatched ? FleetWindow.mostEntrusted(in: mostWatched) : Int.max
        let tried = trial?.hasAnswers == false ? min(needed, Self.firstPart) : needed
        let count = needed > 0 ? min(tried, most) : most
        var part = RequestRanges([])
        for number in rest.takeFirst(count) { part.append(number) }
        return part.all
    }

    /// Records the requests below a mark that are skipped.
    private mutating func skip(below end: Int) async throws(StateStoreError) {
        var mark = 0
        while mark < end {
            mark = min(end, mark + Self.recordedTogether)
            let outcomes = skipped.take(below: mark)
            guard !outcomes.isEmpty else { continue }
            try await dispatcher.stores.ledger
                .record(outcomes, released: nil, of: sending.unit.id)
        }
    }

    /// The last time at which workers send without a new decision; nil if there is none.
    private var last: Instant? {
        let now = dispatcher.settings.clock.now()
        let quiet = sending.hold.map { $0.deferral.nextBeginning(after: now) }
        let decision = [sending.dayEnd, sending.night, quiet].compactMap(\.self)
            .map { $0.advanced(bySeconds: -1) }
        let all = decision + [terms.end]
        return all.min().flatMap { $0 == .latest ? nil : $0 }
    }

    // MARK: Following

    private mutating func follow() async throws(StateStoreError) -> DispatchMachine.End {
        var end: DispatchMachine.End?
        isPartlyReturned = false
        while true {
            let collected = try await fleet.collect(from: sending.unit.id)
            try await take(collected.outcomes)
            let isNew = end == nil
            // The last units can return together with the reason.
            end = end ?? collected.end
            if collected.isWhole { break }
            if isNew {
                if end == nil, dispatcher.settings.stop.isRaised { return .stopped }
                if end == nil { end = try await reason() }
                if end != nil { try await fleet.recall(sending.unit.id) }
            }
            if end == nil { try await allowMore(after: collected.outcomes.count) }
            guard collected.outcomes.isEmpty else { continue }
            try? await dispatcher.settings.stop.pause(for: interval)
        }
        if let stop = rollout?.stop() { end = try await stopped(by: stop) }
        if let suspicion = trial?.suspicion { end = .held(suspicion) }
        if case .held(let evidence) = end {
            try await dispatcher.perform(.hold(evidence.hold), of: sending)
        } else if let dead = trial?.takeRest(isWhole: rest.isEmpty), !dead.isEmpty {
            try await dispatcher.perform(.markDead(dead), of: sending)
        }
        // Nothing was left to stop.
        if end != nil, end?.isHold == false, !isPartlyReturned, rest.isEmpty { return .complete }
        // Workers give requests back at the times that they know, a moment earlier or later.
        if end == nil, isPartlyReturned { return try await look() ?? .stopped }
        return end ?? .complete
    }

    private var interval: Duration {
        if window != nil { return Self.watchedInterval }
        return rest.isEmpty ? Self.interval : Self.firstInterval
    }

    /// Lets workers send more after outcomes were judged.
    ///
    /// It is repeated, because a failover can lose it.
    private mutating func allowMore(after judged: Int) async throws(StateStoreError) {
        guard let former = window?.end else { return }
        window?.returned(judged)
        let now = dispatcher.settings.clock.now()
        guard let end = window?.end, end > former || now != lastAllowed else { return }
        lastAllowed = now
        try await fleet.allow(below: end, of: sending.unit.id)
    }

    /// Why workers should send nothing more; nil if they go on.
    private func reason() async throws(StateStoreError) -> DispatchMachine.End? {
        if let suspicion = trial?.suspicion { return .held(suspicion) }
        if let stop = rollout?.stop() { return .rolloutStopped(stop) }
        return try await look()
    }

    /// Stops the rollout durably.
    private func stopped(
        by stop: RolloutStop
    ) async throws(StateStoreError) -> DispatchMachine.End {
        try await dispatcher.perform(.stopRollout(stop), of: sending)
        return .rolloutStopped(stop)
    }

    private func look() async throws(StateStoreError) -> DispatchMachine.End? {
        let now = dispatcher.settings.clock.now()
        if now >= terms.end { return .expired }
        if sending.isOver(sending.night, at: now) { return .nightBegan }
        if sending.isOver(sending.dayEnd, at: now) { return .dayEnded }
        if sending.hold?.interrupts(at: now) ?? false { return .paused }
        if try await dispatcher.isRolloutStopped(sending) { return .rolloutStopped(nil) }
        let pauses = try await dispatcher.paces.pauses
            .current(in: dispatcher.stores.control, at: dispatcher.paces.now)
        return pauses.pause(of: sending.occurrence.campaign) == nil ? nil : .paused
    }

    // MARK: Outcomes

    private mutating func take(_ outcomes: [RequestOutcome]) async throws(StateStoreError) {
        guard !outcomes.isEmpty else { return }
        var counts: [ProgressKind: Int] = [:]
        for outcome in outcomes {
            switch outcome.outcome {
            case .accepted:
                trial?.accepted()
                rollout?.accepted()
                counts[.done, default: 0] += 1
            case .rejected:
                if let rejection = outcome.rejection {
                    trial?.rejected(outcome.index, with: rejection)
                    rollout?.rejected(rejection)
                }
                counts[.refused, default: 0] += 1
            case .unknown:
                rollout?.unknown(outcome.detail)
                counts[.unknown, default: 0] += 1
            default: isPartlyReturned = true
            }
            if outcome.isRepeated {
                repeatedCount += 1
                if repeated.count < DispatchResult.listed { repeated.append(outcome) }
            }
        }
        for kind in ProgressKind.allCases {
            guard let count = counts[kind] else { continue }
            dispatcher.settings.report(.progressed(by: count, kind, of: sending.occurrence))
        }
        let clock = dispatcher.settings.clock
        objective?.accepted(counts[.done] ?? 0, on: clock)
        if let reached = objective?.take() {
            try await dispatcher.perform(.reached(reached), of: sending)
        }
        if let dead = trial?.takeDead(), !dead.isEmpty {
            try await dispatcher.perform(.markDead(dead), of: sending)
        }
    }
}

extension FleetCollection {
    /// Why the fleet stopped; nil if it did not.
    fileprivate var end: DispatchMachine.End? {
        if let problem { return FleetProblem(text: problem).end }
        guard isHeld else { return nil }
        return .held(
            WrongListDetector.WrongListEvidence(
                hold: .lostWorker,
                dead: 0,
                mismatched: 0,
                answers: 0
            )
        )
    }
}

extension DispatchMachine.End {
    fileprivate var isHold: Bool { if case .held = self { true } else { false } }
}

extension Instant {
    /// Nanoseconds since 1970, within the range of the type.
    fileprivate var nanoseconds: Int64 {
        let (product, overflows) = secondsSince1970.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? (secondsSince1970 < 0 ? .min : .max) : product
    }
}
