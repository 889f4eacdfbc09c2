import Planning
import RunControl
import State
import Time

/// Sends that an apply leaves to a service.
extension Applier {
    /// Records the sends that a service makes.
    ///
    /// The lock is held until the end of the run, so the service begins after it. If memberships are
    /// paused, the next apply hands over, because the sends would reach the former members.
    func handOver(
        _ plan: Plan,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let sends = plan.handedOver
        guard !sends.isEmpty else { return }
        let isPaused = !result.pausedMemberships.isEmpty
        let left = isPaused ? sends.filter { !$0.isOfRule } : []
        result.paused += left.map {
            PausedSend(occurrence: $0.occurrence, scope: .everything)
        }
        result.handedOver = sends.map(\.occurrence).filter { id in
            !left.contains { $0.occurrence == id }
        }
        guard !isPaused else { return }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(
                plan.handOverChanges(at: settings.clock.now()),
                in: run
            )
        }
    }
}
