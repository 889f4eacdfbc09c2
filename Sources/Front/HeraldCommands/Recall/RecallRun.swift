import Applying
import CampaignModel
import Presentation
import RunControl
import State
import Time

/// Performs a requested recall, or waits until another process has performed it.
struct RecallRun {
    private let arguments: RecallCommand
    private let session: Session
    private let target: AppliedTarget

    init(_ arguments: RecallCommand, session: Session, target: AppliedTarget) {
        self.arguments = arguments
        self.session = session
        self.target = target
    }

    /// How long each attempt to get the lock takes.
    private static let patience = Duration.milliseconds(300)

    /// Returns after the recall has ended, and exits with the code of its result.
    func perform(_ occurrence: OccurrenceID) async throws {
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .applying)
        defer { signals.cancel() }
        let steady = RunClock()
        let end = steady.now + .seconds(arguments.lockOptions.timeout)
        var isAnnounced = false
        while !stop.isRaised {
            if let recall = try await ended(occurrence) { return try show(recall) }
            guard let holder = try await lock() else {
                return try await performHere(until: stop)
            }
            if !isAnnounced { Output.message(view.renderRequested(occurrence, of: holder.worker)) }
            isAnnounced = true
            if steady.now >= end, try await !hasBegun(occurrence) {
                throw CommandFailure(
                    .recallWaits(for: occurrence, holder: view.name(of: holder.worker)),
                    exit: .locked
                )
            }
        }
        throw ExitReason.interrupted.code
    }

    private var view: RecallTextView {
        RecallTextView(style: arguments.options.outputStyle, now: session.clock.now())
    }

    private var worker: Worker {
        Worker.this(
            command: "herald recall \(arguments.occurrence)",
            since: session.clock.now(),
            origin: .of(session.options.directory, variables: session.context.variables),
            bypasses: arguments.endpoint.bypasses
        )
    }

    /// Another process with the lock.
    private struct Holder {
        /// Nil if it is not known.
        let worker: Worker?
    }

    /// Returns nil if this process has the lock now.
    private func lock() async throws(CommandFailure) -> Holder? {
        do throws(StateStoreError) {
            try await target.store.lock(for: worker, waiting: Self.patience)
            return nil
        } catch {
            guard case .locked(let holder) = error else { throw CommandFailure(ErrorText(error)) }
            return Holder(worker: holder)
        }
    }

    private func recall(
        of occurrence: OccurrenceID
    ) async throws(CommandFailure) -> OccurrenceRecord? {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.occurrence(occurrence.recall)
        }
    }

    /// The recall, if it has ended.
    private func ended(
        _ occurrence: OccurrenceID
    ) async throws(CommandFailure) -> OccurrenceRecord? {
        let recall = try await recall(of: occurrence)
        switch recall?.status {
        case .finished, .cancelled, .expired: return recall
        case .scheduled, .dispatching, nil: return nil
        }
    }

    private func hasBegun(_ occurrence: OccurrenceID) async throws(CommandFailure) -> Bool {
        try await recall(of: occurrence)?.unit != nil
    }

    private func performHere(until stop: StopSignal) async throws {
        let outlets = ServiceMonitor.Outlets(
            log: ServiceLog(.text, of: target.environment.id, to: .current, in: session),
            systemd: nil,
            isService: false
        )
        let run = DueRun(
            session: session,
            target: target,
            options: DueRun.Options(
                parallelism: nil,
                requestTimeout: TimeSpan(seconds: 30),
                drainTimeout: 6,
                lockTimeout: arguments.lockOptions.timeout,
                waitsForFanOuts: false,
                isQuiet: arguments.quiet,
                isVerbose: false,
                out: nil
            ),
            worker: worker,
            journal: nil,
            monitor: try await ServiceMonitor(of: target, in: session, to: outlets),
            stop: stop
        )
        let report = try await run.performRecalls()
        run.say(session.report(report, in: run.view))
        if let error = report.error {
            throw CommandFailure(ErrorText(error), exit: report.exitReason ?? .error)
        }
        if let reason = report.exitReason { throw reason.code }
    }

    private func show(_ recall: OccurrenceRecord) throws {
        Output.data(view.renderDone(recall))
        let tally = recall.unit?.tally ?? OutcomeTally()
        if tally[.unknown] > 0 { throw ExitReason.unknownOutcomes.code }
        if tally[.expired] > 0 { throw ExitReason.partlyApplied.code }
    }
}
