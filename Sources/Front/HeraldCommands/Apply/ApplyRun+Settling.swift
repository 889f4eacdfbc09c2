import Applying
import CampaignModel
import JSON
import Planning
import Presentation
import RunControl
import State
import Time

/// The records that an apply makes before it plans, and after it has applied the plan.
extension ApplyRun {
    /// Checks the guards before anything is recorded.
    ///
    /// Needed if `apply` records something before it shows the plan: outcomes after a crash,
    /// requested resolutions, or opted-out registrations.
    func refuseBeforeSettling() async throws(CommandFailure) {
        let (last, resolutions) = try await mapStateErrors { () async throws(StateStoreError) in
            (
                try await target.store.runs(limit: 1).first,
                try await target.store.requestedResolutions()
            )
        }
        let recordsFirst =
            arguments.refresh || last?.status == .running || !resolutions.isEmpty
        guard recordsFirst else { return }
        try request.refuse(try await session.plan(target, at: request.now))
    }

    /// Marks interrupted requests as unknown and performs requested resolutions before planning.
    func settle() async throws(CommandFailure) -> [SendReport] {
        try await locked { () async throws(CommandFailure) in
            let recorder = target.recorder
            let (cutOff, resolved) = try await mapStateErrors { () async throws(StateStoreError) in
                (
                    try await recorder.settleAfterCrash(by: worker),
                    try await recorder.performRequested(by: worker)
                )
            }
            request.say(request.view.renderCutOff(cutOff) + request.view.renderResolved(resolved))
            return cutOff
        }
    }

    /// Records opted-out registrations before planning.
    func refreshMemberships() async throws(CommandFailure) {
        _ = try await locked { () async throws(CommandFailure) in
            try await request.refreshing.perform(recordingBy: worker)
        }
    }

    /// Stores the environment's settings if an earlier apply stored others.
    func keepChangedEnvironment(besides stored: JSONValue?) async throws(CommandFailure) {
        let settings = AppliedEnvironment(target.environment, of: target.project).stored
        guard let stored, stored != settings else { return }
        try await locked { () async throws(CommandFailure) in try await keepEnvironment() }
    }

    /// Compacts the outcomes of occurrences that finished before the `retain` period.
    ///
    /// If another process holds the lock by now, the next apply compacts them.
    func compact() async throws(CommandFailure) {
        guard let retain = target.environment.settings.state.retain else { return }
        let limit = worker.since.advanced(bySeconds: -retain)
        do throws(CommandFailure) {
            try await lock(target.store, for: worker, waiting: arguments.lockOptions.timeout)
        } catch {
            guard error.exit == .locked else { throw error }
            return
        }
        let count = try await unlocking(target.store) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                try await target.store.compact(finishedBefore: limit, at: worker.since)
            }
        }
        guard count > 0, !arguments.quiet else { return }
        session.options.show(ApplyNoticeWording.compacted(count, before: limit))
    }
}
