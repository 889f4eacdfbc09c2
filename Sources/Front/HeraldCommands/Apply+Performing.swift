import Applying
import CampaignModel
import FCMClient
import Planning
import Presentation
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
        try await lock(target, worker)
        defer { target.store.unlock() }
        let plan = try planAgain(shown, target, session, reference, worker)
        guard try isToBeDone(plan, reference, target) else { return nil }
        try refuse(plan)
        let worker = try keep(plan, reference, target, worker)
        let report = try await carryOut(plan, target, session, journal, worker)
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let resolved = try mapStateErrors { () throws(StateStoreError) in
            try ledger.performRequested(by: worker)
        }
        say(view(of: target).renderResolved(resolved))
        return report
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
            Output.message(
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
    ) throws(CommandFailure) -> Plan {
        let ledger = Ledger(store: target.store, fingerprinter: target.checked.fingerprinter)
        let cutOff = try mapStateErrors { () throws(StateStoreError) in
            try ledger.settleAfterCrash(by: worker)
        }
        say(view(of: target).renderCutOff(cutOff))
        let plan = try target.plan(at: shown.now)
        let now = session.context.clock.now()
        let today = now == shown.now ? plan : try target.plan(at: now)
        // A reviewed plan stays valid as time passes.
        if reference != nil, cutOff.isEmpty { return today }
        guard cutOff.isEmpty, plan.isSame(as: shown), today.hasSends(of: shown) else {
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
