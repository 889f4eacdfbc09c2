import CampaignExecution
import CampaignModel
import CampaignPlanning
import CampaignReporting
import CampaignState
import Scheduling

/// `--refresh` of plan and apply: what FCM says of the members that the state records.
struct MembershipRefreshing {
    let target: PlanningTarget
    let pipeline: Pipeline
    let isQuiet: Bool
    var parallelism = Applier.standardParallelism

    /// Shows what differs; recorded where a worker is given, who holds the writer's lock.
    func perform(recordingBy worker: Worker?) async throws(CommandFailure) -> RefreshReport {
        let applied = try stating { () throws(StateStoreError) in
            try target.store.appliedState()
        }
        try refuseOtherProject(applied)
        guard !applied.memberships.isEmpty else { return RefreshReport() }
        let server = try await EndpointServer.reach(
            target.environment,
            of: target.project,
            needed: true,
            parallelism: parallelism,
            allowsAnyServer: target.guards.bypassed.contains(.endpoint),
            pipeline
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: "Stopping.")
        let result = await read(server, stop, worker)
        signals.cancel()
        await server.stop()
        let report = try result.get()
        let view = RefreshTextView(style: pipeline.options.errorStyle)
        if !isQuiet { Output.message(view.render(report)) }
        return report
    }

    /// Another project knows none of the members: they would all seem to have left.
    private func refuseOtherProject(_ applied: AppliedState) throws(CommandFailure) {
        guard !target.guards.bypassed.contains(.projectID),
            let refusal = applied.guards.refusal(of: target.guards.projectID)
        else { return }
        let outcome = GuardOutcome(.projectID, nil, .refused(refusal))
        let text = GuardText(outcome, environment: target.environment.id)
        throw CommandFailure(
            TextStyle.safe(text.reason),
            help: TextStyle.safe(text.wayOut),
            exit: .refusedByGuard
        )
    }

    private func read(
        _ server: EndpointServer,
        _ stop: StopSignal,
        _ worker: Worker?
    ) async -> Result<RefreshReport, CommandFailure> {
        let canRedraw = pipeline.surroundings.canRedraw
        let progress = ProgressView(
            style: pipeline.options.errorStyle,
            isTerminal: canRedraw,
            write: Output.message
        )
        let refresh = MembershipRefresh(
            store: target.store,
            transport: server.transport,
            endpoint: server.endpoint,
            stop: stop,
            parallelism: parallelism,
            settle: target.environment.settle,
            now: pipeline.surroundings.clock.now(),
            report: { if !isQuiet || canRedraw { progress.show($0) } }
        )
        do throws(ApplyError) {
            guard let worker else { return .success(try await refresh.look()) }
            let clock = pipeline.surroundings.clock
            return .success(try await refresh.record(by: worker, clock: clock))
        } catch {
            let exit: ExitReason = error == .interrupted ? .interrupted : .error
            return .failure(CommandFailure(ErrorText(error), exit: exit))
        }
    }
}
