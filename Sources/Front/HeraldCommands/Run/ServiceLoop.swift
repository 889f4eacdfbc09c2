import Applying
import CampaignModel
import Planning
import PostgresStore
import Presentation
import RunControl
import Sending
import Service
import State
import Time

/// Sends in windows, and waits between them without the lock.
///
/// A window begins when something is due, or when the state changed. Each window connects again, so
/// it uses the current credential, and the settings of the last apply. While another service sends from
/// the state, this one is its standby and does not read the state.
struct ServiceLoop {
    private var run: DueRun
    private let turn: ServiceTurn
    private let messages = MessageWatch()
    private var refused = RefusedLists<ListVersion>()

    init(_ run: DueRun, reload: ReloadRequest) {
        self.run = run
        turn = ServiceTurn(of: run, reload: reload)
    }

    /// How long the service waits after a window that failed or could do nothing.
    private static let retryPause = Duration.seconds(30)
    /// How long the service waits at most before it plans again, for example with new time zone
    /// rules.
    private static let longestPause = Duration.seconds(3_600)
    /// The interval of checks for changes of the state.
    private static let lookEvery = Duration.seconds(1)
    /// The interval of checks of the clock, which shows whole seconds, just before a due time.
    private static let lookJustBefore = Duration.milliseconds(10)

    /// Plans without a send take at most this part of the time.
    private static let planningShare = 2_000

    /// What the service does after a look at the state.
    private struct Outlook {
        /// When the next occurrence is due; nil if none is scheduled.
        let next: Instant?
        /// What waits for a person.
        let standing: String
        let pause: Duration
        /// How long the plan took.
        let planning: Duration
        /// Whether a window was performed in which nothing could be sent.
        let isStuck: Bool
    }

    /// A plan that was made for a due time before it came.
    private struct Prepared {
        let due: DuePlan
        /// The time that planning took.
        let planning: Duration
    }

    private struct Wait {
        let pause: Duration
        /// When the next occurrence is due; nil if that is not in the future.
        let due: Instant?
        let version: StateVersion?
        /// How many seconds before the due time its plan is prepared.
        let lead: Int64
    }

    /// Returns after the service was asked to stop.
    mutating func perform() async throws(CommandFailure) {
        guard try await turn.takeRole() else { return }
        defer { run.target.role.release() }
        var machine = try await run.machine()
        var shown: (next: Instant?, standing: String)?
        var sighting = RunnerSighting(run)
        var prepared: Prepared?
        while !run.stop.isRaised {
            if prepared == nil { await sighting.note() }
            var version = try? await run.target.store.version()
            var pause = Self.retryPause
            var planning = Duration.zero
            run.monitor.begins(waiting: .seconds(run.options.lockTimeout))
            do throws(CommandFailure) {
                guard let outlook = try await look(with: &machine, prepared: prepared) else {
                    return
                }
                (pause, planning) = (outlook.pause, outlook.planning)
                if outlook.isStuck { version = try? await run.target.store.version() }
                if shown?.standing != outlook.standing { say(outlook.standing) }
                if shown.map({ $0.next != outlook.next }) ?? true {
                    say(ServiceWording.waiting(for: outlook.next, at: run.session.clock.now()))
                    run.monitor.waits(for: outlook.next)
                }
                shown = (outlook.next, outlook.standing)
            } catch {
                show(error)
                say(ServiceWording.retrying(after: Self.retryPause))
                version = try? await run.target.store.version()
            }
            let longest = max(RunnerSighting.interval, planning * Self.planningShare)
            let next = shown?.next.flatMap { run.session.clock.now() < $0 ? $0 : nil }
            let wait = Wait(
                pause: min(pause, longest, Self.longestPause),
                due: next,
                version: version,
                lead: 2 + (planning * 2).components.seconds
            )
            prepared = await perform(wait, noting: &sighting)
        }
    }

    /// Performs a window if there is work, and returns what comes next; nil if the service was asked
    /// to stop.
    ///
    /// `prepared`: the plan for this time, unless the state has changed.
    private mutating func look(
        with machine: inout ServiceMachine,
        prepared: Prepared?
    ) async throws(CommandFailure) -> Outlook? {
        let start = run.steady.now
        try await refresh(for: &machine)
        run.waiting = []
        let due = try await run.due(known: prepared?.due)
        let versions = run.versions(of: due.plan.sends)
        let work = try await withoutWaiting(due, versions: versions)
        let planning = max(prepared?.planning ?? .zero, run.steady.now - start)
        await run.monitor.looked(at: due, behind: run.clockProblem(in: &machine))
        let standing = run.standing(in: due, isReported: false)
        guard try await needsLock(work) else {
            return Outlook(
                next: due.next,
                standing: standing,
                pause: run.waiting.isEmpty
                    ? pause(until: due.next) : min(pause(until: due.next), Self.retryPause),
                planning: planning,
                isStuck: false
            )
        }
        guard try await turn.lock() else { return nil }
        do throws(CommandFailure) {
            // An apply may have had the lock until now. Then the version has changed, and what is due
            // is read again.
            try await refresh(for: &machine)
        } catch {
            await run.target.store.unlock()
            throw error
        }
        let result = try await run.performWindow(with: &machine, isWhole: false, known: work)
        refused.note(
            Set(result.report?.refusedSends.map(\.occurrence) ?? []),
            among: result.due.plan.sends,
            versions: versions,
            at: run.steady.now
        )
        await run.monitor.ended(result)
        let error = result.report?.error
        if let error, error != .interrupted {
            let failure = CommandFailure(ErrorText(error), problem: ServiceProblem(error))
            guard error.isFailover else { throw failure }
            show(failure)
        }
        // After a failover, the state is read again at once.
        let isStuck = !(result.report?.didAnything ?? true) && error?.isFailover != true
        let rest = result.next ?? (isStuck ? Self.retryPause : .zero)
        // The window may have ended a stage that the fleet sent, without a request of its own.
        let resumptions = result.report?.deferred.map(\.until) ?? []
        let next = ([due.next].compactMap(\.self) + resumptions).min()
        return Outlook(
            next: next,
            standing: standing,
            pause: min(pause(until: next), rest),
            planning: planning,
            isStuck: isStuck
        )
    }

    private func pause(until next: Instant?) -> Duration {
        guard let next else { return Self.longestPause }
        return .seconds(max(0, next.seconds(since: run.session.clock.now())))
    }

    /// Uses the settings of the last apply.
    private mutating func refresh(
        for machine: inout ServiceMachine
    ) async throws(CommandFailure) {
        try await run.target.refresh(in: run.session)
        machine.use(run.limits)
        run.monitor.use(run.target.environment, in: run.session)
    }

    /// Returns what is due without the sends whose lists would be refused again.
    private mutating func withoutWaiting(
        _ due: DuePlan,
        versions: [OccurrenceID: ListVersion]
    ) async throws(CommandFailure) -> DuePlan {
        let waiting = refused.waiting(
            among: due.plan.sends,
            versions: versions,
            at: run.steady.now
        )
        guard !waiting.isEmpty else { return due }
        run.waiting = Set(waiting.map(SendPart.init(of:)))
        return try await run.target.due(in: run.session, without: run.waiting)
    }

    /// Whether something is due, or a crashed run, a resolution or what a failover lost waits for a writer.
    private func needsLock(_ due: DuePlan) async throws(CommandFailure) -> Bool {
        if due.plan.hasChanges { return true }
        return try await mapStateErrors { () async throws(StateStoreError) in
            if let fleet = run.target.fleet, try await fleet.store.hasLostCommits() { return true }
            if try await !run.target.store.requestedResolutions().isEmpty { return true }
            if try await !run.target.store.startableRecalls().isEmpty { return true }
            if try await !run.target.store.startableReplies().isEmpty { return true }
            if try await messages.mayNeedReply(in: run.target) { return true }
            guard try await run.target.store.runs(limit: 1).first?.status == .running else {
                return false
            }
            // Another process may be writing.
            return try await run.target.store.currentWriter() == .nobody
        }
    }

    /// Waits until the pause is over, the clock reaches the due time, the state changes, a message of a
    /// device may need a reply, or the service is asked to stop or to read the credential again.
    ///
    /// - Returns: The plan for the due time, if that was reached.
    private func perform(
        _ wait: Wait,
        noting sighting: inout RunnerSighting
    ) async -> Prepared? {
        var version = wait.version
        var prepared: Prepared?
        var isPrepared = false
        let end = run.steady.now + wait.pause
        while run.steady.now < end {
            run.monitor.beat()
            let untilDue = wait.due.map { $0.seconds(since: run.session.clock.now()) } ?? .max
            let isSoon = untilDue <= wait.lead
            if isSoon, !isPrepared, let due = wait.due {
                isPrepared = true
                prepared = await prepare(for: due)
                // Time has passed.
                continue
            }
            let isNow = untilDue <= 1
            let step = isNow ? Self.lookJustBefore : Self.lookEvery
            do throws(ApplyError) {
                try await run.stop.pause(for: max(.zero, min(end - run.steady.now, step)))
            } catch {
                return nil
            }
            if let due = wait.due, run.session.clock.now() >= due { return prepared }
            if isNow { continue }
            if turn.noteReload() { return nil }
            if (try? await run.target.store.version()) != version { return nil }
            if (try? await messages.mayNeedReply(in: run.target)) == true { return nil }
            // The record changes the version, which a prepared plan must have.
            if !isSoon, let noted = await sighting.note() {
                if noted.before != version { return nil }
                version = noted.after
            }
        }
        return prepared
    }

    /// Plans what is due at a time that has not come yet; nil if that is not possible.
    private func prepare(for due: Instant) async -> Prepared? {
        run.monitor.begins(waiting: .zero)
        let start = run.steady.now
        guard let plan = try? await run.target.due(in: run.session, at: due) else { return nil }
        return Prepared(due: plan, planning: run.steady.now - start)
    }

    private func show(_ failure: CommandFailure) {
        run.monitor.failed(failure)
        guard run.monitor.showsText else { return }
        let style = run.session.options.errorStyle
        Output.message(ErrorTextView(style: style).render(failure.text))
    }

    private func say(_ text: String) {
        if run.monitor.showsText { run.session.options.tell(text) }
    }
}

extension ApplyError {
    /// Whether a failover lost commits of this process.
    fileprivate var isFailover: Bool {
        if case .state(.server(_, .lostCommits)) = self { true } else { false }
    }
}
