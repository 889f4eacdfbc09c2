import Applying
import CampaignModel
import Inbox
import JSON
import Planning
import Presentation
import RunControl
import State
import StoreTables
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

    /// Marks interrupted requests as unknown, performs requested resolutions, and records what messages of
    /// devices change, before planning.
    func settle() async throws(CommandFailure) -> [SendReport] {
        try await locked { () async throws(CommandFailure) in
            let recorder = target.recorder
            let (cutOff, resolved) = try await mapStateErrors { () async throws(StateStoreError) in
                (
                    try await recorder.settleAfterCrash(by: worker),
                    try await recorder.performRequested(by: worker)
                )
            }
            try await absorbUpstream()
            request.say(request.view.renderCutOff(cutOff) + request.view.renderResolved(resolved))
            return cutOff
        }
    }

    /// Records the messages that the target was made with; later ones are for the next run.
    private func absorbUpstream() async throws(CommandFailure) {
        guard let store = target.store as? any TableStore else { return }
        let rules = target.project.upstream
        if let position = target.upstream.position {
            try await mapStateErrors { () async throws(StateStoreError) in
                try await store.absorbUpstream(by: rules, upTo: position)
            }
        }
        guard let out = arguments.out else { return }
        for (name, count) in try await store.appendMessages(of: rules, to: out)
            .sorted(by: { $0.key < $1.key })
        {
            request.say(ApplyNoticeWording.appended(count, to: name))
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
