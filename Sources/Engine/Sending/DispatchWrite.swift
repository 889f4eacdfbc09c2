import CampaignModel
import RegistrationLists
import RunControl
import Scheduling
import State
import Time

/// A change to the state during a send.
///
/// The changes are made one after the other, in the order of the machine's commands.
enum DispatchWrite: Sendable {
    /// `passed`: outcomes of skipped requests below the mark.
    case record([RequestOutcome], passed: [RequestOutcome], released: Int?)
    case reached(ReachedObjective)
    case hold(Hold)
    case stopRollout(RolloutStop)
    /// The registrations of these requests are dead.
    case markDead([Int])
    /// `rest`: skipped requests that have no outcome yet, if every other request has one.
    case finish(DispatchMachine.End, rest: SkippedRequests?)
}

extension Dispatcher {
    /// Returns when it is durable.
    func perform(_ write: DispatchWrite, of sending: ActiveOccurrence) async throws(StateStoreError)
    {
        let ledger = stores.ledger
        switch write {
        case .record(let outcomes, let passed, let released):
            try await ledger.record(outcomes + passed, released: released, of: sending.unit.id)
        case .reached(let reached): try await ledger.record(reached, of: sending.occurrence)
        case .hold(let hold): try await stores.control.hold(sending.occurrence, with: hold)
        case .stopRollout(let stop):
            // If a person has ended it in the meantime, it stays ended.
            _ = try await stores.control.change(sending.occurrence, by: .stop(stop))
        case .markDead(let requests): try await markDead(requests, of: sending)
        case .finish(_, var rest):
            // After the loop, every request has an outcome.
            while let outcomes = rest?.take(below: .max), !outcomes.isEmpty {
                try await ledger.record(outcomes, released: nil, of: sending.unit.id)
            }
        }
    }

    private func markDead(
        _ requests: [Int],
        of sending: ActiveOccurrence
    ) async throws(StateStoreError) {
        guard case .registrations(let list) = sending.unit.target else { return }
        var window = ListWindow(reader: stores.reader, list: list)
        var fingerprints: [Fingerprint] = []
        for request in requests.sorted() {
            let registration = try await window.registration(request)
            fingerprints.append(fingerprinter.fingerprint(of: registration))
        }
        try await stores.deadRegistrations
            .markDead(fingerprints, at: settings.clock.now())
    }
}
