import CampaignMessages
import CampaignModel
import FCMClient
import Memberships
import Planning
import RegistrationLists
package import RunControl
import Scheduling
import Sending
package import State
import Time

/// An occurrence whose requests were sent, as far as that was possible.
struct DispatchedSend {
    let step: SendStep
    let sending: ActiveOccurrence
    let result: Result<DispatchResult, ApplyError>
}

extension Applier {
    func perform(
        _ planned: SendStep,
        in run: RunID,
        of plan: Plan,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        // A recall that was requested since the plan was made may have ended the occurrence.
        guard active.begin(planned.occurrence) else { return }
        defer { active.end(planned.occurrence) }
        guard let send = try await adopted(planned, in: run, into: &result) else { return }
        if let pause = try await pause(of: send.occurrence) {
            return leave(send, until: pause, into: &result)
        }
        let groupKey = try await groupKey(of: send)
        if try await isHeld(send, in: run, into: &result) { return }
        if send.isFanOut {
            try await waitForSlot(send, of: plan)
            if let pause = try await pause(of: send.occurrence) {
                return leave(send, until: pause, into: &result)
            }
            if try await isHeld(send, in: run, into: &result) { return }
        }
        guard let prepared = try await prepare(send, of: plan, into: &result) else { return }
        var sending = try await open(prepared, in: run, plannedAt: plan.now)
        sending.groupKey = groupKey
        let total =
            sending.requests.count - sending.skipped.count - sending.skipped.waiting.count
        // After an adoption, nothing may be left.
        if total > 0 || send === planned {
            settings.report(.began(.sending(send.occurrence), total: total))
        }
        let dispatched = DispatchedSend(
            step: send,
            sending: sending,
            result: await dispatch(sending, of: prepared)
        )
        try await conclude(dispatched, in: run, of: plan, into: &result)
    }

    /// Reports an occurrence that was sent in whole or in part, and records what the run did.
    func conclude(
        _ dispatched: DispatchedSend,
        in run: RunID,
        of plan: Plan,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let (send, sending) = (dispatched.step, dispatched.sending)
        settings.report(.ended(.sending(send.occurrence)))
        // Even if the state cannot be written, report its readable part.
        let sent = await report(on: sending, after: try? dispatched.result.get())
        let isComplete =
            (try? dispatched.result.get()).map { $0.end == .complete && $0.rest == nil } ?? false
        if case .success(let sent) = sent {
            result.sends.append(sent)
            holdSlot(for: send, after: sent, of: plan)
            settings.report(.sent(sent))
            try await mapLedgerErrors { () async throws(StateStoreError) in
                if isComplete { return try await recorder.finish(sent, in: run) }
                try await recorder.note(sent, as: sent.tally, in: run)
            }
        } else if isComplete {
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.close(send.occurrence, as: .finished)
            }
        }
        if sending.isPartlyLate { result.expired.append(send.occurrence) }
        let ended = try dispatched.result.get()
        try await note(ended, of: send, in: run, into: &result)
        try ended.end.throwIfItEndsTheRun()
        _ = try sent.get()
    }

    /// Returns the key of the addressed device group; nil for any other target.
    ///
    /// It is fetched before anything is opened, and is never stored, because it is a secret.
    private func groupKey(of send: SendStep) async throws(ApplyError) -> String? {
        guard case .group(let name) = send.target else { return nil }
        return try await DeviceGroupLookup(settings.renewing).key(of: name)
    }

    private func report(
        on sending: ActiveOccurrence,
        after dispatched: DispatchResult?
    ) async -> Result<SendReport, ApplyError> {
        do throws(StateStoreError) {
            if let dispatched, dispatched.end == .expired {
                _ = try await giveUp(sending.occurrence, as: .expired, but: dispatched.waiting)
            }
            return .success(try await recorder.report(on: sending, after: dispatched))
        } catch {
            return .failure(.state(error))
        }
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: store, fingerprinter: project.fingerprinter)
    }

    /// - Parameters:
    ///   - drafts: The lists that were stored while they were checked.
    ///   - people: The people of the lists that were read.
    /// - Returns: The opener of occurrences.
    func opener(_ drafts: ListDrafts?, people: PlannedPeople = .none) -> SendOpener {
        SendOpener(
            ledger: ledger,
            lists: store,
            directory: project.directory,
            fingerprinter: project.fingerprinter,
            drafts: drafts,
            people: people
        )
    }

    /// Leaves a fan-out in the state until quiet hours end; a list send is interrupted instead.
    private func isHeld(
        _ send: SendStep,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) -> Bool {
        guard send.isFanOut, let end = send.hold?.end(at: settings.clock.now()) else {
            return false
        }
        let change: DefinitionChange =
            send.unit == nil
            ? .schedule(send.occurrence, due: end) : .deferRest(send.occurrence, until: end)
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record([change], in: run)
        }
        result.deferred.append(DeferredSend(occurrence: send.occurrence, until: end))
        result.notBegun += send.remaining
        return true
    }

    private func leave(_ send: SendStep, until pause: Pause, into result: inout ApplyReport) {
        result.paused.append(PausedSend(occurrence: send.occurrence, scope: pause.scope))
        result.notBegun += send.remaining
    }

    /// The scopes that are paused now.
    package func pauses() async throws(ApplyError) -> Set<PauseScope> {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            Set(try await store.pauses().map(\.scope))
        }
    }

    /// Whether the run should end soon: another process waits for its lock, or a user requested a
    /// resolution, which only the next window performs.
    package func isEndAwaited() async throws(ApplyError) -> Bool {
        if await store.hasWaitingWriter() { return true }
        return try await mapLedgerErrors { () async throws(StateStoreError) in
            try await !store.requestedResolutions().isEmpty
        }
    }

    /// Returns the current pause of the campaign or of everything.
    func pause(of occurrence: OccurrenceID) async throws(ApplyError) -> Pause? {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.pause(of: occurrence.campaign)
        }
    }

    /// Reports a rollout that stopped, or gives up the rest if a person ended it.
    private func noteRollout(
        of occurrence: OccurrenceID,
        stoppedBy stop: RolloutStop?,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let record = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.occurrence(occurrence)?.rollout
        }
        if record?.abortion != nil {
            try await end(occurrence, rest: .cancelled, as: .cancelled, in: run)
            result.cancelled.append(occurrence)
        } else {
            let stop = record?.stop ?? stop
            result.stoppedRollouts.append(
                StoppedRollout(occurrence, stage: record?.stage, by: stop)
            )
        }
    }

    /// Adds the result of an occurrence to the report, and leaves what waits for the end of quiet
    /// hours in the state.
    private func note(
        _ dispatched: DispatchResult,
        of send: SendStep,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let occurrence = send.occurrence
        if dispatched.end == .expired, !result.expired.contains(occurrence) {
            result.expired.append(occurrence)
        }
        if let rest = dispatched.rest {
            let deferred = DeferredSend(
                occurrence: occurrence,
                until: rest,
                isBetweenStages: dispatched.isBetweenStages
            )
            return try await leave(deferred, in: run, into: &result)
        }
        switch dispatched.end {
        case .expired:
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.close(occurrence, as: .finished)
            }
        case .held(let suspicion):
            result.held.append(HeldSend(occurrence: occurrence, suspicion: suspicion))
        case .paused:
            let scope = try await pause(of: occurrence)?.scope
            let next = settings.clock.now().advanced(bySeconds: 1)
            if scope == nil, let end = send.hold?.end(at: next) {
                let deferred = DeferredSend(occurrence: occurrence, until: end)
                return try await leave(deferred, in: run, into: &result)
            }
            result.paused.append(PausedSend(occurrence: occurrence, scope: scope))
        case .rolloutStopped(let stop):
            try await noteRollout(of: occurrence, stoppedBy: stop, in: run, into: &result)
        case .complete, .unsettled, .stopped, .dayEnded, .nightBegan, .refused, .unanswered: break
        }
    }

    /// Leaves the rest of an occurrence in the state until quiet hours, or the pause of its rollout, end.
    private func leave(
        _ deferred: DeferredSend,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        // The end of the pause is already recorded, and a person may have shortened it.
        if !deferred.isBetweenStages {
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.record(
                    [.deferRest(deferred.occurrence, until: deferred.until)],
                    in: run
                )
            }
        }
        result.deferred.append(deferred)
    }

    /// Dispatches an occurrence, and decides its caps and its recipients' quiet hours again whenever
    /// a day ends, or quiet hours begin or end, for some people.
    private func dispatch(
        _ sending: ActiveOccurrence,
        of prepared: PreparedSend
    ) async -> Result<DispatchResult, ApplyError> {
        do throws(StateStoreError) {
            var active = sending
            var result = try await dispatchUnlessHeld(active)
            while true {
                if result.end.asksAgain, let decision = active.decision {
                    await waitForDay(decision)
                    active = try await goOn(active, due: active.due, of: prepared)
                    // If the clock does not advance, the day would end again.
                    let now = settings.clock.now()
                    if now < decision, now.advanced(bySeconds: 1) >= decision {
                        active = active.endless()
                    }
                } else if result.end == .complete, let end = active.resumption,
                    end <= settings.clock.now()
                {
                    active = try await goOn(active, due: end, of: prepared)
                } else if result.end == .complete, let next = try await nextStage(after: active) {
                    guard case .begins(let due) = next, due <= settings.clock.now() else {
                        return .success(result.between(stages: next))
                    }
                    active = try await goOn(active, due: due, of: prepared)
                } else {
                    break
                }
                result = result.followed(by: try await dispatchUnlessHeld(active))
            }
            try await stopRollout(of: active, after: result.end)
            if result.mayGoOn, let end = active.resumption {
                result.rest = end
                result.waiting = active.skipped.waiting
            }
            return .success(result)
        } catch {
            return .failure(.state(error))
        }
    }

    /// The list of a send that is held at once is stored, so that it can be sent later.
    ///
    /// Quiet hours may begin when a day ends.
    private func dispatchUnlessHeld(
        _ sending: ActiveOccurrence
    ) async throws(StateStoreError) -> DispatchResult {
        // A person may have stopped it since the plan was made.
        if let record = sending.rollout?.record, record.isStopped {
            let end = DispatchMachine.End.rolloutStopped(record.stop)
            return DispatchResult(end: end, repeated: [], repeatedCount: 0)
        }
        return sending.hold?.end(at: settings.clock.now()) != nil
            ? DispatchResult(end: .paused, repeated: [], repeatedCount: 0)
            : try await dispatcher.dispatch(sending, through: fleet)
    }

    var dispatcher: Dispatcher {
        Dispatcher(
            stores: DispatchStores(
                ledger: ledger,
                reader: store,
                control: store,
                deadRegistrations: store
            ),
            fingerprinter: project.fingerprinter,
            paces: paces,
            settings: settings
        )
    }
}

// MARK: - Opening an occurrence

extension Applier {
    private func open(
        _ prepared: PreparedSend,
        in run: RunID,
        plannedAt planned: Instant
    ) async throws(ApplyError) -> ActiveOccurrence {
        let send = prepared.step
        // A message without a schedule is due when it is sent, however long the review of the plan
        // took.
        let due =
            send.unit == nil && send.due == planned ? max(planned, settings.clock.now()) : send.due
        let unit: WorkUnitRecord
        var earlier = EarlierAnswers.none
        if let opened = send.unit {
            unit = opened
            earlier = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await recorder.earlierAnswers(to: opened, of: send.occurrence)
            }
        } else {
            unit = try await opener(prepared.drafts, people: prepared.people)
                .open(send, due: due, in: run)
        }
        let sending = try await mapLedgerErrors { () async throws(StateStoreError) in
            let requests = try await recorder.intended(of: unit)
            let opened = OpenedSend(
                step: send,
                unit: unit,
                requests: requests,
                dead: send.isAdopted
                    ? try await deadByNow(send, in: unit, among: requests)
                    : try await deadByNow(send, among: requests),
                heldOut: send.heldOut.filter(requests.contains),
                people: prepared.people
            )
            try await expose(opened, due: due)
            return try await begin(opened, due: due, after: earlier)
        }
        if earlier.isHeld, sending.trial?.suspicion == nil {
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.hold(send.occurrence, with: nil)
            }
        }
        return sending
    }

    /// Returns the rest of an occurrence whose day has ended, or whose recipients no longer wait.
    ///
    /// `due`: from which the lifetime of the rest counts.
    private func goOn(
        _ sending: ActiveOccurrence,
        due: Instant,
        of prepared: PreparedSend
    ) async throws(StateStoreError) -> ActiveOccurrence {
        let unit = try await store.unit(sending.unit.id)
        let requests = try await recorder.intended(of: unit)
        let opened = OpenedSend(
            step: prepared.step,
            unit: unit,
            requests: requests,
            dead: try await deadByNow(prepared.step, in: unit, among: requests),
            heldOut: prepared.step.heldOut.filter(requests.contains),
            people: prepared.people
        )
        let earlier = try await recorder.earlierAnswers(to: unit, of: sending.occurrence)
        let stages = sending.rollout?.stages
        return try await begin(opened, due: due, after: earlier, stages: stages)
    }

    /// `stages`: of each request of a rollout, if its list was read before.
    private func begin(
        _ opened: OpenedSend,
        due: Instant,
        after earlier: EarlierAnswers,
        stages: [UInt8]? = nil
    ) async throws(StateStoreError) -> ActiveOccurrence {
        let (send, unit) = (opened.step, opened.unit)
        let stage = try await decideStage(of: opened, after: earlier, stages: stages)
        let later = stage?.later ?? []
        let hours = try await decideHours(of: opened.without(later))
        try await expire(hours.over, of: unit.id)
        let requests = opened.requests.subtracting(hours.over)
        let waiting = later.isEmpty ? hours.waiting : (hours.waiting + later).sorted()
        let now = requests.subtracting(waiting)
        let caps = try await decideCaps(
            of: send.recipients == nil && stage == nil
                ? opened
                : opened.only(
                    now.subtracting(opened.dead).subtracting(opened.heldOut)
                )
        )
        let optedOut = try await optedOut(among: opened.dead, of: unit)
        let skipped = SkippedRequests(
            dead: optedOut.isEmpty ? opened.dead : opened.dead.filter { !optedOut.contains($0) },
            optedOut: optedOut.sorted(),
            heldOut: opened.heldOut,
            capped: caps.capped,
            waiting: waiting,
            mark: unit.released
        )
        return ActiveOccurrence(
            occurrence: send.occurrence,
            due: due,
            unit: unit,
            requests: requests,
            skipped: skipped,
            message: send.template,
            policy: send.policy,
            trial: unit.target.isFanOut
                ? nil
                : WrongListDetector(
                    count: unit.count - unit.tally[.suppressed] - skipped.count,
                    acknowledged: send.policy.acknowledgedDead,
                    earlier: earlier
                ),
            priority: send.priority,
            hold: send.hold,
            dayEnd: caps.end,
            night: hours.beginning,
            resumption: hours.resumption,
            isPartlyLate: hours.isLate,
            rollout: stage?.active
        )
    }

    /// Ends an occurrence; its remaining requests get a final outcome.
    func end(
        _ occurrence: OccurrenceID,
        rest outcome: Outcome,
        as status: OccurrenceStatus,
        in run: RunID
    ) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            let count = try await giveUp(occurrence, as: outcome)
            if count > 0 {
                var tally = OutcomeTally()
                tally[outcome] = count
                try await store.record(RunOccurrence(occurrence: occurrence, tally: tally), in: run)
            }
            try await store.close(occurrence, as: status)
        }
    }

    /// Gives this outcome to the remaining requests and returns their number.
    ///
    /// `waiting`: those that keep theirs, in ascending order.
    private func giveUp(
        _ occurrence: OccurrenceID,
        as outcome: Outcome,
        but waiting: [Int] = []
    ) async throws(StateStoreError) -> Int {
        guard let unit = try await store.occurrence(occurrence)?.unit else { return 0 }
        var rest = try await recorder.intended(of: unit).subtracting(waiting)
        let count = rest.count
        while !rest.isEmpty {
            let outcomes = rest.takeFirst(PageSize.outcomes).map {
                RequestOutcome(index: $0, outcome: outcome)
            }
            try await store.record(outcomes, released: nil, of: unit.id)
        }
        return count
    }
}

extension DispatchMachine.End {
    /// Throws if no other occurrence may start, either.
    func throwIfItEndsTheRun() throws(ApplyError) {
        switch self {
        case .complete, .unsettled, .held, .paused, .dayEnded, .nightBegan, .rolloutStopped,
            .expired:
            return
        case .stopped: throw .interrupted
        case .refused(let reason): throw .refused(reason: reason)
        case .unanswered(let reason): throw .unanswered(reason: reason)
        }
    }
}
