package import CampaignModel
import Planning
import RegistrationLists
package import RunControl
import Sending
import State
import Time

/// The present stage of an occurrence.
struct DecidedStage {
    let active: ActiveRollout
    /// The numbers of the requests of later stages, ascending; none is dead or held out.
    let later: [Int]
}

/// What happens after a stage.
enum AfterStage {
    /// The next stage begins at a time, which may have passed.
    case begins(Instant)
    /// Nothing is sent until a person decides.
    case stopped(RolloutStop?)
}

extension Applier {
    /// Decides which requests are of later stages; nil without a rollout.
    ///
    /// A stage that began before the process was killed continues, because its record is durable before its first
    /// request.
    ///
    /// `stages`: of each request, if the list was read for an earlier stage.
    func decideStage(
        of opened: OpenedSend,
        after earlier: EarlierAnswers,
        stages known: [UInt8]?
    ) async throws(StateStoreError) -> DecidedStage? {
        guard case .registrations(let list) = opened.unit.target,
            var record = try await store.occurrence(opened.step.occurrence)?.rollout
        else { return nil }
        let counts = RolloutCounts(of: opened.unit, dead: earlier.dead.count)
        if record.base == nil {
            let change = RolloutChange.count(counts)
            record = try await store.change(opened.step.occurrence, by: change) ?? record
        }
        let stages: [UInt8]
        if let known {
            stages = known
        } else {
            stages = try await self.stages(of: list, count: opened.unit.count, in: record.rollout)
        }
        let answers = RolloutGuard(
            record.rollout.stopWhen,
            counts: counts - (record.base ?? counts),
            reasons: try await reasons(of: opened.unit) { stages[$0] == record.stage }
        )
        let later = opened.living.all.joined().filter { stages[$0] > record.stage }
        let active = ActiveRollout(record, answers: answers, stages: stages)
        return DecidedStage(active: active, later: later)
    }

    /// Returns the stage of each row of a stored list.
    private func stages(
        of list: ListID,
        count: Int,
        in rollout: Rollout
    ) async throws(StateStoreError) -> [UInt8] {
        let shape = try await store.shape(of: list)
        guard let column = shape.columns.firstIndex(of: MessageColumns.rolloutColumn) else {
            throw .damaged(path: "", reason: "a list of a rollout was stored without its order")
        }
        var places: [RolloutPlace] = []
        places.reserveCapacity(count)
        while places.count < count {
            let rows = try await store.rows(of: list, from: places.count, count: PageSize.rows)
            guard !rows.isEmpty else { break }
            for row in rows {
                // An erased row has no values, and is not sent.
                let text = row.values.indices.contains(column) ? row.values[column] : ""
                places.append(RolloutPlace(stored: text) ?? .point(.max))
            }
        }
        let bounds = RolloutBounds(of: rollout, points: places.compactMap(\.point))
        return places.map { UInt8(clamping: bounds.stage(of: $0)) }
    }

    /// Ends a stage whose requests all have an outcome or wait for the end of quiet hours.
    ///
    /// - Returns: Nil without a rollout, after the last stage, and if the stage itself waits.
    func nextStage(after sending: ActiveOccurrence) async throws(StateStoreError) -> AfterStage? {
        guard let active = sending.rollout,
            let occurrence = try await store.occurrence(sending.occurrence),
            let record = occurrence.rollout, let unit = occurrence.unit
        else { return nil }
        let tried = try await tried(in: unit, since: record, stages: active.stages)
        var machine = RolloutMachine(record)
        let event = RolloutMachine.Event.complete(
            isWaiting: sending.resumption != nil,
            counts: tried.stage,
            total: tried.total
        )
        for command in machine.receive(event, at: settings.clock.now()) {
            switch command {
            case .record(let change):
                // A decision that a person has made in the meantime has priority.
                guard let changed = try await store.change(sending.occurrence, by: change) else {
                    return .stopped(try await store.occurrence(sending.occurrence)?.rollout?.stop)
                }
                machine = RolloutMachine(changed)
            case .send: return .begins(machine.record.since)
            case .wait(let until): return .begins(until)
            case .stop, .cancel: return .stopped(machine.record.stop)
            case .finish, .deferRest: return nil
            }
        }
        return nil
    }

    /// Whether a person continued or ended one of these rollouts, or its pause is over.
    package func isRolloutDecided(
        among occurrences: Set<OccurrenceID>
    ) async throws(ApplyError) -> Bool {
        for id in occurrences {
            let record = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.occurrence(id)?.rollout
            }
            guard let record, record.abortion == nil else { return true }
            if !record.isStopped, record.since <= settings.clock.now() { return true }
        }
        return false
    }

    /// Stops a rollout after the wrong-list check or the server stopped its send, if its author wants that.
    func stopRollout(
        of sending: ActiveOccurrence,
        after end: DispatchMachine.End
    ) async throws(StateStoreError) {
        guard let active = sending.rollout, let reason = end.trouble,
            let occurrence = try await store.occurrence(sending.occurrence),
            let record = occurrence.rollout, let unit = occurrence.unit
        else { return }
        var machine = RolloutMachine(record)
        let tried = try await tried(in: unit, since: record, stages: active.stages)
        let event = RolloutMachine.Event.held(reason: reason, counts: tried.stage)
        for case .record(let change) in machine.receive(event, at: settings.clock.now()) {
            _ = try await store.change(sending.occurrence, by: change)
        }
    }

    private typealias Tried = (stage: RolloutGuard, total: RolloutCounts)

    /// Returns the answers of the present stage and of all stages.
    private func tried(
        in unit: WorkUnitRecord,
        since record: RolloutRecord,
        stages: [UInt8]
    ) async throws(StateStoreError) -> Tried {
        let rejected = unit.tally[.rejected]
        let details = try await store.requests(of: unit.id, with: .rejected, limit: rejected)
        let dead = details.count { $0.rejection?.isDead == true }
        let total = RolloutCounts(of: unit, dead: dead)
        let (conditions, counts) = (record.rollout.stopWhen, total - (record.base ?? total))
        let stage = RolloutGuard(conditions, counts: counts)
        guard stage.stop(isOver: true) != nil else { return (stage, total) }
        let reasons = try await reasons(of: unit) { stages[$0] == record.stage }
        return (RolloutGuard(conditions, counts: counts, reasons: reasons), total)
    }

    /// Returns why requests of a stage failed.
    private func reasons(
        of unit: WorkUnitRecord,
        isOfStage: (Int) -> Bool
    ) async throws(StateStoreError) -> RolloutReasons {
        var reasons = RolloutReasons()
        for outcome in [Outcome.rejected, .unknown] where unit.tally[outcome] > 0 {
            let count = unit.tally[outcome]
            for request in try await store.requests(of: unit.id, with: outcome, limit: count)
            where isOfStage(request.index) {
                if let rejection = request.rejection { reasons.rejected(rejection) }
                if outcome == .unknown { reasons.unknown(request.detail) }
            }
        }
        return reasons
    }
}

extension RolloutCounts {
    /// `dead`: the number of rejections because of dead registrations.
    fileprivate init(of unit: WorkUnitRecord, dead: Int) {
        self.init(
            accepted: unit.tally[.accepted],
            rejected: unit.tally[.rejected] - dead,
            unknown: unit.tally[.unknown]
        )
    }
}

extension DispatchResult {
    /// Returns the result of a send whose next stage does not begin now.
    func between(stages next: AfterStage) -> DispatchResult {
        switch next {
        case .begins(let due):
            var result = self
            result.rest = due
            result.isBetweenStages = true
            return result
        case .stopped(let stop): return ending(with: .rolloutStopped(stop))
        }
    }
}

extension DispatchMachine.End {
    /// Why the wrong-list check or the server stopped the send; nil for other ends.
    fileprivate var trouble: String? {
        switch self {
        case .held(let evidence): evidence.hold.rawValue
        case .unanswered(let reason): reason
        case .complete, .unsettled, .stopped, .paused, .dayEnded, .nightBegan, .rolloutStopped,
            .expired, .refused:
            nil
        }
    }
}
