import CampaignMessages
import CampaignModel
import Memberships
import Planning
import RegistrationLists
import RunControl
import Sending
package import State
import Time

extension Applier {
    /// The recalls that may begin or resume.
    package func openRecalls() async throws(StateStoreError) -> [OccurrenceRecord] {
        try await store.startableRecalls()
    }

    /// Stores what corrections take back, before their definitions are recorded: a run that ends in between is
    /// followed by one that plans the same corrections.
    func request(
        _ corrections: [PlannedCorrection],
        by worker: Worker
    ) async throws(ApplyError) {
        let recalls = corrections.map {
            RequestedRecall($0.occurrence, message: $0.recall.template.stored, worker: worker)
        }
        // All are compared before any is stored.
        for recall in recalls { try await checkRequested(recall) }
        for (correction, recall) in zip(corrections, recalls) {
            if case .list(let content, let id, _) = correction.target {
                try await opener(nil).store(content, as: id)
            }
            let isNew = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.request(recall)
            }
            if !isNew { try await checkRequested(recall) }
        }
    }

    /// Throws if another process has requested the recall of the occurrence with another text.
    ///
    /// An interrupted run of the same plan requested it with the same one.
    private func checkRequested(_ recall: RequestedRecall) async throws(ApplyError) {
        let requested = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.occurrence(recall.occurrence.recall)
        }
        guard requested == nil || requested?.message == recall.message else {
            throw .recalled(recall.occurrence)
        }
    }

    /// Replaces the notification of an occurrence that no request of this process belongs to, and ends the
    /// occurrence.
    func recall(_ record: OccurrenceRecord, in run: RunID) async -> ApplyReport {
        var part = ApplyReport()
        do throws(ApplyError) {
            try await takeBack(record, in: run, into: &part)
        } catch {
            part.error = error
        }
        return part
    }

    private func takeBack(
        _ record: OccurrenceRecord,
        in run: RunID,
        into part: inout ApplyReport
    ) async throws(ApplyError) {
        let sent = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await sentOccurrence(of: record)
        }
        var sending = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await openRecall(try await resending(record, in: run), of: sent, in: run)
        }
        if case .group(let name) = sending.unit.target {
            sending.groupKey = try await DeviceGroupLookup(settings.renewing).key(of: name)
        }
        let total = sending.requests.count - sending.skipped.count
        settings.report(.began(.sending(record.id), total: total))
        // The rest of a long list takes longer to cancel than the first replacements may wait.
        async let ended = endSent(sent, in: run)
        let result: Result<DispatchResult, ApplyError>
        do throws(StateStoreError) {
            result = .success(try await dispatcher.dispatch(sending))
        } catch {
            result = .failure(.state(error))
        }
        let error = await ended
        try await conclude(sending, after: result, in: run, into: &part)
        if let error { throw error }
    }

    /// Cancels what is unsent of an occurrence that is taken back.
    private func endSent(_ sent: OccurrenceRecord, in run: RunID) async -> ApplyError? {
        guard sent.status == .dispatching else { return nil }
        do throws(ApplyError) {
            try await end(sent.id, rest: .cancelled, as: .cancelled, in: run)
            return nil
        } catch {
            return error
        }
    }

    /// Reports and records what happened to the requests of a recall or of replies.
    func conclude(
        _ sending: ActiveOccurrence,
        after result: Result<DispatchResult, ApplyError>,
        in run: RunID,
        into part: inout ApplyReport
    ) async throws(ApplyError) {
        let id = sending.occurrence
        settings.report(.ended(.sending(id)))
        let dispatched = try? result.get()
        let recorder = OccurrenceRecorder(store: store, fingerprinter: project.fingerprinter)
        let report = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await recorder.report(on: sending, after: dispatched)
        }
        part.sends.append(report)
        settings.report(.sent(report))
        try await mapLedgerErrors { () async throws(StateStoreError) in
            if dispatched?.end == .complete { return try await recorder.finish(report, in: run) }
            try await recorder.note(report, as: report.tally, in: run)
        }
        let end = try result.get().end
        if end == .expired {
            try await self.end(id, rest: .expired, as: .finished, in: run)
            part.expired.append(id)
        }
        if end == .paused { part.paused.append(PausedSend(occurrence: id, scope: nil)) }
        try end.throwIfItEndsTheRun()
    }
}

// MARK: - Opening

extension Applier {
    /// The occurrence that a recall takes back.
    private func sentOccurrence(
        of record: OccurrenceRecord
    ) async throws(StateStoreError) -> OccurrenceRecord {
        guard let id = record.id.recalled, let sent = try await store.occurrence(id),
            sent.unit != nil
        else {
            throw .damaged(path: "", reason: "\(record.id) takes back what was never sent")
        }
        return sent
    }

    /// Returns what an interrupted run left unknown to the requests that are sent: a second recall replaces the
    /// first one, and without it the wrong message may stay.
    private func resending(
        _ record: OccurrenceRecord,
        in run: RunID
    ) async throws(StateStoreError) -> OccurrenceRecord {
        let unknown = record.unit?.tally[.unknown] ?? 0
        guard unknown > 0 else { return record }
        let resolution = RequestedResolution(
            occurrence: record.id,
            resolution: .resend,
            unknown: unknown,
            user: record.recall?.user ?? "",
            host: record.recall?.host ?? "",
            at: settings.clock.now()
        )
        let changed = try await store.perform(resolution, in: run)
        try await store.record(RunOccurrence(occurrence: record.id, tally: changed), in: run)
        return try await store.occurrence(record.id) ?? record
    }

    /// Opens the unit of a recall unless an earlier run did, and selects its requests: those of the occurrence
    /// that FCM accepted, or may have accepted, under their numbers.
    private func openRecall(
        _ record: OccurrenceRecord,
        of sent: OccurrenceRecord,
        in run: RunID
    ) async throws(StateStoreError) -> ActiveOccurrence {
        guard let template = record.message.flatMap(MessageTemplate.init(stored:)),
            let sentUnit = sent.unit
        else {
            throw .damaged(path: "", reason: "the message of \(record.id) cannot be read")
        }
        let unit: WorkUnitRecord
        if let opened = record.unit {
            unit = opened
        } else {
            unit = try await ledger.open(
                OpenedOccurrence(
                    id: record.id,
                    due: record.due,
                    message: template.stored,
                    target: sentUnit.target,
                    count: sentUnit.count,
                    deduplicationKey: record.deduplicationKey
                ),
                in: run
            )
        }
        let recorder = OccurrenceRecorder(store: store, fingerprinter: project.fingerprinter)
        let requests = try await recorder.intended(of: unit)
        let notReached = try await recorder.notReached(by: sentUnit, among: requests)
        let reached = requests.subtracting(notReached.all.joined())
        let skipped = try await skipped(among: reached, of: unit)
        let optedOut = try await optedOut(among: skipped, of: unit)
        return ActiveOccurrence(
            occurrence: record.id,
            due: record.due,
            unit: unit,
            requests: requests,
            skipped: SkippedRequests(
                dead: skipped.filter { !optedOut.contains($0) },
                optedOut: optedOut.sorted(),
                notReached: notReached,
                mark: unit.released
            ),
            message: template,
            // A second recall replaces the first one.
            policy: SendPolicy(repeats: .always, stopsAtUnknown: false),
            // Each registration was accepted before, so the list is not a wrong one.
            trial: nil
        )
    }
}

extension OccurrenceRecorder {
    /// Returns the requests whose message FCM certainly did not accept in another unit with the same numbers.
    func notReached(
        by sent: WorkUnitRecord,
        among requests: RequestRanges
    ) async throws(StateStoreError) -> RequestRanges {
        // Outcomes may have been recorded since the unit was read.
        let sent = try await store.unit(sent.id)
        var notReached = RequestRanges([])
        try await scan(sent, below: sent.count) { range, outcomes in
            for (number, outcome) in zip(range, outcomes)
            where !outcome.counts(isReleased: number < sent.released)
                && requests.contains(number)
            {
                notReached.append(number)
            }
        }
        return notReached
    }
}
