import Applying
import ArgumentParser
import CampaignLoading
import CampaignModel
import FCMClient
import Planning
import Presentation
import RateControl
import RunControl
import Sending
import Service
import State
import StoreTables
import Time

/// Sends what is due, according to the state alone.
///
/// It needs no confirmation: an apply recorded the definitions.
struct DueRun {
    /// How requests are sent and reported.
    struct Options {
        let parallelism: Int?
        let requestTimeout: TimeSpan
        let drainTimeout: Int
        let lockTimeout: Int
        let waitsForFanOuts: Bool
        let isQuiet: Bool
        let isVerbose: Bool
        /// The folder of the files of upstream rules; nil if no message is appended.
        let out: String?
    }

    let session: Session
    var target: AppliedTarget
    let options: Options
    /// The process that the state records.
    let worker: Worker
    /// The events of `--json`.
    let journal: ApplyJournal?
    let monitor: ServiceMonitor
    /// Ends the run early.
    let stop: StopSignal
    /// The clock of permits and pauses.
    let steady = RunClock()
    /// Whether a fleet sends long lists.
    var usesFleet = false
    /// What waits, because its list would be refused again.
    var waiting: Set<SendPart> = []

    /// How a run ended.
    struct Result {
        /// Nil if nothing was due.
        let report: ApplyReport?
        let cutOff: [SendReport]
        let due: DuePlan
        /// When the next window begins, if it is not the next due time.
        let next: Duration?

        /// Nil if everything was done.
        var exitReason: ExitReason? {
            let steps = due.plan.campaigns.map(\.step)
            let leavesUnknown = !cutOff.isEmpty || steps.contains(where: \.isStopped)
            let waits = steps.contains { $0.isPaused || $0.isHeld }
            let reasons: [ExitReason?] = [
                report?.exitReason, leavesUnknown ? .unknownOutcomes : nil,
                waits ? .partlyApplied : nil, due.refused.isEmpty ? nil : .refusedByGuard,
            ]
            return reasons.compactMap(\.self).min { $0.rank < $1.rank }
        }
    }

    /// How long a run waits for its notifications at the end.
    private static let notificationLimit = Duration.seconds(10)

    /// Performs everything that is due, under the lock, and reports it to the webhook.
    func performOnce() async throws(CommandFailure) -> Result {
        var sighting = RunnerSighting(self)
        await sighting.note()
        let result: Swift.Result<Result, CommandFailure>
        do throws(CommandFailure) {
            var machine = try await machine()
            try await lock(target.store, for: worker, waiting: options.lockTimeout)
            result = .success(try await performWindow(with: &machine, isWhole: true))
        } catch {
            result = .failure(error)
        }
        if case .success(let result) = result { await notify(of: result) }
        await monitor.finish(within: Self.notificationLimit)
        return try result.get()
    }

    /// Reports what ended in this run, and what waits for a user since then.
    ///
    /// Not the credential: the exit code shows it, and a cron job would report it with each run.
    private func notify(of result: Result) async {
        await monitor.ended(result)
        let sent = Set((result.report?.sends ?? result.cutOff).map(\.occurrence))
        guard !sent.isEmpty, let due = try? await target.due(in: session) else { return }
        await monitor.note(due.waitingForUser, isFirst: false, only: sent)
    }

    /// Makes the machine that decides the order.
    func machine() async throws(CommandFailure) -> ServiceMachine {
        let last = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.runs(limit: 1).first
        }
        return ServiceMachine(
            limits,
            lastRun: target.bypassed.contains(.clock)
                ? nil : last.map { max($0.worker.since, $0.ended ?? $0.worker.since) }
        )
    }

    /// What the environment allows at once.
    var limits: ServiceMachine.Limits {
        var pace = share?.pace ?? target.environment.pace
        if !options.waitsForFanOuts { pace.holdsFanOuts = false }
        // Each occurrence needs a request that may be released, and one that may be open.
        let occurrences = min(Self.mostOccurrences, max(1, openLimit.unknown / 2))
        // Beyond that, none of them waits for the requests of others.
        let requests = min(Self.mostRequests(at: pace), openLimit.unknown / 2)
        return ServiceMachine.Limits(occurrences: occurrences, requests: requests, pace: pace)
    }

    /// Returns what is wrong with the clock; nil if nothing is.
    func clockProblem(in machine: inout ServiceMachine) -> ErrorText? {
        for case .report(let notice) in machine.receive(.time, at: windowSettings.reading) {
            windowSettings.report(notice)
        }
        return machine.behind.map { .clockBehind($0, at: session.clock.now()) }
    }

    /// How many occurrences are sent at once at most, unless all of them are small.
    private static let mostOccurrences = 64

    /// How many requests small occurrences that are sent at once have together at most: as many as
    /// leave in half a second, within bounds.
    private static func mostRequests(at pace: Pace) -> Int {
        min(32_000, max(4_000, pace.sendsPerMinute / 120))
    }

    private var openLimit: OpenLimit {
        options.parallelism.map { OpenLimit(fixed: $0) }
            ?? OpenLimit(unknown: share?.unknown ?? target.environment.settings.maximumUnknown)
    }

    /// Nil if this process sends everything itself.
    private var share: FleetShare? {
        usesFleet && target.fleet != nil && target.sharesServer
            ? FleetShare(of: target.environment) : nil
    }

    private var handover: FleetHandover? {
        guard let share, let fleet = target.fleet else { return nil }
        return FleetHandover(fleet.store, fewest: share.fewest, mostUnknown: share.permits)
    }

    /// Performs one window under the lock, which this process has, and releases the lock.
    ///
    /// `isWhole`: whether the window lasts until everything that is due was sent. `known`: what is
    /// due, if it was just read.
    func performWindow(
        with machine: inout ServiceMachine,
        isWhole: Bool,
        known: DuePlan? = nil
    ) async throws(CommandFailure) -> Result {
        let result: Swift.Result<Result, CommandFailure>
        do throws(CommandFailure) {
            result = .success(
                try await performLocked(with: &machine, isWhole: isWhole, known: known)
            )
        } catch {
            result = .failure(error)
        }
        await target.store.unlock()
        return try result.get()
    }

    private func performLocked(
        with machine: inout ServiceMachine,
        isWhole: Bool,
        known: DuePlan?
    ) async throws(CommandFailure) -> Result {
        let commands = machine.receive(.time, at: windowSettings.reading)
        if let last = machine.behind {
            throw CommandFailure(
                .clockBehind(last, at: session.clock.now()),
                problem: .clock
            )
        }
        for case .report(let notice) in commands { windowSettings.report(notice) }
        let cutOff = try await mapStateErrors { () async throws(StateStoreError) in
            let cutOff = try await target.recorder.settleAfterCrash(
                by: worker,
                adoptsFleet: share != nil
            )
            _ = try await target.recorder.performRequested(by: worker)
            return cutOff
        }
        say(view.renderCutOff(cutOff))
        try await absorbUpstream()
        var due = try await due(known: known)
        // What is paused or cancelled is not adopted.
        let sends = Set(due.plan.sends.compactMap(\.unit?.id))
        let isTakenBack = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.recorder.takeBack(except: sends)
        }
        if isTakenBack { due = try await self.due(known: nil) }
        journal?.events.show(due.plan)
        // A service says it when it changes.
        if isWhole { say(standing(in: due, isReported: due.plan.hasChanges)) }
        let hasRequests = try await hasOpenRequests()
        guard due.plan.hasChanges || hasRequests else {
            return Result(report: nil, cutOff: cutOff, due: due, next: nil)
        }
        try refuse(due.plan)
        let work = DueWork(plan: due.plan, next: due.next)
        let (report, next) = try await carryOut(
            work,
            with: &machine,
            isWhole: isWhole,
            isServerNeeded: hasRequests || !due.plan.sends.isEmpty
        )
        journal?.keep(report)
        if let report { say(session.report(report, in: view)) }
        return Result(report: report, cutOff: cutOff, due: due, next: next)
    }

    /// Records what the messages of devices change, so that this window skips who has opted out.
    func absorbUpstream() async throws(CommandFailure) {
        let rules = target.applied.upstream
        guard !rules.isEmpty, let store = target.store as? any TableStore else { return }
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.absorbUpstream(by: rules, upTo: nil)
        }
        guard let out = options.out else { return }
        _ = try await store.appendMessages(of: rules, to: out)
    }

    /// How old a plan may be, in seconds.
    private static let longestUse: Int64 = 1

    /// Returns what is due; `known` if the state has not changed since then.
    func due(known: DuePlan?) async throws(CommandFailure) -> DuePlan {
        guard let known,
            (0...Self.longestUse).contains(session.clock.now().seconds(since: known.plan.now))
        else { return try await target.due(in: session, without: waiting) }
        let version = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.version()
        }
        return version == known.version
            ? known : try await target.due(in: session, without: waiting)
    }

    /// Prints every refusal of the guards with its fix and throws.
    private func refuse(_ plan: Plan) throws(CommandFailure) {
        guard !plan.refusals.isEmpty else { return }
        let style = session.options.errorStyle
        Output.message(GuardTextView(style: style).renderRefusals(plan))
        throw CommandFailure(.refusedByGuards(plan.refusals.count), exit: .refusedByGuard)
    }

    private func carryOut(
        _ work: DueWork,
        with machine: inout ServiceMachine,
        isWhole: Bool,
        isServerNeeded: Bool
    ) async throws(CommandFailure) -> (report: ApplyReport?, next: Duration?) {
        try await sending(at: work.plan.pace, isNeeded: isServerNeeded) { applier in
            let window = ServiceWindow(applier, settings: windowSettings, isWhole: isWhole)
            return await window.perform(
                work,
                with: &machine,
                by: worker.noting(session.trust)
            ) { busy in
                await newWork(without: busy)
            }
        }
    }

    /// Connects to the server, and shows the progress of what is sent.
    func sending<Value: Sendable>(
        at pace: Pace,
        isNeeded: Bool,
        work: (Applier) async -> Value
    ) async throws(CommandFailure) -> Value {
        let server = try await EndpointServer.reach(
            EndpointServer.Target(
                target.environment,
                of: target.applied.project(with: [], devices: devices),
                isNeeded: isNeeded,
                open: openLimit,
                allowsAnyServer: target.bypassed.contains(.endpoint)
            ),
            in: session
        )
        let progress = ProgressReporter(
            options: session.options,
            context: session.context,
            isQuiet: options.isQuiet || !monitor.showsText,
            isVerbose: options.isVerbose,
            events: journal?.events
        )
        let applier = applier(to: server, pace: pace, progress: progress)
        let ended = await progress.accompany { await work(applier) }
        await server.stop()
        return ended
    }

    /// Returns what is due now; nil if that cannot be told, or if guards refuse it.
    ///
    /// The next window says why.
    private func newWork(without busy: Set<SendPart>) async -> DueWork? {
        guard let due = try? await target.due(in: session, without: busy.union(waiting)),
            due.plan.refusals.isEmpty
        else { return nil }
        return DueWork(plan: due.plan, next: due.next)
    }

    /// The phones of an emulator that this process starts; they belong to the project, not to its
    /// state.
    private var devices: [VirtualDevice] {
        guard target.environment.endpoint == .embeddedEmulator else { return [] }
        return session.load().project?.devices ?? []
    }

    private var windowSettings: ServiceWindow.Settings {
        let style = session.options.errorStyle
        let write = session.context.error.write
        return ServiceWindow.Settings(
            wall: session.clock,
            steady: steady,
            stop: stop,
            report: { [monitor] notice in
                monitor.show(notice)
                if monitor.showsText { write(style.folded(ServiceWording.notice(notice))) }
            }
        )
    }

    private func applier(
        to server: EndpointServer,
        pace planned: Pace,
        progress: ProgressReporter
    ) -> Applier {
        var pace = share?.pace ?? planned
        // The machine has the permits, over all windows.
        pace.holdsFanOuts = false
        var endpoint = server.endpoint
        endpoint.requestTimeLimit = options.requestTimeout.duration
        let project = AppliedProject(
            directory: session.lists,
            listsAtSend: target.listDirectory.map {
                session.listsAtSend(below: $0, with: target.fingerprinter, until: stop)
            },
            fingerprinter: target.fingerprinter,
            zones: session.context.zones,
            pace: pace
        )
        let settings = RunSettings(
            transport: progress.watching(
                monitor.watching(server.transport),
                with: target.fingerprinter
            ),
            endpoint: endpoint,
            clock: session.clock,
            stop: stop,
            drainLimit: .seconds(options.drainTimeout),
            open: server.open,
            report: { [monitor] event in
                progress.show(event)
                monitor.show(event)
            }
        )
        return Applier(
            of: project,
            store: target.store,
            fleet: handover,
            settings: settings
        )
    }
}

/// What a run prints.
extension DueRun {
    /// Writes text for people: to standard error with `--json`, otherwise to standard output.
    func say(_ text: String) {
        guard monitor.showsText else { return }
        if journal != nil { Output.message(text) } else { Output.data(text) }
    }

    /// What waits for a person.
    ///
    /// `isReported`: whether the report of a run names the sends that are paused or stopped.
    func standing(in due: DuePlan, isReported: Bool) -> String {
        let wording = DueWording(hint: target.hint, handsOver: target.handsOver)
        return wording.refused(due.refused)
            + wording.waiting(due.plan.campaigns.map(\.step), isReported: isReported)
    }

    /// Says that nothing was due, and exits with the result's code.
    func show(_ result: Result, isQuiet: Bool) throws {
        if !result.due.hasWork, !isQuiet {
            say(DueWording.nothingDue(next: result.due.next, at: session.clock.now()))
        }
        if let error = result.report?.error {
            throw CommandFailure(ErrorText(error), exit: result.exitReason ?? .error)
        }
        if let reason = result.exitReason { throw reason.code }
    }

    var view: ApplyTextView {
        let style = journal == nil ? session.options.outputStyle : session.options.errorStyle
        return ApplyTextView(
            style: style,
            hint: target.hint,
            isEmulator: target.environment.isEmulator
        )
    }
}
