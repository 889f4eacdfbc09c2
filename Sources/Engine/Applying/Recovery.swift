package import CampaignModel
package import Planning
package import RunControl
import Sending
package import State

/// Records everything that a recovered state must treat as sent until a user decides otherwise.
///
/// All its requests get an unknown outcome, so none is sent. The caller holds the write lock.
package struct Recovery: Sendable {
    private let store: any StateReader & Ledger & PlanArchive & HistoryStore & ContactBook
    private let opener: SendOpener

    package init(
        store: any StateReader & Ledger & PlanArchive & HistoryStore & ContactBook,
        project: AppliedProject
    ) {
        self.store = store
        opener = SendOpener(
            ledger: store,
            lists: store,
            directory: project.directory,
            fingerprinter: project.fingerprinter
        )
    }

    package func perform(
        _ plan: RecoveryPlan,
        by worker: Worker
    ) async throws(ApplyError) -> [RecoveredSending] {
        let run = try await mapLedgerErrors { () async throws(StateStoreError) in
            if try await !store.verifyHistory().isIntact { try await store.restartChain() }
            return try await store.beginRun(worker)
        }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(plan.renames, in: run)
            try await store.record(plan.definitions, in: run)
        }
        var sendings: [RecoveredSending] = []
        for id in plan.underWay { sendings += try await giveUp(id, in: run).map { [$0] } ?? [] }
        for step in plan.sendings { sendings.append(try await open(step, in: run)) }
        var tally = OutcomeTally()
        tally[.unknown] = sendings.reduce(0) { $0 + $1.unknown }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            let cause = "the state was recovered"
            try await store.finishRun(
                run,
                as: RunEnd(status: .complete, tally: tally, cause: cause, at: worker.since)
            )
        }
        return sendings
    }

    private func open(
        _ step: SendStep,
        in run: RunID
    ) async throws(ApplyError) -> RecoveredSending {
        let unit = try await opener.open(step, due: step.due, in: run)
        return try await mapLedgerErrors { () async throws(StateStoreError) in
            try await makeUnknown(Array(0..<unit.count), of: step.occurrence, unit: unit, in: run)
            if !step.policy.stopsAtUnknown { try await store.close(step.occurrence, as: .finished) }
            return RecoveredSending(occurrence: step.occurrence, unit: unit, unknown: unit.count)
        }
    }

    /// Nil if nothing remained to be sent.
    private func giveUp(
        _ id: OccurrenceID,
        in run: RunID
    ) async throws(ApplyError) -> RecoveredSending? {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            guard let unit = try await store.occurrence(id)?.unit else { return nil }
            let open = try await openRequests(of: unit)
            if !open.isEmpty { try await makeUnknown(open, of: id, unit: unit, in: run) }
            if !unit.target.isFanOut { try await store.close(id, as: .finished) }
            return open.isEmpty
                ? nil : RecoveredSending(occurrence: id, unit: unit, unknown: open.count)
        }
    }

    private func openRequests(of unit: WorkUnitRecord) async throws(StateStoreError) -> [Int] {
        var open: [Int] = []
        for first in stride(from: 0, to: unit.count, by: PageSize.outcomes) {
            let range = first..<min(first + PageSize.outcomes, unit.count)
            let outcomes = try await store.outcomes(of: unit.id, in: range)
            open += zip(range, outcomes).filter { $0.1 == .intended || $0.1 == .returned }.map(\.0)
        }
        return open
    }

    private func makeUnknown(
        _ requests: [Int],
        of occurrence: OccurrenceID,
        unit: WorkUnitRecord,
        in run: RunID
    ) async throws(StateStoreError) {
        for first in stride(from: 0, to: requests.count, by: PageSize.outcomes) {
            let outcomes = requests[first..<min(first + PageSize.outcomes, requests.count)]
                .map {
                    RequestOutcome(index: $0, outcome: .unknown, detail: "may have been sent")
                }
            try await store.record(outcomes, released: unit.count, of: unit.id)
        }
        var tally = OutcomeTally()
        tally[.unknown] = requests.count
        try await store.record(RunOccurrence(occurrence: occurrence, tally: tally), in: run)
    }
}

/// An occurrence that may have been sent.
package struct RecoveredSending: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let unit: WorkUnitRecord
    /// Number of requests whose outcome is now unknown.
    package let unknown: Int

    package init(occurrence: OccurrenceID, unit: WorkUnitRecord, unknown: Int) {
        self.occurrence = occurrence
        self.unit = unit
        self.unknown = unknown
    }
}
