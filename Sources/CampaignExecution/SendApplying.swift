import CampaignMessages
import CampaignModel
import CampaignPlanning
import CampaignState
import Registrations

extension Applier {
    func perform(
        _ send: SendStep,
        in run: RunID,
        _ result: inout ApplyReport
    ) async throws(ApplyError) {
        let unit: UnitRecord
        if let opened = send.unit { unit = opened } else { unit = try open(send, in: run) }
        let ledger = Ledger(store: store, fingerprinter: fingerprinter)
        let requests = try recording { () throws(StateStoreError) in
            try ledger.intended(of: unit)
        }
        report(.began(.sending(send.occurrence), total: send.remaining))
        let end = await dispatch(unit, requests, send.template)
        report(.ended(.sending(send.occurrence)))
        // Also where the state fails to be written: what can still be read of it is reported.
        let sent = Result { () throws(ApplyError) in
            try recording { () throws(StateStoreError) in
                try ledger.report(on: send.occurrence, unit, of: requests)
            }
        }
        if case .success(let sent) = sent { result.sends.append(sent) }
        if case .success(.expired) = end {
            result.expired.append(send.occurrence)
            try self.end(send.occurrence, rest: .expired, as: .finished)
        }
        try finish(send, unit, try end.get(), try sent.get())
    }

    private func finish(
        _ send: SendStep,
        _ unit: UnitRecord,
        _ end: DispatchMachine.End,
        _ sent: SendReport
    ) throws(ApplyError) {
        switch end {
        case .complete:
            guard !(unit.target.isFanOut && sent.tally[.unknown] > 0) else { return }
            try recording { () throws(StateStoreError) in
                try store.close(send.occurrence, as: .finished)
            }
        case .expired: return
        case .stopped: throw .interrupted
        case .refused(let reason): throw .refused(reason: reason)
        case .unanswered(let reason): throw .unanswered(reason: reason)
        }
    }

    /// Makes the unit; a list is stored first, and must be the one that was planned for.
    private func open(_ send: SendStep, in run: RunID) throws(ApplyError) -> UnitRecord {
        let target: UnitTarget
        switch send.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let text): target = .condition(text)
        case .stored(let id, _): target = .registrations(id)
        case .list(let list, let id, _):
            try store(list, as: id)
            target = .registrations(id)
        }
        return try recording { () throws(StateStoreError) in
            try store.open(
                OpenedOccurrence(
                    id: send.occurrence,
                    due: send.due,
                    message: send.template.stored,
                    target: target,
                    count: send.remaining,
                    deduplicationKey: send.deduplicationKey?.text
                ),
                in: run
            )
        }
    }

    private func store(_ list: RegistrationList, as id: ListID) throws(ApplyError) {
        try recording { () throws(StateStoreError) in try store.beginList(id) }
        var reader = try listing { () throws(RegistrationListError) in
            try CheckedListReader(list, directory: projectDirectory, expected: id)
        }
        var first = 0
        while true {
            let chunk = try listing { () throws(RegistrationListError) in try reader.next(1_000) }
            guard !chunk.isEmpty else { return }
            try recording { () throws(StateStoreError) in
                try store.append(chunk, to: id, first: first)
            }
            first += chunk.count
        }
    }

    private func dispatch(
        _ unit: UnitRecord,
        _ requests: RequestRanges,
        _ message: MessageTemplate
    ) async -> Result<DispatchMachine.End, ApplyError> {
        let dispatcher = Dispatcher(
            store: store,
            transport: transport,
            endpoint: endpoint,
            clock: clock,
            stop: stop,
            drainLimit: drainLimit,
            backoff: backoff,
            report: report
        )
        do throws(StateStoreError) {
            return .success(try await dispatcher.dispatch(unit, requests, as: message))
        } catch {
            return .failure(.state(error))
        }
    }

    /// Ends a sending; what of it may still be sent gets an outcome that says it never will be.
    func end(
        _ occurrence: OccurrenceID,
        rest outcome: Outcome,
        as status: OccurrenceStatus
    ) throws(ApplyError) {
        try recording { () throws(StateStoreError) in
            let record = try store.appliedState().occurrences[occurrence]
            if let unit = record?.unit {
                var rest = try Ledger(store: store, fingerprinter: fingerprinter).intended(of: unit)
                while !rest.isEmpty {
                    let outcomes = rest.takeFirst(4_096).map {
                        UnitOutcome(index: $0, outcome: outcome)
                    }
                    try store.record(outcomes, released: nil, of: unit.id)
                }
            }
            try store.close(occurrence, as: status)
        }
    }
}
