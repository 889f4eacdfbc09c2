import CampaignModel
package import State

/// What became of a resolution that somebody asked for.
package struct PerformedResolution: Hashable, Sendable {
    package let asked: RequestedResolution
    /// How many requests got which outcome; nothing where others were unknown by then than those
    /// it was asked for.
    package let changed: OutcomeTally

    package init(asked: RequestedResolution, changed: OutcomeTally) {
        self.asked = asked
        self.changed = changed
    }

    package var isDone: Bool { changed.total == asked.unknown }
}

// The caller holds the writer's lock.
extension Ledger {
    /// Performs what was asked for while nobody could do it, in a run of its own.
    @discardableResult
    package func performRequested(
        by worker: Worker
    ) throws(StateStoreError) -> [PerformedResolution] {
        try perform(try store.requestedResolutions(), by: worker)
    }

    /// Performs resolutions in a run of their own; none makes no run.
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
                RunSending(occurrence: resolution.occurrence, tally: changed),
                in: run
            )
            try closeIfSettled(resolution.occurrence)
        }
        return done
    }

    /// A sending of which nothing is left to send has come to its end.
    private func closeIfSettled(_ occurrence: OccurrenceID) throws(StateStoreError) {
        let record = try store.appliedState().occurrences[occurrence]
        guard record?.status == .dispatching, let unit = record?.unit,
            unit.tally[.intended] + unit.tally[.returned] + unit.tally[.unknown] == 0
        else { return }
        try store.close(occurrence, as: .finished)
    }
}
