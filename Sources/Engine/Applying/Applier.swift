import CampaignModel
import FCMClient
import HTTPTransport
package import Planning
import RateControl
package import RunControl
package import Sending
package import State
import Time

/// Applies a plan: leaves, then joins, then sends, each recorded before and after.
///
/// The caller holds the write lock.
package struct Applier: Sendable {
    let store: any StateStore
    /// Records what is sent.
    let ledger: any Ledger
    let project: AppliedProject
    let settings: RunSettings
    let paces: RunPaces
    /// Nil if this process sends everything itself.
    let fleet: FleetHandover?
    let active = ActiveSends()

    /// `ledger`: records what is sent in place of the store.
    package init(
        of project: AppliedProject,
        store: any StateStore,
        ledger: (any Ledger)? = nil,
        fleet: FleetHandover? = nil,
        settings: RunSettings
    ) {
        self.project = project
        self.store = store
        self.ledger = ledger ?? store
        self.settings = settings
        self.fleet = fleet
        paces = RunPaces(project.pace)
    }

    /// Never throws: the report contains the error and the completed work.
    package func apply(_ plan: Plan, by worker: Worker) async -> ApplyReport {
        await apply(plan, by: worker) {
            (run, result: inout ApplyReport) async throws(ApplyError) in
            try await sendInOrder(plan, in: run, into: &result)
        }
    }

    /// Applies a plan whose sends `sending` performs.
    ///
    /// Never throws: the report contains the error and the completed work.
    package func apply(
        _ plan: Plan,
        by worker: Worker,
        sending: (RunID, inout ApplyReport) async throws(ApplyError) -> Void
    ) async -> ApplyReport {
        var result = ApplyReport()
        let sustained = plan.traffic.sustained(.sends, at: settings.clock.now())
        paces.sends = RequestFlow(.sends(project.pace).after(sustained))
        do throws(ApplyError) {
            try await reach(plan)
            let run = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.beginRun(worker)
            }
            settings.report(.runBegan(run))
            do throws(ApplyError) {
                // The caller has not connected for what is requested since then.
                let reachesServer = try await reachesServer(for: plan)
                try await request(plan.corrections, by: worker)
                try await perform(plan, in: run, into: &result)
                if reachesServer {
                    try await takingBack(
                        in: run,
                        into: &result,
                        replies: !plan.handsOver,
                        while: sending
                    )
                } else {
                    try await sending(run, &result)
                }
            } catch {
                result.error = error
            }
            try await finish(run, with: result)
        } catch {
            result.error = result.error ?? error
        }
        return result
    }

    /// Whether the caller has connected to the server: it does that for sends, corrections, recalls and replies.
    private func reachesServer(for plan: Plan) async throws(ApplyError) -> Bool {
        if !plan.sends.isEmpty || !plan.ownCorrections.isEmpty { return true }
        return try await mapLedgerErrors { () async throws(StateStoreError) in
            if try await !openRecalls().isEmpty { return true }
            guard !plan.handsOver else { return false }
            return try await !openReplies().isEmpty
        }
    }

    /// Performs recalls while the run sends, and those that are still requested after it; sends replies, too.
    ///
    /// `replies`: false if a service sends them.
    private func takingBack(
        in run: RunID,
        into result: inout ApplyReport,
        replies: Bool,
        while sending: (RunID, inout ApplyReport) async throws(ApplyError) -> Void
    ) async throws(ApplyError) {
        let end = StopSignal()
        async let recalls = RecallWatch(self, in: run, until: end).perform()
        async let replied = replies ? reply(in: run) : ApplyReport()
        let sent: Result<Void, ApplyError>
        do throws(ApplyError) {
            sent = .success(try await sending(run, &result))
        } catch {
            sent = .failure(error)
        }
        end.raise()
        result.merge(await replied)
        result.merge(await recalls)
        result.noteTakenBack()
        try sent.get()
    }

    /// Performs the requested recalls and nothing else.
    ///
    /// Never throws: the report contains the error and the completed work.
    package func performRecalls(by worker: Worker) async -> ApplyReport {
        var result = ApplyReport()
        do throws(ApplyError) {
            try await reachMessaging()
            let run = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.beginRun(worker)
            }
            settings.report(.runBegan(run))
            do throws(ApplyError) {
                try await takingBack(in: run, into: &result, replies: false) { _, _ in }
            } catch {
                result.error = error
            }
            try await finish(run, with: result)
        } catch {
            result.error = result.error ?? error
        }
        return result
    }

    private func reachMessaging() async throws(ApplyError) {
        do {
            try await settings.transport.prepare(settings.endpoint.messaging)
        } catch {
            throw .unreachable(reason: error.detail)
        }
    }

    private func finish(_ run: RunID, with result: ApplyReport) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.finishRun(
                run,
                as: RunEnd(
                    status: result.runStatus,
                    tally: result.tally,
                    cause: result.error.map(\.cause) ?? result.remark,
                    traffic: paces.measurements(at: settings.clock.now()),
                    at: settings.clock.now()
                )
            )
        }
    }

    /// Detects an unreachable server before anything is recorded.
    private func reach(_ plan: Plan) async throws(ApplyError) {
        let hasChanges = plan.memberships.contains { !$0.joins.isEmpty || !$0.leaves.isEmpty }
        guard hasChanges || !plan.sends.isEmpty || !plan.ownCorrections.isEmpty else { return }
        let (transport, endpoint) = (settings.transport, settings.endpoint)
        do {
            try await transport.prepare(endpoint.messaging)
            guard hasChanges, endpoint.instanceID != endpoint.messaging else { return }
            try await transport.prepare(endpoint.instanceID)
        } catch {
            throw .unreachable(reason: error.detail)
        }
    }

    private func perform(
        _ plan: Plan,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        for list in plan.campaigns.compactMap(\.scheduledList) {
            try await opener(project.drafts).store(list.content, as: list.id)
        }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await keepPeople(of: plan)
            try await store.record(plan.definitionChanges, in: run)
        }
        try await begin(plan.campaigns, in: run, into: &result)
        result.deferred += plan.deferrals.map { DeferredSend(occurrence: $0, until: $1) }
        try await changeMembershipsUnlessPaused(of: plan, in: run, into: &result)
        try await handOver(plan, in: run, into: &result)
        result.notBegun = plan.sends.reduce(0) { $0 + $1.remaining }
        settings.report(.sendings(plan.sends.count))
    }

    /// Records actions that became due while a run sends, and ends what they end.
    package func extend(
        with actions: [CampaignAction],
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(actions.flatMap(\.definitionChanges), in: run)
        }
        try await begin(actions, in: run, into: &result)
        let sends = actions.compactMap(\.step.began)
        result.notBegun += sends.reduce(0) { $0 + $1.remaining }
        settings.report(.sendings(sends.count))
    }

    /// Reports and ends the occurrences that are not sent.
    private func begin(
        _ actions: [CampaignAction],
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        for action in actions {
            switch action.step {
            case .expire(let occurrence, _), .outlive(let occurrence, _):
                result.expired.append(occurrence)
            case .skip(let occurrence, _): result.skipped.append(occurrence)
            case .miss(let missed):
                let occurrences = missed.occurrences.map(\.occurrence)
                result.missedSlots += missed.count - occurrences.count
                if missed.isFailure {
                    result.expired += occurrences
                } else {
                    result.skipped += occurrences
                }
            case .paused(let send, let pause):
                result.paused.append(PausedSend(occurrence: send.occurrence, scope: pause.scope))
            case .stopped(let occurrence, _): result.stopped.append(occurrence)
            case .cancel(let cancelled):
                try await end(cancelled.occurrence, rest: .cancelled, as: .cancelled, in: run)
            case .lapse(let send):
                try await end(send.occurrence, rest: .expired, as: .finished, in: run)
                result.expired.append(send.occurrence)
            case .send, .handOver, .resume, .held, .rename, .schedule, .reschedule, .unschedule,
                .redefine,
                .alreadySent, .lowered, .ended, .retire, .correct, .uncorrectable, .answer,
                .unchanged:
                break
            }
        }
    }

    private func sendInOrder(
        _ plan: Plan,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let gate = try await gate(of: plan)
        for send in plan.sends {
            try await start(send, behind: gate, in: run, of: plan, into: &result)
        }
    }

    /// Sends one occurrence of a plan, unless members that must leave are in its topics.
    ///
    /// Only one capped send may be in progress at a time.
    package func start(
        _ send: SendStep,
        behind gate: SendGate,
        in run: RunID,
        of plan: Plan,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        if settings.stop.isRaised { throw .interrupted }
        if let waiting = gate.refusal(of: send) {
            result.waiting.append(waiting)
            return
        }
        try await gate.settle(send, stop: settings.stop, report: settings.report)
        result.notBegun -= send.remaining
        try await perform(send, in: run, of: plan, into: &result)
    }

    /// Reports an event of the run.
    package func report(_ event: ApplyEvent) { settings.report(event) }

    /// Creates the gate of a plan whose memberships have changed.
    package func gate(of plan: Plan) async throws(ApplyError) -> SendGate {
        try await SendGate(after: plan, book: store, clock: settings.clock)
    }

    /// Records that sends of a plan became too late before they could start.
    package func giveUp(
        _ late: [LateSend],
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        result.notBegun -= late.reduce(0) { $0 + $1.send.remaining }
        let waiting = late.filter { $0.send.unit == nil }
        if !waiting.isEmpty {
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.record(
                    waiting.map { DefinitionChange.expire($0.send.occurrence, due: $0.send.due) },
                    in: run
                )
            }
            for send in waiting { result.note(send) }
        }
        for send in late where send.send.unit != nil {
            try await end(send.send.occurrence, rest: .expired, as: .finished, in: run)
            result.note(send)
        }
    }
}

/// A send that became too late before it could start.
package struct LateSend: Sendable {
    let send: SendStep
    /// Whether that is a failure.
    let isExpired: Bool

    package init(_ send: SendStep, isExpired: Bool) {
        self.send = send
        self.isExpired = isExpired
    }
}

extension ApplyReport {
    /// A send that stopped because it is taken back does not wait for the end of a pause.
    fileprivate mutating func noteTakenBack() {
        let recalled = Set(sends.compactMap(\.occurrence.recalled))
        takenBack += paused.map(\.occurrence).filter(recalled.contains)
        paused.removeAll { recalled.contains($0.occurrence) }
    }

    fileprivate mutating func note(_ late: LateSend) {
        if late.isExpired {
            expired.append(late.send.occurrence)
        } else {
            skipped.append(late.send.occurrence)
        }
    }

    fileprivate var runStatus: RunStatus {
        switch error {
        case nil: .complete
        case .interrupted?: .interrupted
        case .state?, .list?, .unreachable?, .unanswered?, .refused?, .recalled?: .stopped
        }
    }
}
