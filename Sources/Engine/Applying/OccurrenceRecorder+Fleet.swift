import CampaignModel
package import State

// What a former service entrusted to a fleet of workers.
extension OccurrenceRecorder {
    /// A worker that was killed keeps its units for 15 s; one that has not confirmed a failover is removed
    /// after a minute.
    private static let patience = Duration.seconds(90)
    private static let interval = Duration.milliseconds(200)

    /// Takes back occurrences, with the outcomes of their requests.
    ///
    /// Each is sent again from its record, under the decisions of the present.
    ///
    /// - Parameter kept: The units that stay in the fleet.
    /// - Returns: Whether something was taken back.
    /// - Throws: `.failed` if workers keep units.
    package func takeBack(
        except kept: Set<UnitID> = []
    ) async throws(StateStoreError) -> Bool {
        guard let fleet = store as? any FleetLedger else { return false }
        var units = try await fleet.entrustedUnits().filter { !kept.contains($0) }
        guard !units.isEmpty else { return false }
        for unit in units { try await fleet.recall(unit) }
        let end = ContinuousClock.now + Self.patience
        while true {
            for unit in units where try await collect(unit, from: fleet) {
                units.removeAll { $0 == unit }
            }
            if units.isEmpty { return true }
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
