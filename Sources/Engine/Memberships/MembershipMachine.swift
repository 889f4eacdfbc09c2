import CampaignModel
import FCMWire
import Planning
import RateControl
import RunControl
import State

/// Decides what to read, record, request and repeat in one membership change.
///
/// It is pure: a driver performs its commands and reports their results. At most one read or query,
/// and one write, are under way. Memory holds three chunks of members and the open requests.
///
/// - Invariant: A member is requested only after the state records it as joining or leaving. The
///   rest of a batch is repeated only after the batch's verdicts are recorded.
struct MembershipMachine: Sendable {
    typealias Direction = InstanceIDBatch.Change

    enum Event: Sendable {
        case begin
        /// The next members, none at the end, with their recorded statuses if they join.
        case read([Member], standings: [Fingerprint: Set<MembershipStatus>])
        case notRead(ApplyError)
        case queried(MembershipReader.Reading, by: MembershipRoute)
        case notQueried(ApplyError)
        case answered(MembershipWork, MembershipReply, by: MembershipRoute)
        /// The last write is durable.
        case written
        case notWritten(StateStoreError)
        case woke
        /// Request nothing more; wait for open requests.
        case stop
        /// The limit of the wait for open requests is over.
        case drained
    }

    enum Command: Hashable, Sendable {
        /// Read the next members; leaves are durably recorded before the result is reported.
        case read
        /// Query the subscriptions of these members.
        case query([Member], by: MembershipRoute)
        case write(MembershipWrite)
        case request(MembershipWork, by: MembershipRoute)
        /// Send `woke` at this time.
        case wake(at: Duration)
        /// Send `drained` after the drain limit.
        case drain
        case report(ApplyEvent)
        /// The change is over; with the reason if it ended early.
        case finish(ApplyError?)
    }

    /// The limits of a change.
    struct Rules: Sendable {
        let open: OpenLimit
        let backoff: Backoff
        /// The seed of the jitter between retries.
        let seed: UInt64
    }

    /// The progress of reading members.
    private enum Intake: Sendable {
        case idle
        case reading
        case querying(SortingMembers)
        /// They wait for a write, or are being written.
        case recording(SortedMembers)
        case over

        var isUnderWay: Bool {
            switch self {
            case .reading, .querying: true
            case .idle, .recording, .over: false
            }
        }
    }

    /// Members that may be requested again once the verdicts of their batch are durable.
    struct HeldWork: Sendable {
        let work: MembershipWork
        /// When they may be requested; nil for as soon as the pace allows it.
        let time: Duration?
    }

    let change: MembershipChange
    let direction: Direction
    let rules: Rules
    var route: MembershipRoute
    /// The pace of the whole run, to be passed to the next change.
    var pace: PaceMachine
    /// The recorded work, also before an error.
    private(set) var tally = MembershipTally()
    /// Members with pending requests, in order.
    var waiting = MembershipQueue()
    /// The open requests, by their first members, and when they were passed on.
    private var open: [Fingerprint: Duration] = [:]
    private(set) var window: OpenWindow
    /// Number of members in the last request.
    private var lastSize = 1
    private var intake = Intake.idle
    /// Why the list ended early; it counts after all earlier members are done.
    private var listError: ApplyError?
    private(set) var end: ApplyError?
    private var isDraining = false
    private var isDrained = false
    private var isFinished = false
    /// The next time at which the driver wakes the machine.
    private var armed: Duration?
    /// Verdicts that are not being written yet.
    var unrecorded: [MembershipResult] = []
    var held: [HeldWork] = []
    /// The number of verdicts in `held` that wait for the pending write.
    private var heldByWrite = 0
    private var writing: MembershipWrite?
    var isRecordDue = false
    var isRememberDue = false
    private var lastRecord = Duration.zero
    /// Whether the verdicts before the end were written, or could not be.
    private var isRestTried = false
    var toldPause = Duration.zero
    var random: JitterSource
    var commands: [Command] = []

    /// Number of concurrent batches before an answer shows how long answers take.
    private static let batchesAtStart = 10
    /// The maximum number of answers to single requests per record, and the longest time between
    /// records.
    private static let recordSize = 1_000
    private static let recordTime = Duration.milliseconds(200)
    /// Number of members that wait while others are queried.
    private static let reserve = 2 * MemberSource.stretch

    /// `pace`: the pace of the run's membership changes, on the clock of `receive`.
    init(
        for change: MembershipChange,
        direction: Direction,
        by route: MembershipRoute,
        rules: Rules,
        pace: PaceMachine
    ) {
        self.change = change
        self.direction = direction
        self.route = route
        self.rules = rules
        self.pace = pace
        window = OpenWindow(Self.limit(rules.open, by: route))
        random = JitterSource(seed: rules.seed)
    }

    /// `now`: the time on a monotonic clock with any origin.
    mutating func receive(_ event: Event, now: Duration) -> [Command] {
        guard !isFinished else { return [] }
        take(event, at: now)
        if end == nil {
            read()
            request(now)
        }
        write(now)
        finish(now)
        defer { commands = [] }
        return commands
    }

    private mutating func take(_ event: Event, at now: Duration) {
        switch event {
        case .begin: break
        case .read(let members, let standings): take(members, standings: standings)
        case .notRead(let error):
            intake = .over
            if case .list = error { listError = error } else { fail(error) }
        case .queried(let reading, let route): take(reading, by: route)
        case .notQueried(let error):
            intake = .over
            fail(error)
        case .answered(let work, let reply, let route):
            measure(reply, of: work, at: now)
            judge(reply, of: work, by: route, at: now)
            if unrecorded.count >= Self.recordSize || now - lastRecord >= Self.recordTime
                || open.isEmpty
            {
                isRecordDue = true
            }
        case .written: written()
        case .notWritten(let error): notWritten(error)
        // A wake-up that was set for a later time still arrives.
        case .woke: if let armed, now >= armed { self.armed = nil }
        case .stop: fail(.interrupted)
        case .drained: isDrained = true
        }
    }

    /// Requests nothing more; open requests may still be answered.
    mutating func fail(_ error: ApplyError) {
        end = end ?? error
        guard !isDraining else { return }
        isDraining = true
        commands.append(.drain)
    }
}

// MARK: - Reading members

extension MembershipMachine {
    /// Reads members while few are waiting; unclear ones are queried at the same time.
    private mutating func read() {
        guard case .idle = intake, waiting.count < Self.reserve else { return }
        intake = .reading
        commands.append(.read)
    }

    private mutating func take(
        _ members: [Member],
        standings: [Fingerprint: Set<MembershipStatus>]
    ) {
        guard !members.isEmpty else {
            intake = .over
            return
        }
        guard direction == .add else {
            intake = .idle
            waiting.append(members)
            return
        }
        let sorting = SortingMembers(members, standings: standings, for: change)
        if sorting.doubtful.isEmpty {
            intake = .recording(sorting.sorted(there: []))
        } else {
            query(sorting)
        }
    }

    private mutating func query(_ sorting: SortingMembers) {
        intake = .querying(sorting)
        commands.append(.query(sorting.doubtful, by: route))
    }

    private mutating func take(_ reading: MembershipReader.Reading, by answered: MembershipRoute) {
        guard case .querying(let sorting) = intake else { return }
        intake = .over
        switch reading {
        case .answers(let answers):
            confirm(answered)
            guard end == nil else { return }
            intake = .recording(sorting.sorted(answers, in: change.scope.topic))
        case .notServed(let reason):
            leaveBatches(because: reason)
            if end == nil { query(sorting) }
        }
    }
}

// MARK: - Requesting

extension MembershipMachine {
    /// The limit of open requests by a route; batches are few and slow.
    private static func limit(_ open: OpenLimit, by route: MembershipRoute) -> OpenLimit {
        route.transport == .batch ? open.starting(at: batchesAtStart) : open
    }

    /// Adapts the number of open requests to the single requests of another route.
    mutating func widen() {
        window = OpenWindow(Self.limit(rules.open, by: route))
        lastSize = 1
    }

    private mutating func measure(
        _ reply: MembershipReply,
        of work: MembershipWork,
        at now: Duration
    ) {
        guard let sent = open.removeValue(forKey: work.members[0].fingerprint) else { return }
        if case .verdicts = reply { window.answered(after: now - sent, now: now) }
    }

    private mutating func request(_ now: Duration) {
        let rate = pace.currentRate(now: now) / Double(lastSize)
        while open.count < window.size(at: rate) {
            guard let count = waiting.ready(at: now, upTo: route.requestSize) else {
                return wake(at: waiting.next)
            }
            if let time = pace.next(for: count, now: now) { return wake(at: time) }
            let granted = pace.take(upTo: count, now: now)
            guard granted > 0 else { return wake(at: now + .milliseconds(10)) }
            let work = waiting.take(granted)
            open[work.members[0].fingerprint] = now
            lastSize = work.members.count
            commands.append(.request(work, by: route))
            read()
        }
    }

    private mutating func wake(at time: Duration?) {
        guard let time, armed.map({ time < $0 }) ?? true else { return }
        armed = time
        commands.append(.wake(at: time))
    }
}

// MARK: - Recording

extension MembershipMachine {
    /// Starts the next write unless one is under way.
    private mutating func write(_ now: Duration) {
        guard writing == nil, let next = nextWrite(now) else { return }
        writing = next
        commands.append(.write(next))
    }

    private mutating func nextWrite(_ now: Duration) -> MembershipWrite? {
        var next = MembershipWrite()
        if isRememberDue { next.transport = route.transport }
        if end == nil, case .recording(let sorted) = intake { next.beginning = sorted }
        if isRecordDue || !next.isEmpty {
            lastRecord = now
            next.verdicts = unrecorded
            heldByWrite = unrecorded.isEmpty ? 0 : held.count
            unrecorded = []
        }
        (isRecordDue, isRememberDue) = (false, false)
        return next.isEmpty ? nil : next
    }

    private mutating func written() {
        guard let write = writing.take() else { return }
        if !write.verdicts.isEmpty {
            tally += MembershipTally(of: write.verdicts, direction: direction)
            commands += ApplyEvent.progress(of: write.verdicts).map { .report($0) }
            release()
        }
        if let sorted = write.beginning { begin(sorted) }
    }

    private mutating func begin(_ sorted: SortedMembers) {
        intake = .idle
        tally.external += sorted.external.count
        let settled = sorted.external.count + sorted.optedOut.count
        if settled > 0 { commands.append(.report(.progressed(by: settled))) }
        waiting.append(sorted.ours)
    }

    private mutating func release() {
        for item in held.prefix(heldByWrite) { putBack(item) }
        held.removeFirst(heldByWrite)
        heldByWrite = 0
    }

    /// Keeps the verdicts for a later write.
    private mutating func notWritten(_ error: StateStoreError) {
        if let write = writing.take() { unrecorded = write.verdicts + unrecorded }
        heldByWrite = 0
        fail(.state(error))
    }

    // MARK: Ending

    /// Ends if nothing is under way; verdicts are recorded even if an earlier step failed.
    private mutating func finish(_ now: Duration) {
        guard isOver, writing == nil else { return }
        if !unrecorded.isEmpty, !isRestTried {
            isRestTried = true
            isRecordDue = true
            return write(now)
        }
        isFinished = true
        commands.append(.finish(end ?? listError))
    }

    private var isOver: Bool {
        if isDrained { return true }
        guard open.isEmpty, !intake.isUnderWay else { return false }
        guard end == nil else { return true }
        guard case .over = intake else { return false }
        return waiting.isEmpty && held.isEmpty
    }
}
