import Applying
import CampaignModel
import HTTPTransport
import Planning
import Presentation
import RunControl
import Service
import State
import Synchronization
import Time

/// Follows a service or a due run, and publishes what happens: as log, metrics, health,
/// notifications, and to the service manager.
///
/// A class, because the loop, the transports and the HTTP server share it. Its calls never fail and
/// never wait for a receiver.
final class ServiceMonitor: Sendable {
    /// What the monitor publishes to.
    struct Outlets: Sendable {
        let log: ServiceLog
        /// Nil for a run that no service manager started.
        let systemd: SystemdNotifier?
        /// Whether the process is a service, which also reports occurrences that waited for a user
        /// before it started.
        let isService: Bool
    }

    private struct Found {
        /// The occurrences that wait for a user, according to the last look at the state.
        var waiting: Set<OccurrenceID> = []
        var hasLooked = false
        var isReloading = false
    }

    let log: ServiceLog
    let open = OpenRequests()
    private let outlets: Outlets
    private let store: any StateStore
    private let lineage: StateLineage
    private let clock: WallClock
    private let steady: RunClock
    private let published: PublishedStatus
    private let receiver: NotificationReceiver
    private let found = Mutex(Found())

    init(
        of target: AppliedTarget,
        in session: Session,
        to outlets: Outlets
    ) async throws(CommandFailure) {
        self.outlets = outlets
        log = outlets.log
        store = target.store
        clock = session.clock
        steady = RunClock()
        published = PublishedStatus(
            ServiceStatus(
                of: target.environment.id,
                pace: target.environment.pace,
                at: session.clock.now(),
                steady: steady.now
            )
        )
        lineage = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.identity().lineage
        }
        // A due run sends even if it cannot notify; a service that cannot does not start.
        receiver = try NotificationReceiver(
            of: target,
            in: session,
            isRequired: outlets.isService
        ) { [log, published] note in
            published.update { $0.metrics.count(note.result) }
            log.note(.notification(note))
        }
    }

    /// Whether the parts of the program describe what they do as text.
    var showsText: Bool { log.showsText }

    /// The status with the numbers of this instant, and the times of its clocks.
    func status() -> (status: ServiceStatus, now: Instant, steady: Duration) {
        var status = published.status
        status.openRequests = open.count
        status.waitingNotifications = receiver.waitingCount
        return (status, clock.now(), steady.now)
    }

    var isAlive: Bool { published.status.pulse.isAlive(at: steady.now) }

    /// The number of requests to read the credential again.
    var reloads: Int { published.status.metrics.reloads }

    func watching(_ transport: any Transport) -> any Transport {
        CountingTransport(transport, in: open)
    }

    /// Delivers the notifications that wait, as far as they can be delivered within this time.
    func finish(within limit: Duration) async { await receiver.finish(within: limit) }
}

// MARK: - What the loop reports

extension ServiceMonitor {
    /// Uses the settings of the last apply.
    ///
    /// A webhook that cannot be used does not stop the sends.
    func use(_ environment: CampaignModel.Environment, in session: Session) {
        published.update { $0.pace = environment.pace }
        do throws(CommandFailure) {
            try receiver.use(environment, in: session)
        } catch {
            failed(error)
            guard showsText else { return }
            Output.message(ErrorTextView(style: session.options.errorStyle).render(error.text))
        }
    }

    /// The loop waits, and calls this at least once a second.
    func beat() {
        published.update { $0.pulse.beat(at: steady.now, allowing: ServicePulse.whileWaiting) }
    }

    /// The loop begins to work, which may include waits of this length.
    func begins(waiting limit: Duration) {
        let allowance = ServicePulse.whileWorking + limit
        published.update { $0.pulse.beat(at: steady.now, allowing: allowance) }
    }

    func show(_ event: ApplyEvent) {
        let allowance = event.pause + ServicePulse.afterPause
        published.update { status in
            status.metrics.receive(event)
            status.pulse.extend(at: steady.now, allowing: allowance)
        }
        if case .sent(let report) = event { log.note(.sent(report)) }
    }

    func show(_ notice: ServiceMachine.Notice) { log.note(.notice(notice)) }

    /// The service waits for another process, or no longer does.
    func show(_ command: StandbyMachine.Command, of need: StandbyMachine.Need) {
        switch command {
        case .report(let holder):
            let entry = ServiceLogEntry.waiting(for: holder, with: need)
            log.note(entry)
            outlets.systemd?.show(entry.message)
            if need == .role { standsBy(for: holder) }
        case .stuck(let holder):
            receive(.held(stuck: StandbyWording(holder, for: need).problem))
        case .moving: receive(.held(stuck: nil))
        case .ended(let wait):
            log.note(.ended(need, after: wait))
            if need == .role { published.update { $0.active = nil } }
        }
    }

    private func standsBy(for active: StandbyMachine.Holder) {
        let isFirst = published.update { status in
            defer { status.active = active }
            return status.active == nil
        }
        guard isFirst else { return }
        receive(.held(stuck: nil))
        outlets.systemd?.ready()
    }

    /// The state was read.
    ///
    /// `behind`: what is wrong with the clock; nil if nothing is.
    func looked(at due: DuePlan, behind: ErrorText?) async {
        let now = clock.now()
        receive(.clock(behind: behind?.message))
        receive(.looked(isIdle: !due.plan.hasChanges))
        published.update { $0.metrics.looked(due.outlook(at: now), at: now) }
        let isFirst = found.withLock { found in
            defer { found.hasLooked = true }
            return !found.hasLooked
        }
        if isFirst { outlets.systemd?.ready() }
        await note(due.waitingForUser, isFirst: isFirst)
    }

    /// A window ended.
    func ended(_ result: DueRun.Result) async {
        guard let report = result.report else { return }
        let hasFailed = report.error != nil && report.error != .interrupted
        let now = clock.now()
        published.update { status in
            status.metrics.ended(hasFailed ? .failed : .complete)
            status.metrics.ran(at: now)
        }
        if report.error == nil {
            let answers = report.tally[.accepted] + report.tally[.rejected]
            receive(.ended(reachedServer: answers > 0))
        }
        for id in report.skipped { await note(id, .skipped) }
        for id in report.expired { await note(id, .expired) }
        for send in report.sends where !report.expired.contains(send.occurrence) {
            await note(send.occurrence, .finished)
        }
    }

    /// A look at the state or a window failed.
    func failed(_ failure: CommandFailure) {
        let problem = failure.serviceProblem
        log.note(.failed(failure.text, problem: problem))
        if problem != .clock { receive(.failed(problem, reason: failure.text.message)) }
        outlets.systemd?.show(failure.text.message)
    }

    /// The state of a standby was reached again after a failure.
    func reachedState() {
        receive(.looked(isIdle: true))
    }

    func waits(for next: Instant?) {
        let entry = ServiceLogEntry.waiting(for: next, at: clock.now())
        log.note(entry)
        outlets.systemd?.show(entry.message)
    }

    /// The operator asked to read the credential again.
    func reloading() {
        outlets.systemd?.reloading()
        found.withLock { $0.isReloading = true }
        published.update { $0.metrics.reloaded() }
        receive(.reloaded)
        log.note(.reloading)
    }

    /// The credential was read again, or needs not to be read before the next window.
    func reloaded() {
        let wasReloading = found.withLock { found in
            defer { found.isReloading = false }
            return found.isReloading
        }
        if wasReloading { outlets.systemd?.ready() }
    }

    /// An access token was requested; `failure` is nil if there is one.
    func token(failure: ErrorText?) { receive(.token(failure: failure?.message)) }

    private func receive(_ event: ServiceHealth.Event) {
        let now = clock.now()
        let (before, after, changes) = published.update { status in
            let before = status.health
            let changes = status.health.receive(event, at: now)
            return (before, status.health, changes)
        }
        for change in changes where change != .ended(.starting) { log.note(.health(change)) }
        guard before.hasCredential != after.hasCredential else { return }
        let context = ServiceNotification.Context(lineage: lineage, now: now)
        let failure = after.standing.first(where: \.problem.isAboutCredential)?.reason
        notify(ServiceNotification(ofCredential: failure, context: context))
    }
}

// MARK: - Notifications

extension ServiceMonitor {
    /// Reports the occurrences that wait for a user and did not do so before.
    ///
    /// `only`: the occurrences to report; nil for all.
    func note(
        _ waiting: [OccurrenceID: ServiceMetrics.OccurrenceResult],
        isFirst: Bool,
        only: Set<OccurrenceID>? = nil
    ) async {
        let new = found.withLock { found in
            defer { found.waiting = Set(waiting.keys) }
            return waiting.filter { !found.waiting.contains($0.key) }
        }
        for (id, result) in new.sorted(by: { $0.key < $1.key }) where only?.contains(id) ?? true {
            if !isFirst { published.update { $0.metrics.count(result) } }
            await report(id, result)
        }
    }

    /// An occurrence ended in a window, as far as the state says so.
    private func note(_ id: OccurrenceID, _ result: ServiceMetrics.OccurrenceResult) async {
        guard await report(id, result) else { return }
        published.update { $0.metrics.count(result) }
    }

    /// Returns false if the state does not record the result.
    @discardableResult
    private func report(
        _ id: OccurrenceID,
        _ result: ServiceMetrics.OccurrenceResult
    ) async -> Bool {
        let record = (try? await store.occurrence(id)) ?? nil
        let counts = record?.unit?.tally ?? OutcomeTally()
        let known: ServiceNotification.Result? =
            switch result {
            case .finished where record?.status == .finished: .finished
            case .held: record?.hold.map { .held($0) }
            case .stopped: .stopped
            case .expired: .expired
            case .finished, .skipped: nil
            }
        guard known != nil || result == .skipped else { return false }
        log.note(.ended(id, result, counts: counts))
        if let known {
            let context = ServiceNotification.Context(lineage: lineage, now: clock.now())
            notify(ServiceNotification(of: id, known, counts: counts, context: context))
        }
        return true
    }

    private func notify(_ notification: ServiceNotification) { receiver.send(notification) }
}

extension ServiceHealth {
    /// Whether no problem is about the credential.
    fileprivate var hasCredential: Bool { !standing.contains { $0.problem.isAboutCredential } }
}

extension ApplyEvent {
    /// The announced time without further events.
    fileprivate var pause: Duration {
        switch self {
        case .pausing(_, let length, _): length
        case .settles(let seconds): .seconds(seconds)
        case .runBegan, .sendings, .began, .progressed, .ended, .transportChosen, .request,
            .tokenRenewed, .sent:
            .zero
        }
    }
}

extension NotificationMachine.Note {
    fileprivate var result: ServiceMetrics.NotificationResult {
        switch self {
        case .delivered: .delivered
        case .retrying: .retried
        case .dropped: .dropped
        }
    }
}
