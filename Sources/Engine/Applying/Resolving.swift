import CampaignModel
package import State

/// The result of a requested resolution.
package struct PerformedResolution: Hashable, Sendable {
    package let asked: RequestedResolution
    /// Number of requests per new outcome; empty if the unknown requests have changed since the
    /// request.
    package let changed: OutcomeTally

    package init(asked: RequestedResolution, changed: OutcomeTally) {
        self.asked = asked
        self.changed = changed
    }

    package var isDone: Bool { changed.total == asked.unknown }
}

// Resolutions; the caller holds the write lock.
extension OccurrenceRecorder {
    /// Performs resolutions that were requested while another process held the lock, in a separate
    /// run.
    @discardableResult
    package func performRequested(
        by worker: Worker
    ) async throws(StateStoreError) -> [PerformedResolution] {
        try await perform(try await store.requestedResolutions(), by: worker)
    }

    /// Performs resolutions in a separate run; without resolutions, there is no run.
    package func perform(
        _ asked: [RequestedResolution],
        by worker: Worker
    ) async throws(StateStoreError) -> [PerformedResolution] {
        guard !asked.isEmpty else { return [] }
        let run = try await store.beginRun(worker)
        let done = try await perform(asked, in: run)
        let tally = done.reduce(OutcomeTally()) { $0 + $1.changed }
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: tally, at: worker.since)
        )
        return done
    }

    private func perform(
        _ asked: [RequestedResolution],
        in run: RunID
    ) async throws(StateStoreError) -> [PerformedResolution] {
        var done: [PerformedResolution] = []
        for resolution in asked {
            let changed = try await store.perform(resolution, in: run)
            done.append(PerformedResolution(asked: resolution, changed: changed))
            guard changed.total > 0 else { continue }
            try await store.record(
                RunOccurrence(occurrence: resolution.occurrence, tally: changed),
                in: run
            )
            try await closeIfSettled(resolution.occurrence)
        }
        return done
    }

    /// Closes an occurrence if nothing remains to be sent.
    private func closeIfSettled(_ occurrence: OccurrenceID) async throws(StateStoreError) {
        let record = try await store.occurrence(occurrence)
        guard record?.status == .dispatching, let unit = record?.unit,
            unit.tally[.intended] + unit.tally[.returned] + unit.tally[.unknown] == 0
        else { return }
        try await store.close(occurrence, as: .finished)
    }
}
