import Applying
import CampaignModel
import Planning
import Presentation
import RunControl
import Service
import State
import Time

/// Sends in windows, and waits between them without the lock.
///
/// A window begins when something is due, or when the state changed. Each window connects again, so
/// it uses the current credential.
struct ServiceLoop {
    private let run: DueRun
    private let reload: ReloadRequest

    init(_ run: DueRun, reload: ReloadRequest) {
        self.run = run
        self.reload = reload
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

    /// Returns after the service was asked to stop.
    func perform() async throws(CommandFailure) {
        var machine = try await run.machine()
        var shown: (next: Instant?, standing: String)?
        var sighting = RunnerSighting(run)
        while !run.stop.isRaised {
            await sighting.note()
            var version = try? await run.target.store.version()
            var pause = Self.retryPause
            var longest = RunnerSighting.interval
            run.monitor.begins(waiting: .seconds(run.options.lockTimeout))
            do throws(CommandFailure) {
                let outlook = try await look(with: &machine)
                pause = outlook.pause
                longest = max(longest, outlook.planning * Self.planningShare)
                if outlook.isStuck { version = try? await run.target.store.version() }
                if shown?.standing != outlook.standing { say(outlook.standing) }
                if shown.map({ $0.next != outlook.next }) ?? true {
                    say(ServiceWording.waiting(for: outlook.next, at: run.session.clock.now()))
                    run.monitor.waits(for: outlook.next)
                }
                shown = (outlook.next, outlook.standing)
            } catch {
                run.monitor.failed(error)
                if run.monitor.showsText {
                    let style = run.session.options.errorStyle
                    Output.message(ErrorTextView(style: style).render(error.text))
                }
                say(ServiceWording.retrying(after: Self.retryPause))
                version = try? await run.target.store.version()
            }
            await wait(
                min(pause, longest, Self.longestPause),
                until: shown?.next,
                from: version,
                noting: &sighting
            )
        }
    }

    /// Performs a window if there is work, and returns what comes next.
    private func look(
        with machine: inout ServiceMachine
    ) async throws(CommandFailure) -> Outlook {
        let start = run.steady.now
        let due = try await run.target.due(in: run.session)
        let planning = run.steady.now - start
        await run.monitor.looked(at: due, behind: run.clockProblem(in: &machine))
        let now = run.session.clock.now()
        let untilDue =
            due.next.map { Duration.seconds(max(0, $0.seconds(since: now))) } ?? Self.longestPause
        let standing = run.standing(in: due, isReported: false)
        guard try await needsLock(due) else {
            return Outlook(
                next: due.next,
                standing: standing,
                pause: untilDue,
                planning: planning,
                isStuck: false
            )
        }
        let result = try await run.perform(with: &machine, isWhole: false, known: due)
        await run.monitor.ended(result)
        if let error = result.report?.error, error != .interrupted {
            throw CommandFailure(ErrorText(error), problem: ServiceProblem(error))
        }
        let isStuck = !(result.report?.didAnything ?? true)
        let rest = result.next ?? (isStuck ? Self.retryPause : .zero)
        return Outlook(
            next: due.next,
            standing: standing,
            pause: min(untilDue, rest),
            planning: planning,
            isStuck: isStuck
        )
    }

    /// Whether something is due, or a crashed run or a resolution waits for a writer.
    private func needsLock(_ due: DuePlan) async throws(CommandFailure) -> Bool {
        if due.plan.hasChanges { return true }
        return try await mapStateErrors { () async throws(StateStoreError) in
            if try await !run.target.store.requestedResolutions().isEmpty { return true }
            guard try await run.target.store.runs(limit: 1).first?.status == .running else {
                return false
            }
            // Another process may be writing.
            return try await run.target.store.currentWriter() == .nobody
        }
    }

    /// Waits until the pause is over, the clock reaches the due time, the state changes, or the
    /// service is asked to stop or to read the credential again.
    private func wait(
        _ pause: Duration,
        until due: Instant?,
        from version: StateVersion?,
        noting sighting: inout RunnerSighting
    ) async {
        var version = version
        let isBefore = due.map { run.session.clock.now() < $0 } ?? false
        let end = run.steady.now + pause
        while run.steady.now < end {
            run.monitor.beat()
            let left = end - run.steady.now
            let isSoon =
                isBefore && due.map { $0.seconds(since: run.session.clock.now()) <= 1 } ?? false
            do throws(ApplyError) {
                try await run.stop.pause(
                    for: min(left, isSoon ? Self.lookJustBefore : Self.lookEvery)
                )
            } catch {
                return
            }
            if isBefore, let due, run.session.clock.now() >= due { return }
            if isSoon { continue }
            if reload.take() {
                run.monitor.reloading()
                return say(ServiceWording.reloading)
            }
            if (try? await run.target.store.version()) != version { return }
            if let noted = await sighting.note() {
                if noted.before != version { return }
                version = noted.after
            }
        }
    }

    private func say(_ text: String) {
        if run.monitor.showsText { run.session.options.tell(text) }
    }
}
