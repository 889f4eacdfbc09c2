import ArgumentParser
import CampaignExecution
import CampaignModel
import CampaignPlanning
import CampaignReporting
import CampaignState
import Diagnostics
import Scheduling

/// `herald apply`: does what `herald plan` shows.
struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Carry the plan out: leaves, then joins, then sends.",
        discussion: """
            Shows the plan, asks, and carries it out. Every result is recorded; what was cut off \
            goes on with the next apply. Ctrl-C stops sending, waits for what is in flight and \
            records it.

            EXAMPLES
              herald apply
              herald apply --yes -e staging
              herald apply --dry-run
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(
        help: "Send each message with validate_only: FCM says what it thinks, nothing is sent."
    )
    var dryRun = false

    @Flag(
        help: "Ask FCM first what the registrations are subscribed to; who left is recorded."
    )
    var refresh = false

    @Flag(help: "Never ask: without --yes, end with an error instead.")
    var noInput = false

    @Flag(
        name: .shortAndLong,
        help: "Show neither the plan nor progress lines; the result and a terminal's bar stay."
    )
    var quiet = false

    @Option(help: "Seconds to wait for another run that is writing this state.")
    var lockTimeout = 60

    @Option(help: "Seconds to wait, after Ctrl-C, for what is in flight.")
    var drainTimeout = 6

    @Option(help: "Requests of a sending that are open at once, from 1 to 1000.")
    var parallelism = Applier.standardParallelism

    func validate() throws {
        guard (1...1_000).contains(parallelism) else {
            throw ValidationError("--parallelism is from 1 to 1000")
        }
        guard (0...86_400).contains(lockTimeout), (0...86_400).contains(drainTimeout) else {
            throw ValidationError("a time-out is from 0 to 86400 seconds")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let target = try pipeline.target(environment)
            defer { pipeline.noteSerial(of: target.store) }
            let now = pipeline.surroundings.clock.now()
            if dryRun { return try await rehearse(target, pipeline, at: now) }
            let worker = Worker.this(
                command: "herald apply",
                since: now,
                origin: .of(options.directory, pipeline.surroundings.variables)
            )
            let cutOff = try await settle(target, worker)
            if refresh { try await refreshMemberships(target, pipeline, worker) }
            let shown = try target.plan(at: now)
            if !quiet || !yes {
                Output.data(PlanTextView(style: options.outputStyle).render(shown))
            }
            guard shown.hasChanges else {
                try await compact(target, worker)
                return try finish(nil, shown, cutOff: cutOff)
            }
            try confirm(target)
            let report = try await perform(shown, target, pipeline, worker)
            if report.error == nil { try await compact(target, worker) }
            let view = view(of: target)
            Output.data(view.render(report))
            try finish(report, shown, cutOff: cutOff)
        }
    }

    /// Shows the plan, and what FCM says of the messages; the state stays as it is.
    private func rehearse(
        _ target: PlanningTarget,
        _ pipeline: Pipeline,
        at now: Instant
    ) async throws {
        let refreshing = refreshing(target, pipeline)
        let seen = refresh ? try await refreshing.perform(recordingBy: nil) : RefreshReport()
        let plan = try target.plan(at: now, findings: seen.findings)
        if !quiet { Output.data(PlanTextView(style: options.outputStyle).render(plan)) }
        let trial = OnlineTrial(
            pipeline: pipeline,
            project: target.project,
            declarations: target.checked.declarations
        )
        let log = try await trial.findings(target.environment)
        pipeline.show(target.checked.with(log))
        guard !log.hasErrors else { throw ExitReason.invalidFiles.code }
        Output.message("Dry run: FCM has no error in any message; nothing was sent or recorded.\n")
    }

    /// What an earlier run left open becomes unknown, and what people asked to resolve is resolved,
    /// before anything is planned.
    private func settle(
        _ target: PlanningTarget,
        _ worker: Worker
    ) async throws(CommandFailure) -> [SendReport] {
        try await lock(target, worker)
        defer { target.store.unlock() }
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let (cutOff, resolved) = try stating { () throws(StateStoreError) in
            (try ledger.settleAfterCrash(by: worker), try ledger.performRequested(by: worker))
        }
        let view = view(of: target)
        Output.data(view.renderCutOff(cutOff) + view.renderResolved(resolved))
        return cutOff
    }

    /// Who left by himself is recorded before anything is planned.
    private func refreshMemberships(
        _ target: PlanningTarget,
        _ pipeline: Pipeline,
        _ worker: Worker
    ) async throws(CommandFailure) {
        try await lock(target, worker)
        defer { target.store.unlock() }
        _ = try await refreshing(target, pipeline).perform(recordingBy: worker)
    }

    /// What a run left open that was cut off since is unknown now, and what became late since is no
    /// longer what was shown.
    private func planAgain(
        _ shown: Plan,
        _ target: PlanningTarget,
        _ pipeline: Pipeline,
        _ worker: Worker
    ) throws(CommandFailure) -> Plan {
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let cutOff = try stating { () throws(StateStoreError) in
            try ledger.settleAfterCrash(by: worker)
        }
        Output.data(view(of: target).renderCutOff(cutOff))
        let plan = try target.plan(at: shown.now)
        let now = pipeline.surroundings.clock.now()
        let today = now == shown.now ? plan : try target.plan(at: now)
        let isAsShown =
            plan.memberships == shown.memberships && plan.campaigns == shown.campaigns
            && Set(shown.sends.map(\.occurrence)).isSubset(of: today.sends.map(\.occurrence))
        guard cutOff.isEmpty, isAsShown else {
            throw CommandFailure(
                "the state changed since the plan was shown",
                help: "run apply again",
                exit: .stalePlan
            )
        }
        return plan
    }

    private func view(of target: PlanningTarget) -> ApplyTextView {
        ApplyTextView(
            style: options.outputStyle,
            hint: CommandHint(for: target.environment.id)
        )
    }

    private func refreshing(
        _ target: PlanningTarget,
        _ pipeline: Pipeline
    ) -> MembershipRefreshing {
        MembershipRefreshing(
            target: target,
            pipeline: pipeline,
            isQuiet: quiet,
            parallelism: parallelism
        )
    }

    func lock(
        _ target: PlanningTarget,
        _ worker: Worker
    ) async throws(CommandFailure) {
        do {
            try await target.store.lock(for: worker, waiting: .seconds(lockTimeout))
        } catch {
            if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
            throw CommandFailure(ErrorText(error))
        }
    }

    private func confirm(_ target: PlanningTarget) throws(CommandFailure) {
        guard !yes else { return }
        guard !noInput, Surroundings.isInputTerminal else {
            throw CommandFailure(
                "nobody is there to say yes",
                help: "give --yes to apply without asking",
                exit: .usage
            )
        }
        Output.message("Apply this to \(target.environment.id)? Only `yes` is taken: ")
        guard readLine() == "yes" else {
            throw CommandFailure("not applied", help: nil, exit: .error)
        }
    }

    /// The lock is held only while something is done.
    ///
    /// What was shown is what is done: where the state changed in between, nothing is.
    private func perform(
        _ shown: Plan,
        _ target: PlanningTarget,
        _ pipeline: Pipeline,
        _ worker: Worker
    ) async throws(CommandFailure) -> ApplyReport {
        try await lock(target, worker)
        defer { target.store.unlock() }
        let plan = try planAgain(shown, target, pipeline, worker)
        let server = try await EndpointServer.reach(
            target.environment,
            of: target.project,
            needed: plan.needsServer,
            parallelism: parallelism,
            pipeline
        )
        let stop = StopSignal()
        let signals = InterruptHandler(
            stop,
            says: "Stopping: nothing more is sent; waiting for what is in flight. "
                + "Once more leaves at once."
        )
        let canRedraw = pipeline.surroundings.canRedraw
        let progress = ProgressView(
            style: options.errorStyle,
            isTerminal: canRedraw,
            write: Output.message
        )
        let applier = Applier(
            store: target.store,
            transport: server.transport,
            endpoint: server.endpoint,
            projectDirectory: options.directory,
            fingerprinter: target.checked.fingerprinter,
            clock: pipeline.surroundings.clock,
            stop: stop,
            drainLimit: .seconds(drainTimeout),
            parallelism: parallelism,
            report: { if !quiet || canRedraw { progress.show($0) } }
        )
        let report = await applier.apply(plan, by: worker)
        signals.cancel()
        await server.stop()
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let resolved = try stating { () throws(StateStoreError) in
            try ledger.performRequested(by: worker)
        }
        Output.data(view(of: target).renderResolved(resolved))
        return report
    }

    private func finish(
        _ report: ApplyReport?,
        _ plan: Plan,
        cutOff: [SendReport]
    ) throws {
        let leavesUnknown = !cutOff.isEmpty || plan.campaigns.contains { $0.step.isStopped }
        let waits = plan.campaigns.contains { $0.step.isPaused || $0.step.isHeld }
        let reasons: [ExitReason?] = [
            report?.exitReason, leavesUnknown ? .unknownOutcomes : nil,
            waits ? .partlyApplied : nil,
        ]
        let reason = reasons.compactMap(\.self).min { $0.rank < $1.rank }
        if let error = report?.error {
            throw CommandFailure(ErrorText(error), exit: reason ?? .error)
        }
        if let reason { throw reason.code }
    }
}

extension Plan {
    /// Whether anything has to be asked of FCM.
    fileprivate var needsServer: Bool {
        !sends.isEmpty || memberships.contains { !$0.joins.isEmpty || !$0.leaves.isEmpty }
    }
}
