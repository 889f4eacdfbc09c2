import CampaignModel
package import Planning
package import RateControl
package import RunControl
package import State

/// Decides what to release, send, record and repeat in one work unit.
///
/// It is pure: a driver performs its commands and reports their results.
///
/// Several machines of a run share one pace and one limit of open requests; `SharedSends` passes the
/// events to each of them.
///
/// - Invariant: A request is sent only after a `record` command has raised the released mark above
///   it, and at most `rules.open.unknown` released requests of the run have no recorded outcome.
package struct DispatchMachine: Sendable {
    package enum Event: Sendable {
        case begin
        case judged(request: Int, Judgement)
        /// The oldest `record` command that was not reported yet is durable.
        case recorded
        case woke
        /// The bearer was renewed.
        case refreshed
        case notRefreshed(reason: String)
        /// Send nothing more; wait for open requests.
        case stop
        /// This campaign, or everything, was paused.
        case paused
        /// A day has ended for some people: no request is sent for the first time any more.
        case dayEnded
        /// Quiet hours begin for some people: nothing is sent any more.
        case nightBegan
        /// A person ended the rollout.
        case rolloutEnded
    }

    /// A period without new requests.
    package struct Pause: Hashable, Sendable {
        package let reason: PauseReason
        package let end: Duration
    }

    package enum Command: Hashable, Sendable {
        /// Must be durable before any later command is performed.
        case record([RequestOutcome], released: Int?)
        case send([Int])
        /// Send `woke` at this time.
        case wake(at: Duration)
        /// Renew the bearer.
        case refresh
        /// Durably stop the occurrence from continuing.
        case hold(Hold)
        /// Durably stop the rollout.
        case stopRollout(RolloutStop)
        /// The registrations of these requests are dead.
        case markDead([Int])
        case finish(End)
    }

    package enum End: Hashable, Sendable {
        /// Every request has an outcome.
        case complete
        /// A request stays unknown, and its campaign stops in this case.
        case unsettled
        /// The answers indicate a wrong list, project, app or payload.
        case held(WrongListDetector.WrongListEvidence)
        case stopped
        case paused
        /// The frequency cap must be decided again for the rest.
        case dayEnded
        /// Those who get the rest now must be chosen again.
        case nightBegan
        /// A condition of `stop_when` is met; nil if a person stopped the rollout.
        case rolloutStopped(RolloutStop?)
        /// The message has expired; unsent requests have no outcome yet.
        case expired
        /// FCM rejects the caller: credential, project or request.
        case refused(reason: String)
        /// The server was unreachable, or failed, several times in a row.
        case unanswered(reason: String)

        /// Whether the rest is sent after a new decision about its people.
        package var asksAgain: Bool { self == .dayEnded || self == .nightBegan }

        /// Whether nothing is left to stop if every request has an outcome.
        fileprivate var needsRest: Bool {
            switch self {
            case .paused, .nightBegan, .rolloutStopped: true
            case .complete, .unsettled, .held, .stopped, .dayEnded, .expired, .refused,
                .unanswered:
                false
            }
        }
    }

    /// The rules of an occurrence.
    package struct Rules: Sendable {
        package let open: OpenLimit
        /// Whether the names of accepted messages are recorded as details.
        package let keepsNames: Bool
        /// Whether the names of accepted messages are stored next to the ledger.
        package let keepsIDs: Bool
        package let policy: SendPolicy
        /// The time after which nothing is sent, on the clock of `receive`.
        package let expiry: Duration?
        package let backoff: Backoff
        /// The seed of the jitter between retries.
        package let seed: UInt64

        package init(
            open: OpenLimit,
            keepsNames: Bool,
            keepsIDs: Bool = false,
            policy: SendPolicy,
            expiry: Duration? = nil,
            backoff: Backoff = .standard,
            seed: UInt64 = 0
        ) {
            self.open = open
            self.keepsNames = keepsNames
            self.keepsIDs = keepsIDs
            self.policy = policy
            self.expiry = expiry
            self.backoff = backoff
            self.seed = seed
        }
    }

    let rules: Rules
    private var waiting: RequestRanges
    /// Requests that the pending record releases.
    private var releasing: [Int] = []
    /// Requests below the durable mark that may be sent.
    var released: ArraySlice<Int> = []
    /// The open requests, and when they were passed on.
    var open: [Int: Duration] = [:]
    var window: OpenWindow
    private var unrecorded: [RequestOutcome] = []
    /// The number of requests that a crash would leave unknown, after the last durable record.
    private var recordedClaim = 0
    /// The same after each record that is not durable yet, in order.
    private var pendingClaims: [Int] = []
    private var isFinished = false
    private var mark: Int
    var ending: End?
    /// The pace of the whole run.
    package internal(set) var pace: PaceMachine
    /// What the run's other occurrences leave of the limits.
    var share = OpenShare.alone
    /// Why nothing is sent now; nil if requests may be sent.
    package private(set) var pause: Pause?
    var absence: UnreachableBackoff
    var outage: ServerErrorBreaker
    var repeats: RepeatQueue
    var bearer = TokenStatus.trusted
    var trial: WrongListDetector?
    private var isHeld = false
    /// The answers of the stage; nil unless the occurrence is sent in stages.
    var rollout: RolloutGuard?
    private var isRolloutStopped = false
    /// Whether only requests that were sent before are sent again.
    private var isDayOver = false
    private var armed: Duration?

    /// Starts with the remaining requests above the mark on disk.
    ///
    /// `pace`: the pace of the run's sends, on the clock of `receive`. `trial`: the wrong-list
    /// check; nil for a fan-out. `rollout`: the answers that earlier runs got in the stage.
    package init(
        requests: RequestRanges,
        mark: Int,
        rules: Rules,
        pace: PaceMachine,
        trial: WrongListDetector? = nil,
        rollout: RolloutGuard? = nil
    ) {
        waiting = requests
        self.mark = mark
        self.rules = rules
        window = OpenWindow(rules.open)
        self.pace = pace
        self.trial = trial
        self.rollout = rollout
        absence = UnreachableBackoff(backoff: rules.backoff)
        outage = ServerErrorBreaker(
            pause: rules.backoff.shortestRepeat,
            maximumOpen: rules.open.most,
            steadyOpen: rules.open.start
        )
        repeats = RepeatQueue(
            pause: rules.backoff.shortestRepeat,
            expiry: rules.expiry,
            seed: rules.seed
        )
    }

    /// `now`: the time on a monotonic clock with any origin.
    package mutating func receive(_ event: Event, now: Duration) -> [Command] {
        receive(CollectionOfOne(event), now: now)
    }

    /// Processes events that arrived together, in order, and returns the commands for all of them.
    package mutating func receive(_ events: some Sequence<Event>, now: Duration) -> [Command] {
        guard !isFinished else { return [] }
        var holding: [Command] = []
        for event in events {
            take(event, at: now)
            holding += hold() + stopRollout()
        }
        if let expiry = rules.expiry, now >= expiry, !isComplete { ending = ending ?? .expired }
        let commands = ending == nil ? proceed(now) : drain()
        let dead = trial?.takeDead() ?? []
        guard !holding.isEmpty || !dead.isEmpty else { return commands }
        return holding + (dead.isEmpty ? [] : [.markDead(dead)]) + commands
    }

    private mutating func take(_ event: Event, at now: Duration) {
        switch event {
        case .begin: break
        case .recorded:
            // Nothing is released while a record is pending, so that this one is the oldest.
            recordedClaim = pendingClaims.removeFirst()
            released += releasing
            releasing = []
        // A wake-up that was set for a later time still arrives.
        case .woke: if let armed, now >= armed { self.armed = nil }
        case .stop: ending = ending ?? .stopped
        case .paused: ending = ending ?? .paused
        case .dayEnded: isDayOver = true
        case .nightBegan: ending = ending ?? .nightBegan
        case .rolloutEnded: ending = ending ?? .rolloutStopped(nil)
        case .refreshed: bearer = .renewed
        case .notRefreshed(let reason): ending = ending ?? .refused(reason: reason)
        case .judged(let request, let judgement): judge(request, as: judgement, at: now)
        }
    }

    /// The number of requests that a crash would leave unknown, whether or not pending records are
    /// durable by then.
    var claim: Int { pendingClaims.reduce(recordedClaim, max) }

    /// Why these requests are repeated, without those that are sent for the first time.
    func causes(of requests: [Int]) -> [Int: String] {
        guard repeats.wasUsed else { return [:] }
        return requests.reduce(into: [:]) { $0[$1] = repeats[$1]?.cause }
    }

    mutating func note(
        _ request: Int,
        as outcome: Outcome,
        detail: String?,
        messageID: String? = nil
    ) {
        unrecorded.append(
            RequestOutcome(index: request, outcome: outcome, detail: detail, messageID: messageID)
        )
    }

    /// Records a hold before the details of the problem: a recorded problem without a hold means
    /// that a user released it.
    private mutating func hold() -> [Command] {
        guard !isHeld, let suspicion = trial?.suspicion else { return [] }
        isHeld = true
        ending = .held(suspicion)
        return [.hold(suspicion.hold)]
    }

    /// Stops the rollout before the details of the problem are recorded.
    private mutating func stopRollout() -> [Command] {
        guard !isRolloutStopped, let stop = rollout?.stop() else { return [] }
        isRolloutStopped = true
        ending = ending ?? .rolloutStopped(stop)
        return [.stopRollout(stop)]
    }
}

// MARK: - Continuing

extension DispatchMachine {
    /// How soon a machine looks again that has nothing open.
    private static let shortLook = Duration.milliseconds(20)
    /// The same with open requests, whose answers are also events.
    private static let longLook = Duration.milliseconds(200)

    private var isComplete: Bool {
        waiting.isEmpty && releasing.isEmpty && released.isEmpty && open.isEmpty
            && repeats.isEmpty
    }

    private mutating func proceed(_ now: Duration) -> [Command] {
        if isComplete { return finish(.complete) }
        if isDayOver, open.isEmpty, repeats.isEmpty { return end(.dayEnded) }
        if bearer.isDoubted { return refresh() }
        pause = pause(now)
        if let pause {
            return isTooLate(pause.end) ? drain() : takeBack() + wake(at: pause.end)
        }
        let size = window.size(at: pace.currentRate(now: now))
        let ownRoom = max(0, min(outage.mayBeOpen, size) - open.count)
        let room = max(0, min(ownRoom, share.mayBeOpen(within: rules.open) - open.count))
        let granted = pace.take(upTo: room, now: now)
        let again = repeats.isEmpty ? [] : takeDue(at: now, room: granted)
        var commands =
            isDayOver ? putBack() : release(upTo: min(size, share.fairOpen(of: rules.open)))
        let first = released.prefix(repeats.isFull ? 0 : granted - again.count)
        released = released.dropFirst(first.count)
        let batch = again + first
        pace.giveBack(granted - batch.count)
        for request in batch { open[request] = now }
        if !batch.isEmpty { commands.append(.send(batch)) }
        commands += waitForPace(room - batch.count, at: now)
        commands += waitForShare(isFull: ownRoom > room && batch.count == room, at: now)
        return repeats.isEmpty ? commands : commands + waitForRepeats(now)
    }

    private func pause(_ now: Duration) -> Pause? {
        let pauses = [
            pace.pauseEnd(now: now)
                .map { Pause(reason: pace.isRefused ? .quota : .asked, end: $0) },
            outage.end(now: now).map { Pause(reason: .outage, end: $0) },
            absence.end(now: now).map { Pause(reason: .unreachable, end: $0) },
        ]
        return pauses.compactMap(\.self).max { $0.end < $1.end }
    }

    /// Ends the occurrence if its message expires before anything may be sent.
    private mutating func isTooLate(_ time: Duration) -> Bool {
        guard let expiry = rules.expiry, time >= expiry else { return false }
        ending = .expired
        return true
    }

    /// `room`: number of additional requests that could be open.
    private mutating func waitForPace(_ room: Int, at now: Duration) -> [Command] {
        let isDue = repeats.next.map { $0 <= now } ?? false
        let count = min(room, (repeats.isFull ? 0 : released.count) + (isDue ? 1 : 0))
        guard count > 0,
            let next = pace.next(for: min(count, pace.stroke(now: now)), now: now)
        else { return [] }
        return isTooLate(next) ? drain() : wake(at: next)
    }

    /// Looks again soon if only the run's other occurrences are in the way; their answers are no
    /// events here.
    ///
    /// `isFull`: whether they leave no room for more open requests.
    private mutating func waitForShare(isFull: Bool, at now: Duration) -> [Command] {
        let hasMore = !released.isEmpty && !repeats.isFull
        let waitsForRoom = isFull && (hasMore || (repeats.next.map { $0 <= now } ?? false))
        let waitsForClaim =
            !isDayOver && !waiting.isEmpty && released.isEmpty && pendingClaims.isEmpty
        guard share != .alone, waitsForRoom || waitsForClaim else { return [] }
        return wake(at: now + (open.isEmpty ? Self.shortLook : Self.longLook))
    }

    /// Takes requests for an immediate retry; ones that are known to be unsent wait for the mark
    /// again.
    private mutating func takeDue(at now: Duration, room: Int) -> [Int] {
        var again: [Int] = []
        var untaken: [Int] = []
        while let request = repeats.takeDue(now: now, maySend: again.count < room) {
            if repeats[request]?.cause == nil {
                untaken.append(request)
            } else {
                again.append(request)
            }
        }
        if !untaken.isEmpty { waiting.insert(untaken) }
        return again
    }

    /// Records all known outcomes while only waiting remains.
    private mutating func waitForRepeats(_ now: Duration) -> [Command] {
        let record = open.isEmpty && !unrecorded.isEmpty ? [takeRecord(released: nil)] : []
        guard let next = repeats.next, next > now else { return record }
        return record + wake(at: next)
    }

    private mutating func wake(at time: Duration) -> [Command] {
        if let armed, armed <= time { return [] }
        armed = time
        return [.wake(at: time)]
    }

    /// Waits for requests with the old bearer, then requests a new one, once.
    private mutating func refresh() -> [Command] {
        guard open.isEmpty, bearer == .doubted else { return [] }
        bearer = .refreshing
        return takeBack() + [.refresh]
    }

    /// Raises the mark when no more requests are outstanding than may be open.
    ///
    /// The mark rises to twice the number of requests that may be open, within the limit. Requests
    /// above the mark are known to be unsent; after the mark is raised this is no longer certain.
    private mutating func release(upTo size: Int) -> [Command] {
        let outstanding = released.count + open.count
        let count = min(2 * size, share.mayBeClaimed(within: rules.open)) - outstanding
        guard pendingClaims.isEmpty, !waiting.isEmpty, outstanding <= size, count > 0 else {
            return makeRoom()
        }
        releasing = waiting.takeFirst(count)
        for request in releasing where request < mark { note(request, as: .intended, detail: nil) }
        mark = max(mark, (releasing.last ?? 0) + 1)
        return [takeRecord(released: mark)]
    }

    /// Records known outcomes while the occurrence claims more than its part, so that others can
    /// begin.
    private mutating func makeRoom() -> [Command] {
        guard claim > share.fairClaim(of: rules.open), pendingClaims.isEmpty, !unrecorded.isEmpty
        else { return [] }
        return [takeRecord(released: nil)]
    }

    /// Records requests that are not sent during a pause as returned, so that a crash in the pause
    /// leaves nothing unknown.
    private mutating func takeBack() -> [Command] {
        waiting.insert(returnUnsent())
        return unrecorded.isEmpty ? [] : [takeRecord(released: nil)]
    }

    /// Like `takeBack`; without anything to take back, only makes room for other occurrences.
    private mutating func putBack() -> [Command] {
        released.isEmpty && releasing.isEmpty ? makeRoom() : takeBack()
    }

    /// Removes requests that were released but not sent, including those of the pending record.
    private mutating func returnUnsent() -> [Int] {
        let unsent = released + releasing
        for request in unsent { note(request, as: .returned, detail: nil) }
        (released, releasing) = ([], [])
        return Array(unsent)
    }

    /// Takes the final outcome of each request.
    private mutating func takeRecord(released: Int?) -> Command {
        defer { unrecorded = [] }
        pendingClaims.append(unsettled)
        guard repeats.wasUsed else { return .record(unrecorded, released: released) }
        var seen: Set<Int> = []
        let last = unrecorded.reversed().filter { seen.insert($0.index).inserted }
        return .record(last.reversed(), released: released)
    }

    /// The number of released requests whose outcome is not known, including those of the record that
    /// is being made.
    private var unsettled: Int {
        let isOpen =
            repeats.wasUsed ? open.keys.count { repeats[$0]?.cause == nil } : open.count
        return released.count + releasing.count + isOpen
    }

    /// Waits for open requests, then takes back requests that were released but not sent.
    private mutating func drain() -> [Command] {
        guard open.isEmpty, let ending else { return [] }
        // Nothing is left to hold after the answers to the last requests.
        if ending.needsRest, isComplete { return finish(.complete) }
        return end(ending)
    }

    /// Ends with requests that were not sent.
    private mutating func end(_ end: End) -> [Command] {
        _ = returnUnsent()
        return finish(end)
    }

    private mutating func finish(_ end: End) -> [Command] {
        isFinished = true
        let record = unrecorded.isEmpty ? [] : [takeRecord(released: nil)]
        let dead = trial?.takeRest(isWhole: end == .complete) ?? []
        return record + (dead.isEmpty ? [] : [.markDead(dead)]) + [.finish(end)]
    }
}

/// Whether the bearer is usable.
enum TokenStatus: Hashable, Sendable {
    case trusted
    /// It was rejected: nothing is sent before it is renewed.
    case doubted
    case refreshing
    /// No request with the new bearer has been accepted yet.
    case renewed

    var isDoubted: Bool { self == .doubted || self == .refreshing }
}
