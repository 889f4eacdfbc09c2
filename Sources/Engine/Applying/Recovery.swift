package import CampaignModel
package import Planning
import RegistrationLists
package import State

/// Records everything that a recovered state must treat as sent until a user decides otherwise.
///
/// All its requests get an unknown outcome, so none is sent. The caller holds the write lock.
package struct Recovery: Sendable {
    private let store: any StateStore
    private let opener: SendOpener

    package init(store: any StateStore, projectDirectory: String) {
        self.store = store
        opener = SendOpener(store: store, directory: projectDirectory)
    }

    package func perform(
        _ plan: RecoveryPlan,
        by worker: Worker
    ) throws(ApplyError) -> [RecoveredSending] {
        let run = try mapLedgerErrors { () throws(StateStoreError) in
            if try !store.verifyHistory().isIntact { try store.restartChain() }
            return try store.beginRun(worker)
        }
        try mapLedgerErrors { () throws(StateStoreError) in
            try store.record(plan.renames, in: run)
            try store.record(plan.definitions, in: run)
        }
        var sendings: [RecoveredSending] = []
        for id in plan.underWay { sendings += try giveUp(id, in: run).map { [$0] } ?? [] }
        for step in plan.sendings { sendings.append(try open(step, in: run)) }
        var tally = OutcomeTally()
        tally[.unknown] = sendings.reduce(0) { $0 + $1.unknown }
        try mapLedgerErrors { () throws(StateStoreError) in
            let cause = "the state was recovered"
            try store.finishRun(
                run,
                status: .complete,
                tally: tally,
                cause: cause,
                at: worker.since
            )
        }
        return sendings
    }

    private func open(_ step: SendStep, in run: RunID) throws(ApplyError) -> RecoveredSending {
        let unit = try opener.open(step, due: step.due, in: run)
        return try mapLedgerErrors { () throws(StateStoreError) in
            try makeUnknown(Array(0..<unit.count), step.occurrence, unit, in: run)
            if !step.policy.stopsAtUnknown { try store.close(step.occurrence, as: .finished) }
            return RecoveredSending(occurrence: step.occurrence, unit: unit, unknown: unit.count)
        }
    }

    /// Nil if nothing remained to be sent.
    private func giveUp(
        _ id: OccurrenceID,
        in run: RunID
    ) throws(ApplyError) -> RecoveredSending? {
        try mapLedgerErrors { () throws(StateStoreError) in
            guard let unit = try store.appliedState().occurrences[id]?.unit else { return nil }
            let open = try openRequests(of: unit)
            if !open.isEmpty { try makeUnknown(open, id, unit, in: run) }
            if !unit.target.isFanOut { try store.close(id, as: .finished) }
            return open.isEmpty
                ? nil : RecoveredSending(occurrence: id, unit: unit, unknown: open.count)
        }
    }

    private func openRequests(of unit: WorkUnitRecord) throws(StateStoreError) -> [Int] {
        var open: [Int] = []
        for first in stride(from: 0, to: unit.count, by: Ledger.stride) {
            let range = first..<min(first + Ledger.stride, unit.count)
            let outcomes = try store.outcomes(of: unit.id, in: range)
            open += zip(range, outcomes).filter { $0.1 == .intended || $0.1 == .returned }.map(\.0)
        }
        return open
    }

    private func makeUnknown(
        _ requests: [Int],
        _ occurrence: OccurrenceID,
        _ unit: WorkUnitRecord,
        in run: RunID
    ) throws(StateStoreError) {
        for first in stride(from: 0, to: requests.count, by: Ledger.stride) {
            let outcomes = requests[first..<min(first + Ledger.stride, requests.count)].map {
                RequestOutcome(index: $0, outcome: .unknown, detail: "may have been sent")
            }
            try store.record(outcomes, released: unit.count, of: unit.id)
        }
        var tally = OutcomeTally()
        tally[.unknown] = requests.count
        try store.record(RunOccurrence(occurrence: occurrence, tally: tally), in: run)
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
