package import CampaignModel
import RegistrationLists
import Sending
package import State

extension OccurrenceRecorder {
    /// The sends that the wrong-list check has stopped.
    package func heldSends() async throws(StateStoreError) -> [OccurrenceRecord] {
        try await store.occurrences(.dispatching).filter { $0.hold != nil }
    }

    /// Lifts the hold of each send whose remaining registrations were all checked with FCM.
    ///
    /// The caller holds the write lock. `checked`: the registrations that were checked, or were
    /// dead before, in any order.
    ///
    /// - Returns: The sends, which the next apply resumes.
    package func release(
        checked: [Fingerprint]
    ) async throws(StateStoreError) -> [OccurrenceID] {
        let sorted = checked.sortedByBits()
        var released: [OccurrenceID] = []
        for record in try await heldSends() {
            guard let unit = record.unit, try await hasOnly(sorted, left: unit) else { continue }
            try await store.hold(record.id, with: nil)
            released.append(record.id)
        }
        return released
    }

    /// Whether each registration that remains of a unit is one of these.
    private func hasOnly(
        _ sorted: [Fingerprint],
        left unit: WorkUnitRecord
    ) async throws(StateStoreError) -> Bool {
        guard case .registrations(let list) = unit.target else { return false }
        var window = ListWindow(reader: store, list: list)
        var rest = try await intended(of: unit)
        while !rest.isEmpty {
            for number in rest.takeFirst(PageSize.outcomes) {
                let registration = try await window.registration(number)
                let fingerprint = fingerprinter.fingerprint(of: registration)
                guard sorted.containsSorted(fingerprint) else { return false }
            }
        }
        return true
    }
}
