import CampaignMessages
import CampaignModel
import FCMClient
import Planning
import RegistrationLists
import Scheduling
import State
import Time

extension Applier {
    func perform(
        _ send: SendStep,
        in run: RunID,
        of plan: Plan,
        _ result: inout ApplyReport
    ) async throws(ApplyError) {
        if try isPaused(send) { return leave(send, &result) }
        let groupKey = try await groupKey(of: send)
        try await waitForSlot(send, of: plan)
        if try isPaused(send) { return leave(send, &result) }
        var sending = try open(send, in: run, plannedAt: plan.now)
        sending.groupKey = groupKey
        let total = sending.requests.count - sending.dead.count
        report(.began(.sending(send.occurrence), total: total))
        let dispatched = await dispatch(sending)
        report(.ended(.sending(send.occurrence)))
        // Even if the state cannot be written, report its readable part.
        let sent = Result { () throws(ApplyError) in
            try mapLedgerErrors { () throws(StateStoreError) in
                let done = try? dispatched.get()
                if done?.end == .expired { _ = try giveUp(send.occurrence, as: .expired) }
                return try ledger.report(on: sending, done)
            }
        }
        if case .success(let sent) = sent {
            result.sends.append(sent)
            holdSlot(send, sent, of: plan)
            report(.sent(sent))
            try mapLedgerErrors { () throws(StateStoreError) in
                try ledger.note(sent, as: sent.tally, in: run)
            }
        }
        if case .success(let dispatched) = dispatched {
            try note(dispatched.end, of: send.occurrence, &result)
        }
        try finish(send, try dispatched.get().end)
        _ = try sent.get()
    }

    /// Returns the key of the addressed device group; nil for any other target.
    ///
    /// It is fetched before anything is opened, and is never stored, because it is a secret.
    private func groupKey(of send: SendStep) async throws(ApplyError) -> String? {
        guard case .group(let name) = send.target else { return nil }
        let lookup = DeviceGroupLookup(
            transport: endpoint.renewing(transport),
            endpoint: endpoint,
            stop: stop,
            backoff: backoff
        )
        return try await lookup.key(of: name)
    }

    private var ledger: Ledger { Ledger(store: store, fingerprinter: fingerprinter) }

    private var opener: SendOpener { SendOpener(store: store, directory: projectDirectory) }

    private func leave(_ send: SendStep, _ result: inout ApplyReport) {
        result.paused.append(send.occurrence)
        result.notBegun += send.remaining
    }

    func isPaused(_ send: SendStep) throws(ApplyError) -> Bool {
        try mapLedgerErrors { () throws(StateStoreError) in
            try dispatcher.isPaused(send.occurrence.campaign)
        }
    }

    /// Adds the result of an occurrence to the report.
    private func note(
        _ end: DispatchMachine.End,
        of occurrence: OccurrenceID,
        _ result: inout ApplyReport
    ) throws(ApplyError) {
        switch end {
        case .expired:
            result.expired.append(occurrence)
            try mapLedgerErrors { () throws(StateStoreError) in
                try store.close(occurrence, as: .finished)
            }
        case .held(let suspicion):
            result.held.append(HeldSend(occurrence: occurrence, suspicion: suspicion))
        case .paused: result.paused.append(occurrence)
        default: break
        }
    }

    private func finish(
        _ send: SendStep,
        _ end: DispatchMachine.End
    ) throws(ApplyError) {
        switch end {
        case .complete:
            try mapLedgerErrors { () throws(StateStoreError) in
                try store.close(send.occurrence, as: .finished)
            }
        case .unsettled, .held, .paused, .expired: return
        case .stopped: throw .interrupted
        case .refused(let reason): throw .refused(reason: reason)
        case .unanswered(let reason): throw .unanswered(reason: reason)
        }
    }

    private func dispatch(_ sending: ActiveOccurrence) async -> Result<DispatchResult, ApplyError> {
        do throws(StateStoreError) {
            return .success(try await dispatcher.dispatch(sending))
        } catch {
            return .failure(.state(error))
        }
    }

    private var dispatcher: Dispatcher {
        Dispatcher(
            store: store,
            transport: transport,
            endpoint: endpoint,
            fingerprinter: fingerprinter,
            clock: clock,
            stop: stop,
            drainLimit: drainLimit,
            backoff: backoff,
            maximumOpen: parallelism,
            paces: paces,
            report: report
        )
    }
}

// MARK: - Opening an occurrence

extension Applier {
    private func open(
        _ send: SendStep,
        in run: RunID,
        plannedAt planned: Instant
    ) throws(ApplyError) -> ActiveOccurrence {
        // A message without a schedule is due when it is sent, however long the review of the plan
        // took.
        let due = send.unit == nil && send.due == planned ? max(planned, clock.now()) : send.due
        let unit: WorkUnitRecord
        var earlier = EarlierAnswers.none
        if let opened = send.unit {
            unit = opened
            earlier = try mapLedgerErrors { () throws(StateStoreError) in
                try ledger.earlierAnswers(to: opened, of: send.occurrence)
            }
        } else {
            unit = try opener.open(send, due: due, in: run)
        }
        let sending = try mapLedgerErrors { () throws(StateStoreError) in
            let requests = try ledger.intended(of: unit)
            let dead = try deadByNow(send, among: requests)
            return ActiveOccurrence(
                occurrence: send.occurrence,
                due: due,
                unit: unit,
                requests: requests,
                dead: DeadRequests(dead),
                message: send.template,
                policy: send.policy,
                trial: unit.target.isFanOut
                    ? nil
                    : WrongListDetector(
                        count: unit.count - unit.tally[.suppressed] - dead.count,
                        acknowledged: send.policy.acknowledgedDead,
                        earlier: earlier
                    )
            )
        }
        if earlier.isHeld, sending.trial?.suspicion == nil {
            try mapLedgerErrors { () throws(StateStoreError) in try store.hold(send.occurrence, nil)
            }
        }
        return sending
    }

    /// Returns the requests to dead registrations, including those that died in earlier occurrences
    /// of this run.
    private func deadByNow(
        _ send: SendStep,
        among requests: RequestRanges
    ) throws(StateStoreError) -> [Int] {
        guard let living = send.target.fingerprints, try store.deadCount() > 0 else {
            return send.dead
        }
        let dead = try store.deadRegistrations()
        var rest = requests.subtracting(send.dead)
        let numbers = rest.takeFirst(living.count)
        let died = zip(numbers, living).filter { dead.contains($1) }.map(\.0)
        return died.isEmpty ? send.dead : (send.dead + died).sorted()
    }

    /// Ends an occurrence; its remaining requests get a final outcome.
    func end(
        _ occurrence: OccurrenceID,
        rest outcome: Outcome,
        as status: OccurrenceStatus,
        in run: RunID
    ) throws(ApplyError) {
        try mapLedgerErrors { () throws(StateStoreError) in
            let count = try giveUp(occurrence, as: outcome)
            if count > 0 {
                var tally = OutcomeTally()
                tally[outcome] = count
                try store.record(RunOccurrence(occurrence: occurrence, tally: tally), in: run)
            }
            try store.close(occurrence, as: status)
        }
    }

    /// Gives this outcome to the remaining requests and returns their number.
    private func giveUp(
        _ occurrence: OccurrenceID,
        as outcome: Outcome
    ) throws(StateStoreError) -> Int {
        guard let unit = try store.appliedState().occurrences[occurrence]?.unit else { return 0 }
        var rest = try ledger.intended(of: unit)
        let count = rest.count
        while !rest.isEmpty {
            let outcomes = rest.takeFirst(4_096).map { RequestOutcome(index: $0, outcome: outcome) }
            try store.record(outcomes, released: nil, of: unit.id)
        }
        return count
    }
}

extension SendStepTarget {
    /// The fingerprints of the addressed registrations, in order; nil for a fan-out.
    fileprivate var fingerprints: [Fingerprint]? {
        switch self {
        case .topic, .condition, .group: nil
        case .list(_, _, let fingerprints), .stored(_, let fingerprints): fingerprints
        }
    }
}
