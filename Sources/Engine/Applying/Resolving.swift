import CampaignModel
package import State

/// The result of a requested resolution.
package struct PerformedResolution: Hashable, Sendable {
    package let asked: RequestedResolution
    /// Number of requests per new outcome; empty if the unknown requests differ from the requested
    /// ones.
    package let changed: OutcomeTally

    package init(asked: RequestedResolution, changed: OutcomeTally) {
        self.asked = asked
        self.changed = changed
    }

    package var isDone: Bool { changed.total == asked.unknown }
}

// Resolutions; the caller holds the write lock.
extension Ledger {
    /// Performs resolutions that were requested while another process held the lock, in a separate
    /// run.
    @discardableResult
    package func performRequested(
        by worker: Worker
    ) throws(StateStoreError) -> [PerformedResolution] {
        try perform(try store.requestedResolutions(), by: worker)
    }

    /// Performs resolutions in a separate run; without resolutions, there is no run.
    package func perform(
        _ asked: [RequestedResolution],
        by worker: Worker
    ) throws(StateStoreError) -> [PerformedResolution] {
        guard !asked.isEmpty else { return [] }
        let run = try store.beginRun(worker)
        let done = try perform(asked, in: run)
        let tally = done.reduce(OutcomeTally()) { $0 + $1.changed }
        try store.finishRun(run, status: .complete, tally: tally, cause: nil, at: worker.since)
        return done
    }

    private func perform(
        _ asked: [RequestedResolution],
        in run: RunID
    ) throws(StateStoreError) -> [PerformedResolution] {
        var done: [PerformedResolution] = []
        for resolution in asked {
            let changed = try store.perform(resolution, in: run)
            done.append(PerformedResolution(asked: resolution, changed: changed))
            guard changed.total > 0 else { continue }
            try store.record(
                RunOccurrence(occurrence: resolution.occurrence, tally: changed),
                in: run
            )
            try closeIfSettled(resolution.occurrence)
        }
        return done
    }

    /// Closes an occurrence if nothing remains to be sent.
    private func closeIfSettled(_ occurrence: OccurrenceID) throws(StateStoreError) {
        let record = try store.appliedState().occurrences[occurrence]
        guard record?.status == .dispatching, let unit = record?.unit,
            unit.tally[.intended] + unit.tally[.returned] + unit.tally[.unknown] == 0
        else { return }
        try store.close(occurrence, as: .finished)
    }
}
