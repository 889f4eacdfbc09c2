package import CampaignModel
import RegistrationLists
import State

/// An interrupted send that continues with its stored list, although the campaign's current list
/// cannot be read.
package struct UnreadableList: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// Number of requests to the stored list that remain, without those to dead registrations.
    package let remaining: Int
}

extension Planner {
    /// Returns the interrupted sends whose campaigns have lists that cannot be read, sorted.
    ///
    /// Such files are invalid, so no plan reports these sends.
    package func unreadableLists() async throws(PlanningError) -> [UnreadableList] {
        let stored = try await reading { () async throws(StateStoreError) in
            if let applied = self.applied { applied } else { try await store.appliedState() }
        }
        let unsent = try await knownRequests(stored).unsent
        let campaigns = plannedCampaigns
        let lists = stored.occurrences.values.compactMap { record -> UnreadableList? in
            guard let campaign = campaigns[record.id.campaign], let unit = record.unit,
                case .registrations(let list) = campaign.target, case .failure? = surveys[list],
                case .success(let requests)? = unsent[unit.id]
            else { return nil }
            let id = OccurrenceID(
                campaign: campaign.id,
                slot: record.id.slot,
                revision: record.id.revision
            )
            return UnreadableList(occurrence: id, remaining: requests.living.count)
        }
        return lists.sorted { $0.occurrence < $1.occurrence }
    }
}
