import CampaignModel
import Planning
import RunControl
import Sending
import State

// What a former service entrusted to the fleet.
extension Applier {
    /// Waits until workers have sent what a former service entrusted of an occurrence, and returns the send
    /// with what they left.
    ///
    /// Nothing is decided about its requests before. A pause, quiet hours and the expiry recall them.
    ///
    /// - Returns: Nil if the occurrence is now held.
    func adopted(
        _ send: SendStep,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) -> SendStep? {
        guard let fleet, let unit = send.unit else { return send }
        let sending = ActiveOccurrence(
            occurrence: send.occurrence,
            due: send.due,
            unit: unit,
            requests: RequestRanges([]),
            skipped: SkippedRequests(dead: []),
            message: send.template,
            policy: send.policy,
            trial: nil,
            priority: send.priority,
            hold: send.hold
        )
        let end = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await dispatcher.adopt(sending, from: fleet) {
                settings.report(.began(.sending(send.occurrence), total: send.remaining))
            }
        }
        guard let end else { return send }
        settings.report(.ended(.sending(send.occurrence)))
        if end == .stopped, settings.stop.isRaised { throw .interrupted }
        let current = try await mapLedgerErrors { () async throws(StateStoreError) in
            let current = try await store.unit(unit.id)
            // The run that entrusted it could not record the outcomes.
            if let former = try await store.runs(limit: 2).first(where: { $0.id != run }) {
                let recorder = OccurrenceRecorder(
                    store: store,
                    fingerprinter: project.fingerprinter
                )
                try await recorder.noteCutOff(send.occurrence, unit: current, in: former.id)
            }
            return current
        }
        if case .held(let suspicion) = end {
            result.held.append(HeldSend(occurrence: send.occurrence, suspicion: suspicion))
            return nil
        }
        return send.with(current)
    }
}
