import CampaignModel
import Memberships
import Planning
import Presentation
import RateControl
import RunControl
import State
import Time

/// Implements `--refresh` of plan and apply: compares the state's memberships with FCM.
struct MembershipRefreshing {
    let target: PlanningTarget
    let session: Session
    let isQuiet: Bool
    var isVerbose = false
    var events: EventLines?
    var open = OpenLimit(fixed: OpenLimit.standardStart)

    /// Shows the differences.
    ///
    /// Records them if a worker is given, which must hold the lock.
    func perform(recordingBy worker: Worker?) async throws(CommandFailure) -> RefreshReport {
        try await target.refuseOtherProject()
        let recorded = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.membershipOverview()
        }
        guard !recorded.summaries.isEmpty else { return RefreshReport() }
        let server = try await target.server(needed: true, open: open, in: session)
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .changingMemberships)
        let result = await read(from: server, stop: stop, worker: worker)
        signals.cancel()
        await server.stop()
        let report = try result.get()
        let view = RefreshTextView(style: session.options.errorStyle)
        if !isQuiet { Output.message(view.render(report)) }
        return report
    }

    private func read(
        from server: EndpointServer,
        stop: StopSignal,
        worker: Worker?
    ) async -> Result<RefreshReport, CommandFailure> {
        let progress = ProgressReporter(
            options: session.options,
            context: session.context,
            isQuiet: isQuiet,
            isVerbose: isVerbose,
            events: events
        )
        let refresh = MembershipRefresh(
            store: target.store,
            settings: RunSettings(
                transport: progress.watching(server.transport, with: target.checked.fingerprinter),
                endpoint: server.endpoint,
                clock: session.clock,
                stop: stop,
                open: server.open,
                report: progress.show
            ),
            settle: target.environment.settle
        )
        return await progress.accompany { await read(by: refresh, for: worker) }
    }

    private func read(
        by refresh: MembershipRefresh,
        for worker: Worker?
    ) async -> Result<RefreshReport, CommandFailure> {
        do throws(ApplyError) {
            guard let worker else { return .success(try await refresh.look()) }
            return .success(try await refresh.record(by: worker))
        } catch {
            let exit: ExitReason = error == .interrupted ? .interrupted : .error
            return .failure(CommandFailure(ErrorText(error), exit: exit))
        }
    }
}

extension PlanningTarget {
    /// Refuses another FCM project, which does not know the registrations: all members would look
    /// opted out.
    func refuseOtherProject() async throws(CommandFailure) {
        guard !guards.bypassed.contains(.projectID) else { return }
        let applied = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.guards()
        }
        guard let refusal = applied.refusal(of: guards.projectID) else { return }
        throw refused(by: .projectID, because: refusal)
    }

    /// The failure for a guard's refusal, with its fix.
    func refused(by guarding: Guard, because refusal: GuardRefusal) -> CommandFailure {
        CommandFailure(
            ErrorText(refusal, by: guarding, in: environment.id),
            exit: .refusedByGuard
        )
    }
}
