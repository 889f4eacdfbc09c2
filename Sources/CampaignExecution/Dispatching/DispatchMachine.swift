import CampaignModel
package import CampaignState

/// Decides what to release, send, record and repeat of one unit of work.
///
/// It is pure: a driver performs its commands and tells it what came of them.
///
/// - Invariant: a request is sent only after a `record` command has raised the released mark
///   above it, and at most `2 * maximumOpen` released requests have no recorded outcome.
package struct DispatchMachine: Sendable {
    package enum Event: Sendable {
        case begin
        case judged(request: Int, Judgement)
        case woke
        /// Send nothing more; wait for what is open.
        case stop
    }

    package enum Command: Hashable, Sendable {
        /// Must be durable before any command that follows it.
        case record([UnitOutcome], released: Int?)
        case send([Int])
        /// Tell `woke` at this time.
        case wake(at: Duration)
        case finish(End)
    }

    package enum End: Hashable, Sendable {
        /// Every request has an outcome.
        case complete
        case stopped
        /// The message is worth nothing any more; what was not sent stays without an outcome.
        case expired
        /// FCM refuses us: credential, project or request.
        case refused(reason: String)
        /// The server could not be reached, several times in a row.
        case unanswered(reason: String)
    }

    private var waiting: RequestRanges
    private var released: ArraySlice<Int> = []
    private var open: Set<Int> = []
    private var unrecorded: [UnitOutcome] = []
    private var mark: Int
    private let maximumOpen: Int
    private let keepsNames: Bool
    private let keepsIDs: Bool
    private var ending: End?
    private var retry: RetryState
    private let expiry: Duration?

    /// Begins with the requests that are still to be made, above the mark as it is on disk.
    ///
    /// The names of accepted messages are recorded as details where `keepsNames` says so, beside
    /// the ledger where `keepsIDs` does. From `expiry` on, a
    /// time on the clock of `receive`, nothing is sent any more.
    package init(
        requests: RequestRanges,
        mark: Int,
        maximumOpen: Int,
        keepsNames: Bool,
        keepsIDs: Bool = false,
        expiry: Duration? = nil,
        backoff: Backoff = .standard
    ) {
        waiting = requests
        self.mark = mark
        self.maximumOpen = maximumOpen
        self.keepsNames = keepsNames
        self.keepsIDs = keepsIDs
        self.expiry = expiry
        retry = RetryState(backoff: backoff)
    }

    /// `now`: time on a clock that never goes back, from any beginning.
    package mutating func receive(_ event: Event, now: Duration) -> [Command] {
        switch event {
        case .begin, .woke: break
        case .stop: ending = ending ?? .stopped
        case .judged(let request, let judgement): judge(request, judgement, now)
        }
        if let expiry, now >= expiry, !isComplete { ending = ending ?? .expired }
        return ending == nil ? proceed(now) : drain()
    }

    private mutating func judge(_ request: Int, _ judgement: Judgement, _ now: Duration) {
        open.remove(request)
        switch judgement {
        case .accepted(let name):
            retry.succeeded()
            note(request, .accepted, keepsNames ? name : nil, messageID: keepsIDs ? name : nil)
        case .rejected(let reason):
            retry.succeeded()
            note(request, .rejected, reason)
        case .unknown(let reason):
            note(request, .unknown, reason)
            if !retry.stayedSilent(whileOpen: open.count) {
                ending = ending ?? .unanswered(reason: reason)
            }
        case .undelivered(let reason, let delay):
            released.insert(request, at: released.startIndex)
            if !retry.failed(now: now, delay: delay) {
                ending = ending ?? .unanswered(reason: reason)
            }
        case .refusedUs(let reason):
            note(request, .returned, reason)
            ending = ending ?? .refused(reason: reason)
        }
    }

    private mutating func note(
        _ request: Int,
        _ outcome: Outcome,
        _ detail: String?,
        messageID: String? = nil
    ) {
        unrecorded.append(
            UnitOutcome(index: request, outcome: outcome, detail: detail, messageID: messageID)
        )
    }

    private var isComplete: Bool { waiting.isEmpty && released.isEmpty && open.isEmpty }

    private mutating func proceed(_ now: Duration) -> [Command] {
        if isComplete { return finish(.complete) }
        if let pause = retry.pause(now: now) { return takeBack() + [.wake(at: pause)] }
        var commands = release().map { [$0] } ?? []
        let batch = released.prefix(maximumOpen - open.count)
        released = released.dropFirst(batch.count)
        open.formUnion(batch)
        if !batch.isEmpty { commands.append(.send(Array(batch))) }
        return commands
    }

    /// Raises the mark when half of what it allows is answered.
    ///
    /// Requests below it are known not to have been sent; from now on that is no longer known.
    private mutating func release() -> Command? {
        let outstanding = released.count + open.count
        guard !waiting.isEmpty, outstanding <= maximumOpen else { return nil }
        let next = waiting.takeFirst(2 * maximumOpen - outstanding)
        released += next
        for request in next where request < mark { note(request, .intended, nil) }
        mark = max(mark, (next.last ?? 0) + 1)
        return takeRecord(released: mark)
    }

    /// What is not sent during a pause is recorded as returned, so that an end of the process in
    /// the middle of it leaves nothing unknown.
    private mutating func takeBack() -> [Command] {
        for request in released { note(request, .returned, nil) }
        waiting.insert(released)
        released = []
        return unrecorded.isEmpty ? [] : [takeRecord(released: nil)]
    }

    private mutating func takeRecord(released: Int?) -> Command {
        defer { unrecorded = [] }
        return .record(unrecorded, released: released)
    }

    /// Waits for what is open; then what was released and not sent is taken back.
    private mutating func drain() -> [Command] {
        guard open.isEmpty, let ending else { return [] }
        for request in released { note(request, .returned, nil) }
        released = []
        return finish(ending)
    }

    private mutating func finish(_ end: End) -> [Command] {
        let record = unrecorded.isEmpty ? [] : [takeRecord(released: nil)]
        return record + [.finish(end)]
    }
}

/// When to try again after requests that are known not to have been taken.
///
/// All of a unit's requests share it: what one cannot reach, the others cannot either.
private struct RetryState: Sendable {
    private let backoff: Backoff
    private var failures = 0
    private var delays = 0
    private var silences = 0
    private var tolerated = 0
    private var until: Duration = .zero

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    mutating func succeeded() {
        failures = 0
        delays = 0
        silences = 0
    }

    /// Counts a request of which nothing is known; returns false when it is time to give up, so
    /// that an outage does not use a whole list up.
    ///
    /// What was in the air at the first silence may have met the same end: it does not count.
    mutating func stayedSilent(whileOpen open: Int) -> Bool {
        if silences == 0 { tolerated = open + Self.maximumSilences }
        silences += 1
        return silences < tolerated
    }

    private static let maximumSilences = 20
    /// So many announced pauses in a row, without an answer between them, end the waiting.
    private static let maximumDelays = 20

    /// Returns false when it is time to give up.
    mutating func failed(now: Duration, delay: Duration?) -> Bool {
        if let delay {
            if now >= until { delays += 1 }
            until = max(until, now + delay)
            return delays < Self.maximumDelays
        }
        // What fails during a pause was sent before it, and belongs to the failure that began it.
        guard now >= until else { return true }
        failures += 1
        until = now + backoff.pause(after: failures)
        return failures < Backoff.maximumFailures
    }

    func pause(now: Duration) -> Duration? { now < until ? until : nil }
}
