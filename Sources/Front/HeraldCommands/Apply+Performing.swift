import Applying
import CampaignModel
import FCMClient
import Planning
import Presentation
import RunControl
import State
import Time

extension Apply {
    /// Performs the shown plan under the lock, or nothing if the state has changed since then.
    ///
    /// Returns nil if another run has applied the reviewed plan in the meantime.
    func perform(
        _ shown: Plan,
        _ target: PlanningTarget,
        _ session: Session,
        _ reference: PlanReference?,
        _ journal: ApplyJournal?,
        _ worker: Worker
    ) async throws(CommandFailure) -> ApplyReport? {
        try await locked(target, worker) { () async throws(CommandFailure) in
            let plan = try await planAgain(shown, target, session, reference, worker)
            guard try await isToBeDone(plan, reference, target) else { return nil }
            try refuse(plan)
            let worker = try await keep(plan, reference, target, worker)
            let report = try await carryOut(plan, target, session, journal, worker)
            let resolved = try await mapStateErrors { () async throws(StateStoreError) in
                try await target.recorder.performRequested(by: worker)
            }
            say(view(of: target).renderResolved(resolved))
            return report
        }
    }

    private func carryOut(
        _ plan: Plan,
        _ target: PlanningTarget,
        _ session: Session,
        _ journal: ApplyJournal?,
        _ worker: Worker
    ) async throws(CommandFailure) -> ApplyReport {
        let server = try await EndpointServer.reach(
            target.environment,
            of: target.project,
            needed: plan.needsServer,
            parallelism: parallelism,
            allowsAnyServer: target.guards.bypassed.contains(.endpoint),
            session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(
            stop,
            says: "Stopping: no new requests; waiting for open requests. "
                + "Press Ctrl-C again to exit now."
        )
        let progress = ProgressReporter(
            options,
            session.context,
            isQuiet: quiet,
            isVerbose: verbosity.verbose,
            events: journal?.events
        )
        let applier = applier(target, session, server, stop, plan.pace, progress)
        let report = await progress.accompany { await applier.apply(plan, by: worker) }
        signals.cancel()
        await server.stop()
        return report
    }

    private func applier(
        _ target: PlanningTarget,
        _ session: Session,
        _ server: EndpointServer,
        _ stop: StopSignal,
        _ planned: Pace,
        _ progress: ProgressReporter
    ) -> Applier {
        var pace = planned
        if noWait { pace.holdsFanOuts = false }
        var endpoint = server.endpoint
        endpoint.requestTimeLimit = requestTimeout.duration
        if requestTimeout.duration < FCMEndpoint.shortestAdvisedTimeLimit {
            options.tell(
                "\(options.errorStyle.paint("warning", .attention)): a request without an "
                    + "answer after \(requestTimeout.text) is unknown, even if FCM still accepts "
                    + "it; Google advises 10s or more\n"
            )
        }
        return Applier(
            store: target.store,
            transport: progress.watching(server.transport, target.checked.fingerprinter),
            endpoint: endpoint,
            projectDirectory: options.directory,
            fingerprinter: target.checked.fingerprinter,
            clock: session.context.clock,
            stop: stop,
            drainLimit: .seconds(drainTimeout),
            parallelism: parallelism,
            pace: pace,
            report: progress.show
        )
    }

    /// Plans again under the lock.
    ///
    /// An interrupted run can leave unknown outcomes, and occurrences can become late, after the
    /// plan was shown. Both make the shown plan stale.
    private func planAgain(
        _ shown: Plan,
        _ target: PlanningTarget,
        _ session: Session,
        _ reference: PlanReference?,
        _ worker: Worker
    ) async throws(CommandFailure) -> Plan {
        let cutOff = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.recorder.settleAfterCrash(by: worker)
        }
        say(view(of: target).renderCutOff(cutOff))
        // No other process writes from here on: everything below compares with what is read now.
        let applied = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.appliedState()
        }
        let target = target.reading(applied)
        let now = session.context.clock.now()
        // A reviewed plan stays valid as time passes.
        if reference != nil, cutOff.isEmpty { return try await target.plan(at: now) }
        let plan = try await target.plan(at: shown.now)
        guard cutOff.isEmpty, plan.isSame(as: shown),
            try await isTimely(shown, target, at: now)
        else {
            try refuse(plan)
            throw CommandFailure(
                "the state changed since the plan was shown",
                help: "run apply again",
                exit: .stalePlan
            )
        }
        return plan
    }
}

extension Apply {
    /// Whether everything that was to be sent when the plan was shown still is; of other campaigns
    /// nothing is planned.
    private func isTimely(
        _ shown: Plan,
        _ target: PlanningTarget,
        at now: Instant
    ) async throws(CommandFailure) -> Bool {
        guard now != shown.now else { return true }
        let sends = Selection.Part(campaigns: Set(shown.sends.map(\.occurrence.campaign)))
        let selection = Selection(only: sends, except: Selection.Part())
        return try await target.selecting(selection).plan(at: now).hasSends(of: shown)
    }
}

extension Plan {
    /// Whether the plan needs any request to FCM.
    fileprivate var needsServer: Bool {
        !sends.isEmpty || memberships.contains { !$0.joins.isEmpty || !$0.leaves.isEmpty }
    }

    fileprivate func isSame(as shown: Plan) -> Bool {
        memberships == shown.memberships && campaigns == shown.campaigns
    }

    fileprivate func hasSends(of shown: Plan) -> Bool {
        Set(shown.sends.map(\.occurrence)).isSubset(of: sends.map(\.occurrence))
    }
}
