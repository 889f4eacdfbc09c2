import CampaignModel
import Planning
import RegistrationLists
import Sending
import State

/// Finds the requests to registrations that sends skip.
extension Applier {
    /// Returns the requests to registrations that opted out, among those that are skipped.
    func optedOut(
        among skipped: [Int],
        of unit: WorkUnitRecord
    ) async throws(StateStoreError) -> Set<Int> {
        guard case .registrations(let list) = unit.target, !skipped.isEmpty else { return [] }
        return Set(try await requests(skipped, of: list, in: try await store.optedOut()))
    }

    /// Returns the requests to registrations that are dead or opted out by now.
    func skipped(
        among requests: RequestRanges,
        of unit: WorkUnitRecord
    ) async throws(StateStoreError) -> [Int] {
        guard case .registrations(let list) = unit.target else { return [] }
        let skipped = try await store.skippedRegistrations()
        return try await self.requests(requests.all.joined(), of: list, in: skipped)
    }

    /// Returns the requests to registrations that are dead, opted out or erased, including those that
    /// died or opted out during the send.
    func deadByNow(
        _ send: SendStep,
        in unit: WorkUnitRecord,
        among requests: RequestRanges
    ) async throws(StateStoreError) -> [Int] {
        let known = send.dead.filter(requests.contains)
        let others = requests.subtracting(known).subtracting(send.heldOut)
        return (known + (try await skipped(among: others, of: unit))).sorted()
    }

    /// Returns the requests to registrations that are dead or opted out, including those that died in
    /// earlier occurrences of this run.
    ///
    /// The target has the registrations of exactly these requests, so that no list is read.
    func deadByNow(
        _ send: SendStep,
        among requests: RequestRanges
    ) async throws(StateStoreError) -> [Int] {
        guard let living = send.target.fingerprints else { return send.dead }
        let dead = try await store.skippedRegistrations(among: living)
        guard !dead.isEmpty else { return send.dead }
        var rest = requests.subtracting(send.skipped)
        let numbers = rest.takeFirst(living.count)
        let died = zip(numbers, living).filter { dead.contains($1) }.map(\.0)
        return died.isEmpty ? send.dead : (send.dead + died).sorted()
    }

    /// Returns those of the requests to a list whose registrations are in a set.
    private func requests(
        _ numbers: some Sequence<Int>,
        of list: ListID,
        in registrations: DeadRegistrations
    ) async throws(StateStoreError) -> [Int] {
        guard !registrations.isEmpty else { return [] }
        var window = ListWindow(reader: store, list: list)
        var found: [Int] = []
        for number in numbers {
            let registration = try await window.registration(number)
            if registrations.contains(project.fingerprinter.fingerprint(of: registration)) {
                found.append(number)
            }
        }
        return found
    }
}

extension SendStepTarget {
    /// The fingerprints of the addressed registrations, in order; nil for a fan-out.
    fileprivate var fingerprints: [Fingerprint]? {
        switch self {
        case .topic, .condition, .group, .listAtSend: nil
        case .list(_, _, let fingerprints), .part(_, let fingerprints),
            .stored(_, let fingerprints):
            fingerprints
        }
    }
}
