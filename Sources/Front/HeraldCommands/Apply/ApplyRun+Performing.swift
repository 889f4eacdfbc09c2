import Applying
import CampaignModel
import FCMClient
import Planning
import Presentation
import RunControl
import Sending
import State

/// The steps of an apply under the lock.
extension ApplyRun {
    /// Performs the shown plan under the lock, or nothing if the state has changed since then.
    ///
    /// Returns nil if another run has applied the reviewed plan in the meantime.
    func apply(
        _ shown: Plan,
        basedOn basis: PlanningTarget
    ) async throws(CommandFailure) -> ApplyReport? {
        try await locked { () async throws(CommandFailure) in
            let plan = try await planAgain(shown, basedOn: basis)
            guard try await request.isToBeDone(plan) else { return nil }
            try request.refuse(plan)
            let approvals = try await request.approvals(of: plan)
            let worker = try await keep(plan, approvedBy: approvals)
            try await keepEnvironment()
            let report = try await carryOut(plan, by: worker)
            let resolved = try await mapStateErrors { () async throws(StateStoreError) in
                try await target.recorder.performRequested(by: worker)
            }
            request.say(request.view.renderResolved(resolved))
            return report
        }
    }

    /// Archives the plan and returns the worker with the digest to record in the run.
    ///
    /// The digest is the reviewed plan's, even if only the rest of that plan is applied.
    private func keep(
        _ plan: Plan,
        approvedBy approvals: [RecordedApproval]
    ) async throws(CommandFailure) -> Worker {
        let hash = request.reference?.digest.hash ?? plan.digest.hash
        let worker = self.worker.applying(hash, approvedBy: approvals)
        guard hash == plan.digest.hash else { return worker }
        try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.keep(ArchivedPlan(plan, by: worker))
        }
        return worker
    }

    /// Stores the environment's settings for runs without the files.
    func keepEnvironment() async throws(CommandFailure) {
        let settings = AppliedEnvironment(target.environment, of: target.project).stored
        try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.keep(environment: settings)
        }
    }

    private func carryOut(
        _ plan: Plan,
        by worker: Worker
    ) async throws(CommandFailure) -> ApplyReport {
        let hasRequests = try await hasRequests()
        let server = try await target.server(
            needed: plan.needsServer || hasRequests,
            open: arguments.openLimit(in: target.environment),
            in: session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .applying)
        let progress = ProgressReporter(
            options: session.options,
            context: session.context,
            isQuiet: arguments.quiet,
            isVerbose: arguments.verbosity.verbose,
            events: request.journal?.events
        )
        let applier = applier(of: plan, to: server, stop: stop, progress: progress)
        let report = await progress.accompany {
            await session.apply(plan, with: applier, by: worker.noting(session.trust))
        }
        signals.cancel()
        await server.stop()
        return report
    }

    /// Performs the recalls that an earlier process left, and sends replies to messages of devices.
    ///
    /// Users have confirmed the recalls, and the text of the replies. Returns nil if there are none. `plan`: has no
    /// changes.
    func performRequests(besides plan: Plan) async throws(CommandFailure) -> ApplyReport? {
        guard try await hasRequests() else { return nil }
        return try await locked { () async throws(CommandFailure) in
            try await carryOut(plan, by: worker)
        }
    }

    /// Whether there are recalls, or replies that no service sends.
    private func hasRequests() async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in
            if try await !target.store.startableRecalls().isEmpty { return true }
            guard target.environment.settings.sends != .run else { return false }
            return try await !target.store.startableReplies().isEmpty
        }
    }

    private func applier(
        of plan: Plan,
        to server: EndpointServer,
        stop: StopSignal,
        progress: ProgressReporter
    ) -> Applier {
        var pace = plan.pace
        if arguments.noWait { pace.holdsFanOuts = false }
        var endpoint = server.endpoint
        endpoint.requestTimeLimit = arguments.requestTimeout.duration
        request.warnOfShortTimeLimit()
        let fingerprinter = target.checked.fingerprinter
        let project = AppliedProject(
            directory: target.checked.lists,
            listsAtSend: session.listsAtSend(of: plan, in: target, until: stop),
            fingerprinter: fingerprinter,
            zones: target.zones,
            pace: pace,
            drafts: target.checked.drafts
        )
        let settings = RunSettings(
            transport: progress.watching(server.transport, with: fingerprinter),
            endpoint: endpoint,
            clock: session.clock,
            stop: stop,
            drainLimit: .seconds(arguments.drainTimeout),
            open: server.open,
            report: progress.show
        )
        return Applier(of: project, store: target.store, settings: settings)
    }
}

extension Plan {
    /// Whether the plan needs any request to FCM.
    fileprivate var needsServer: Bool {
        !sends.isEmpty || !ownCorrections.isEmpty
            || memberships.contains { !$0.joins.isEmpty || !$0.leaves.isEmpty }
    }
}

extension Worker {
    /// The same process, which applies the reviewed plan with this hash.
    fileprivate func applying(
        _ hash: String,
        approvedBy approvals: [RecordedApproval]
    ) -> Worker {
        var worker = self
        worker.digest = hash
        worker.approvals = approvals
        return worker
    }
}

extension ArchivedPlan {
    /// Archives a plan that this worker made.
    init(_ plan: Plan, by worker: Worker) {
        self.init(
            digest: plan.digest.hash,
            serial: plan.serial,
            made: plan.now,
            user: worker.user,
            host: worker.host,
            content: plan.reviewed.content
        )
    }
}
