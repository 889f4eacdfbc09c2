import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import Planning
import RateControl
import State

/// The loop of one change: it reads members in chunks, sends requests at the allowed pace, and
/// records each answer.
///
/// All access to the state and the list happens here, sequentially; only requests are tasks. Memory
/// holds three chunks and the open requests.
struct MembershipStream {
    let executor: MembershipExecutor
    let change: MembershipChange
    let direction: InstanceIDBatch.Change
    let source: MemberSource
    var route: MembershipRoute
    private(set) var tally = MembershipTally()

    /// Members with pending requests, in order.
    private var waiting = MembershipQueue()
    /// Number of open requests.
    private var open = 0
    private var isAsking = false
    private var isOver = false
    private var end: ApplyError?
    private var brokenOff: ApplyError?
    private var isDraining = false
    /// The next time at which the loop wakes up.
    private var alarm: Duration?
    /// Results that are not recorded yet.
    private var landed: [MembershipResult] = []
    private var lastRecord = Duration.zero
    private var toldPause = Duration.zero
    private var random = JitterSource(seed: .random(in: 0 ... .max))

    /// The most answers to single requests per record, and the longest time between records.
    private static let recordSize = 1_000
    private static let recordTime = Duration.milliseconds(200)
    /// Number of members that wait while others are queried.
    private static let reserve = 2 * MemberSource.stretch

    init(
        _ executor: MembershipExecutor,
        _ change: MembershipChange,
        _ direction: InstanceIDBatch.Change,
        from source: MemberSource,
        by route: MembershipRoute
    ) {
        self.executor = executor
        self.change = change
        self.direction = direction
        self.source = source
        self.route = route
    }

    /// The result of a task in the group.
    private enum TaskResult: Sendable {
        case asked(
            SortingMembers,
            MembershipRoute,
            Result<MembershipReader.Reading, ApplyError>
        )
        case answered(MembershipWork, MembershipRoute, MembershipReply)
        case woke(at: Duration)
        case stopped
        case drainIsOver
    }

    /// Performs the whole change; the tally contains the work before an error.
    mutating func run() async -> ApplyError? {
        var stream = self
        let executor = executor
        self = await withTaskGroup(of: TaskResult.self) { group in
            group.addTask {
                await executor.stop.wait()
                return .stopped
            }
            await stream.run(&group)
            group.cancelAll()
            await stream.finish()
            return stream
        }
        return end
    }

    private mutating func run(_ group: inout TaskGroup<TaskResult>) async {
        while true {
            do throws(ApplyError) {
                if executor.stop.isRaised { throw .interrupted }
                if end == nil { try await advance(&group) }
            } catch {
                stop(for: error, &group)
            }
            let isIdle = open == 0 && !isAsking
            if isIdle, end != nil || (isOver && waiting.isEmpty) { return }
            guard let landing = await group.next() else { return }
            if case .drainIsOver = landing { return }
            do throws(ApplyError) {
                try await receive(landing, &group)
            } catch {
                stop(for: error, &group)
            }
        }
    }

    /// Records results even if a later step failed.
    private mutating func finish() async {
        do throws(ApplyError) { try await recordLanded() } catch { end = end ?? error }
        end = end ?? brokenOff
    }

    /// Stops the loop; open requests may still complete.
    private mutating func stop(for error: ApplyError, _ group: inout TaskGroup<TaskResult>) {
        end = end ?? error
        guard !isDraining else { return }
        isDraining = true
        let limit = executor.drainLimit
        group.addTask {
            try? await Task.sleep(for: limit)
            return .drainIsOver
        }
    }
}

// MARK: - Sending requests

extension MembershipStream {
    private mutating func advance(_ group: inout TaskGroup<TaskResult>) async throws(ApplyError) {
        try await refill(&group)
        let now = executor.pace.now
        while open < executor.lanes(route.transport) {
            guard let count = waiting.ready(at: now, upTo: route.requestSize) else {
                return wake(at: waiting.next, &group)
            }
            if let moment = executor.pace.next(for: count, now: now) {
                return wake(at: moment, &group)
            }
            let granted = executor.pace.take(upTo: count, now: now)
            guard granted > 0 else { return wake(at: now + .milliseconds(10), &group) }
            send(waiting.take(granted), &group)
            try await refill(&group)
        }
    }

    private mutating func send(_ work: MembershipWork, _ group: inout TaskGroup<TaskResult>) {
        open += 1
        let (executor, route) = (executor, route)
        let (direction, topic) = (direction, change.scope.topic)
        group.addTask {
            let reply = await executor.reply(to: work, direction, topic, by: route)
            return .answered(work, route, reply)
        }
    }

    private mutating func wake(at moment: Duration?, _ group: inout TaskGroup<TaskResult>) {
        guard let moment, alarm.map({ moment < $0 }) ?? true else { return }
        alarm = moment
        let pace = executor.pace
        group.addTask {
            await pace.sleep(until: moment)
            return .woke(at: moment)
        }
    }

    /// Reads members while few are waiting, and queries unclear ones at the same time.
    private mutating func refill(_ group: inout TaskGroup<TaskResult>) async throws(ApplyError) {
        while !isOver, !isAsking, waiting.count < Self.reserve {
            guard let members = try await next() else { return }
            guard direction == .add else {
                waiting.append(members)
                continue
            }
            let sorting = try await executor.sorting(members, change)
            if sorting.doubtful.isEmpty {
                try await take(sorting.sorted(there: []))
            } else {
                ask(sorting, &group)
            }
        }
    }

    /// Returns the next members; if the list is truncated or differs from the plan, the change ends
    /// after all earlier members.
    private mutating func next() async throws(ApplyError) -> [Member]? {
        do throws(ApplyError) {
            let members = try await source.next()
            isOver = members.isEmpty
            return isOver ? nil : members
        } catch {
            guard case .list = error else { throw error }
            (isOver, brokenOff) = (true, error)
            return nil
        }
    }

    private mutating func ask(_ sorting: SortingMembers, _ group: inout TaskGroup<TaskResult>) {
        isAsking = true
        let (reader, route) = (executor.reader(route), route)
        group.addTask {
            do throws(ApplyError) {
                return .asked(sorting, route, .success(try await reader.read(sorting.doubtful)))
            } catch {
                return .asked(sorting, route, .failure(error))
            }
        }
    }

    private mutating func take(_ sorted: SortedMembers) async throws(ApplyError) {
        try await executor.record(sorted, in: change.scope)
        tally.external += sorted.external.count
        let settled = sorted.external.count + sorted.optedOut.count
        if settled > 0 { executor.report(.progressed(by: settled)) }
        waiting.append(sorted.ours)
    }
}

// MARK: - Receiving answers

extension MembershipStream {
    private mutating func receive(
        _ landing: TaskResult,
        _ group: inout TaskGroup<TaskResult>
    ) async throws(ApplyError) {
        switch landing {
        case .asked(let sorting, let route, let reading):
            isAsking = false
            switch try reading.get() {
            case .answers(let answers):
                try await confirm(route)
                guard end == nil else { return }
                try await take(sorting.sorted(answers, in: change.scope.topic))
            case .notServed(let reason):
                leaveBatches(because: reason)
                if end == nil { ask(sorting, &group) }
            }
        case .answered(let work, let route, let reply):
            open -= 1
            try await receive(reply, of: work, by: route)
            if isRecordDue { try await recordLanded() }
        case .woke(let moment): if alarm == moment { alarm = nil }
        case .stopped, .drainIsOver: break
        }
    }

    private mutating func receive(
        _ reply: MembershipReply,
        of work: MembershipWork,
        by route: MembershipRoute
    ) async throws(ApplyError) {
        let pace = executor.pace
        switch reply {
        case .verdicts(let verdicts):
            try await confirm(route)
            try await receive(verdicts, of: work)
        case .throttled(let reason, let delay):
            try throttle(work.members, of: work, unanswered: reason, retryAfter: delay)
        case .passing(let reason, let delay, let isAnswered):
            if isAnswered { pace.failed(retryAfter: delay, now: pace.now) }
            tellPause(.asked)
            let shortest = isAnswered ? repeatPause(after: work.failures) : .zero
            try again(work, work.members, unanswered: reason, delay: delay ?? shortest)
        case .notServed(let reason):
            leaveBatches(because: reason)
            waiting.putBack(work.members)
        case .refusedUs(let reason): throw .refused(reason: reason)
        }
    }

    private mutating func receive(
        _ verdicts: [MembershipVerdict],
        of work: MembershipWork
    ) async throws(ApplyError) {
        let judged = Array(zip(work.members, verdicts))
        let quota = judged.filter { $1 == .passing(isQuota: true) }.map(\.0)
        let others = judged.filter { $1 == .passing(isQuota: false) }.map(\.0)
        landed += judged.compactMap { $1.result(of: $0) }
        if route.transport == .batch { try await recordLanded() }
        if judged.count > quota.count {
            executor.pace.accepted(judged.count - quota.count, now: executor.pace.now)
        }
        try throttle(
            quota,
            of: work,
            unanswered: "FCM's quota was used up for \(quota.count) of them",
            retryAfter: nil
        )
        try again(
            work,
            others,
            unanswered: "FCM neither accepted nor refused \(others.count) of them",
            delay: .zero
        )
    }

    /// Records FCM's answers: batches immediately, single registrations in groups.
    private mutating func recordLanded() async throws(ApplyError) {
        lastRecord = executor.pace.now
        guard !landed.isEmpty else { return }
        tally += try await executor.finish(landed, direction, in: change.scope)
        for event in ApplyEvent.progress(of: landed) { executor.report(event) }
        landed = []
    }

    private var isRecordDue: Bool {
        landed.count >= Self.recordSize || executor.pace.now - lastRecord >= Self.recordTime
            || open == 0
    }

    /// Queues members that hit the quota until the pace allows them.
    private mutating func throttle(
        _ members: [Member],
        of work: MembershipWork,
        unanswered reason: String,
        retryAfter: Duration?
    ) throws(ApplyError) {
        guard !members.isEmpty else { return }
        let pace = executor.pace
        pace.throttled(members.count, retryAfter: retryAfter, now: pace.now)
        tellPause(.quota)
        guard !pace.isRefusedForGood else { throw .unanswered(reason: reason) }
        waiting.putBack(members, failures: work.failures)
    }

    /// Reports a pause once, and again if it becomes longer.
    private mutating func tellPause(_ reason: PauseReason) {
        let now = executor.pace.now
        guard let end = executor.pace.pauseEnd(now: now), end > toldPause else { return }
        toldPause = end
        executor.report(.pausing(reason, for: end - now))
    }

    /// Queues members without a final verdict for a retry, after a separate pause.
    private mutating func again(
        _ work: MembershipWork,
        _ members: [Member],
        unanswered reason: String,
        delay: Duration
    ) throws(ApplyError) {
        guard !members.isEmpty else { return }
        let failures = work.failures + 1
        guard failures < Backoff.maximumFailures else { throw .unanswered(reason: reason) }
        let pause = max(executor.backoff.pause(after: failures), delay)
        waiting.delay(members, failures: failures, until: executor.pace.now + pause)
    }

    /// Returns the pause after a server error without a requested time: the same as before a
    /// repeated send.
    private mutating func repeatPause(after failures: Int) -> Duration {
        let shortest = executor.backoff.shortestRepeat
        let spread = shortest * (1 << min(failures, Backoff.maximumFailures))
        return shortest + spread * Double.random(in: 0..<1, using: &random)
    }

    private mutating func leaveBatches(because reason: String) {
        guard route.leave(because: reason) else { return }
        executor.report(.transportChosen(.perRegistration, because: reason))
    }

    /// Records that this route gave a conclusive answer.
    private mutating func confirm(_ answered: MembershipRoute) async throws(ApplyError) {
        guard answered.transport == route.transport, route.works() else { return }
        try await mapLedgerErrors { [executor, route] () async throws(StateStoreError) in
            try await executor.book.remember(route.transport)
        }
    }
}
