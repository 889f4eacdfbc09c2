import CampaignModel
import RegistrationLists
import State

/// The stored requests that planning needs, read before the campaigns are planned.
struct KnownRequests: Sendable {
    let dead: DeadRegistrations
    /// The open requests of each list whose sending was interrupted, by their units.
    let unsent: [UnitID: Result<UnsentRequests, PlanningError>]

    static let none = KnownRequests(dead: .none, unsent: [:])
}

/// The requests of a list send that are not sent yet.
struct UnsentRequests: Sendable {
    let living: [Fingerprint]
    /// The numbers of those whose registrations are dead.
    let dead: [Int]
}

extension Planner {
    /// Reads the stored requests that planning needs.
    func knownRequests(_ stored: AppliedState) async throws(PlanningError) -> KnownRequests {
        let dead = try await reading { () async throws(StateStoreError) in
            stored.deadCount > 0
                ? try await store.deadRegistrations() : DeadRegistrations.none
        }
        return KnownRequests(dead: dead, unsent: await unsentRequests(in: stored, known: dead))
    }

    /// Returns the open requests of the planned campaigns' interrupted sends.
    ///
    /// They are read first, because campaigns are planned on all cores and none of them waits for
    /// the state.
    private func unsentRequests(
        in stored: AppliedState,
        known: DeadRegistrations
    ) async -> [UnitID: Result<UnsentRequests, PlanningError>] {
        let planned = project.campaigns.filter { selection.includes($0.id) }
        let names = Set(planned.flatMap { [$0.id, $0.formerID].compactMap(\.self) })
        var unsent: [UnitID: Result<UnsentRequests, PlanningError>] = [:]
        for record in stored.occurrences.values where record.status == .dispatching {
            guard names.contains(record.id.campaign), let unit = record.unit,
                case .registrations(let list) = unit.target
            else { continue }
            do throws(PlanningError) {
                unsent[unit.id] = .success(
                    try await unsentRequests(of: unit, in: list, known: known)
                )
            } catch {
                unsent[unit.id] = .failure(error)
            }
        }
        return unsent
    }

    /// Returns requests that were not released, or that were released but are known not to have
    /// been sent.
    private func unsentRequests(
        of unit: WorkUnitRecord,
        in list: ListID,
        known: DeadRegistrations
    ) async throws(PlanningError) -> UnsentRequests {
        var living: [Fingerprint] = []
        var dead: [Int] = []
        var first = 0
        while first < unit.count {
            let range = first..<min(first + 4_096, unit.count)
            let outcomes = try await reading { () async throws(StateStoreError) in
                try await store.outcomes(of: unit.id, in: range)
            }
            let registrations = try await reading { () async throws(StateStoreError) in
                try await store.registrations(of: list, from: range.lowerBound, count: range.count)
            }
            for (offset, registration) in registrations.enumerated()
            where unit.maySend(range.lowerBound + offset, outcome: outcomes[offset]) {
                let fingerprint = fingerprinter.fingerprint(of: registration)
                if known.contains(fingerprint) {
                    dead.append(range.lowerBound + offset)
                } else {
                    living.append(fingerprint)
                }
            }
            first = range.upperBound
        }
        return UnsentRequests(living: living, dead: dead)
    }
}
