import CampaignModel
package import State
package import Time

/// Decides which stage of a rollout is sent, and when it ends.
///
/// It is pure: a driver reports events with the time, sends stages and records changes.
///
/// - Invariant: A stage is sent only after a command to record it, and no stage is sent twice or left out.
package struct RolloutMachine: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// Time has passed, or a run begins.
        case time
        /// Every request of the present stage has an outcome, is skipped, or waits for the end of quiet hours.
        ///
        /// `isWaiting`: whether any request waits. `counts`: those of the stage. `total`: those of the occurrence.
        case complete(isWaiting: Bool, counts: RolloutGuard, total: RolloutCounts)
        /// The send stopped; the reason is that of the wrong-list check or the server.
        case held(reason: String, counts: RolloutGuard)
        /// A condition of `stop_when` is met.
        case mustStop(RolloutStop)
        case goOn(RolloutDecision)
        case abort(RolloutDecision)
    }

    package enum Command: Hashable, Sendable {
        /// Must be durable before any later command is performed.
        case record(RolloutChange)
        case send(stage: Int)
        /// Report the time again then.
        case wait(until: Instant)
        /// Send nothing until quiet hours end for the next recipients of the present stage.
        case deferRest
        /// Nothing is sent until a person decides.
        case stop
        /// Give up the rest.
        case cancel
        /// Everything was sent.
        case finish
    }

    package private(set) var record: RolloutRecord

    package init(_ record: RolloutRecord) {
        self.record = record
    }

    package mutating func receive(_ event: Event, at now: Instant) -> [Command] {
        switch event {
        case .time: return next(at: now)
        case .complete(let isWaiting, let counts, let total):
            // Nothing is left to stop.
            guard !record.isLastStage || isWaiting else { return [.finish] }
            guard !record.isStopped else { return next(at: now) }
            if let stop = counts.stop(isOver: true) { return change(.stop(stop)) + [.stop] }
            // Nothing was learned from a stage without requests.
            let isTried = counts.counts.answers + counts.counts.unknown > 0
            guard !record.isLastStage, isTried || !isWaiting else { return [.deferRest] }
            let pause = isTried ? record.rollout.pause : 0
            let begin = RolloutChange.begin(
                stage: record.stage + 1,
                at: now.advanced(bySeconds: pause),
                counts: total
            )
            return change(begin) + next(at: now)
        case .held(let reason, let counts):
            guard let stop = counts.stop(after: reason) else { return [.stop] }
            return change(.stop(stop)) + [.stop]
        case .mustStop(let stop): return change(.stop(stop)) + [.stop]
        case .goOn(let decision): return change(.goOn(decision)) + next(at: now)
        case .abort(let decision): return change(.abort(decision)) + next(at: now)
        }
    }

    private func next(at now: Instant) -> [Command] {
        if record.abortion != nil { return [.cancel] }
        if record.stop != nil { return [.stop] }
        return record.since > now ? [.wait(until: record.since)] : [.send(stage: record.stage)]
    }

    private mutating func change(_ change: RolloutChange) -> [Command] {
        guard let changed = record.applying(change) else { return [] }
        record = changed
        return [.record(change)]
    }
}
