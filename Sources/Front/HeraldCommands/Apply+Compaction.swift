import CampaignModel
import Presentation
import State
import Time

extension Apply {
    /// Compacts the outcomes of occurrences that finished before the `retain` period.
    ///
    /// If another process holds the lock by now, the next apply compacts them.
    func compact(_ target: PlanningTarget, _ worker: Worker) async throws(CommandFailure) {
        guard let retain = target.environment.settings.state.retain else { return }
        let limit = worker.since.advanced(bySeconds: -retain)
        do throws(CommandFailure) {
            try await lock(target.store, for: worker, waiting: lockOptions.timeout)
        } catch {
            guard error.exit == .locked else { throw error }
            return
        }
        let count = try await unlocking(target.store) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                try await target.store.compact(finishedBefore: limit, at: worker.since)
            }
        }
        guard count > 0, !quiet else { return }
        options.show(
            "Compacted \(count.counting("occurrence")) that ended before \(limit.utcText). The "
                + "counts are kept.\n"
        )
    }
}
