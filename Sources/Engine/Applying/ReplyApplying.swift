import CampaignMessages
import CampaignModel
import Planning
import RunControl
import Sending
package import State

extension Applier {
    /// The replies to messages of devices that may begin or resume.
    package func openReplies() async throws(StateStoreError) -> [OccurrenceRecord] {
        try await store.startableReplies()
    }

    /// Sends the replies that are recorded, one occurrence after the other.
    ///
    /// They have the pace of the run. Quiet hours and frequency caps do not apply, because the users have written
    /// just before. Never throws: the report contains the error and the completed work.
    func reply(in run: RunID) async -> ApplyReport {
        var report = ApplyReport()
        do throws(ApplyError) {
            let open = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await openReplies()
            }
            for record in open {
                if settings.stop.isRaised { throw .interrupted }
                guard active.begin(record.id) else { continue }
                try await reply(record, in: run, into: &report)
                active.end(record.id)
            }
        } catch {
            report.error = error
        }
        return report
    }

    private func reply(
        _ record: OccurrenceRecord,
        in run: RunID,
        into report: inout ApplyReport
    ) async throws(ApplyError) {
        let sending = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await replies(record)
        }
        let total = sending.requests.count - sending.skipped.count
        settings.report(.began(.sending(record.id), total: total))
        let result: Result<DispatchResult, ApplyError>
        do throws(StateStoreError) {
            result = .success(try await dispatcher.dispatch(sending))
        } catch {
            result = .failure(.state(error))
        }
        try await conclude(sending, after: result, in: run, into: &report)
    }

    /// Selects the requests that were not sent, without registrations that opted out or are dead.
    private func replies(
        _ record: OccurrenceRecord
    ) async throws(StateStoreError) -> ActiveOccurrence {
        guard let unit = record.unit,
            let template = record.message.flatMap(MessageTemplate.init(stored:))
        else {
            throw .damaged(path: "", reason: "the message of \(record.id) cannot be read")
        }
        let recorder = OccurrenceRecorder(store: store, fingerprinter: project.fingerprinter)
        let requests = try await recorder.intended(of: unit)
        let skipped = try await skipped(among: requests, of: unit)
        let optedOut = try await optedOut(among: skipped, of: unit)
        return ActiveOccurrence(
            occurrence: record.id,
            due: record.due,
            unit: unit,
            requests: requests,
            skipped: SkippedRequests(
                dead: skipped.filter { !optedOut.contains($0) },
                optedOut: optedOut.sorted(),
                mark: unit.released
            ),
            message: template,
            policy: SendPolicy(repeats: .never, stopsAtUnknown: false),
            // Each registration has just sent a message, so the list is not a wrong one.
            trial: nil
        )
    }
}
