import CampaignModel
import State

// What a former service entrusted to a fleet of workers.
extension OccurrenceRecorder {
    /// A worker that was killed keeps its units for 15 s; one that has not confirmed a failover is removed
    /// after a minute.
    private static let patience = Duration.seconds(90)
    private static let interval = Duration.milliseconds(200)

    /// Takes back every occurrence, with the outcomes of its requests.
    ///
    /// Each is sent again from its record, under the decisions of the present.
    ///
    /// - Throws: `.failed` if workers keep units.
    func takeBack() async throws(StateStoreError) {
        guard let fleet = store as? any FleetLedger else { return }
        var units = try await fleet.entrustedUnits()
        guard !units.isEmpty else { return }
        for unit in units { try await fleet.recall(unit) }
        let end = ContinuousClock.now + Self.patience
        while true {
            for unit in units where try await collect(unit, from: fleet) {
                units.removeAll { $0 == unit }
            }
            if units.isEmpty { return }
            guard ContinuousClock.now < end else {
                throw .failed(
                    path: "",
                    reason:
                        "workers of the fleet have not returned \(units.count) of its sends; run "
                        + "`herald status` to see the workers, and end those that hang"
                )
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Returns whether nothing is left in the fleet.
    private func collect(
        _ unit: UnitID,
        from fleet: any FleetLedger
    ) async throws(StateStoreError) -> Bool {
        while true {
            let collected = try await fleet.collect(from: unit)
            if collected.isHeld, collected.isWhole {
                let records = try await store.occurrences(.dispatching)
                for record in records where record.unit?.id == unit {
                    try await store.hold(record.id, with: .lostWorker)
                }
            }
            if collected.isWhole || collected.outcomes.isEmpty { return collected.isWhole }
        }
    }
}
