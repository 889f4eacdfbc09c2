import CampaignMessages
import CampaignModel
import CampaignPlanning
import CampaignState
import HTTPTransport
import Scheduling

#if MUTANTS
import Mutants
#endif

/// Performs the commands of a `DispatchMachine` for one unit: real requests, real records.
struct Dispatcher: Sendable {
    let store: any StateStore
    let transport: any Transport
    let endpoint: FCMEndpoint
    let clock: WallClock
    let stop: StopSignal
    /// How long what is in flight may still take after a stop.
    let drainLimit: Duration
    let backoff: Backoff
    let report: @Sendable (ApplyEvent) -> Void

    /// Requests in flight at once.
    static let maximumOpen = 64

    func dispatch(
        _ unit: UnitRecord,
        _ requests: RequestRanges,
        as message: MessageTemplate
    ) async throws(StateStoreError) -> DispatchMachine.End {
        let machine = DispatchMachine(
            requests: requests,
            mark: unit.released,
            maximumOpen: Self.maximumOpen,
            keepsNames: unit.target.isFanOut,
            keepsIDs: unit.keepsIDs,
            expiry: message.expiry.map { .seconds(max(0, $0.end.seconds(since: clock.now()))) },
            backoff: backoff
        )
        let source = RequestSource(
            store: store,
            endpoint: endpoint,
            target: unit.target,
            message: message,
            clock: clock
        )
        let result = await withTaskGroup(of: Landing.self) { group in
            group.addTask { await stopped() }
            let result = await drive(machine, source, unit.id, &group)
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    /// What a task of the group brings back.
    private enum Landing: Sendable {
        case event(DispatchMachine.Event)
        case drainIsOver
    }

    private func drive(
        _ machine: DispatchMachine,
        _ source: RequestSource,
        _ unit: UnitID,
        _ group: inout TaskGroup<Landing>
    ) async -> Result<DispatchMachine.End, StateStoreError> {
        var machine = machine
        var source = source
        let beginning = ContinuousClock.now
        var landing: Landing? = .event(.begin)
        while let landed = landing {
            switch landed {
            case .drainIsOver: group.cancelAll()
            case .event(let event):
                if case .judged = event { report(.progressed(by: 1)) }
                if case .stop = event { group.addTask { await drained() } }
                let commands = machine.receive(event, now: .now - beginning)
                do {
                    if let end = try perform(commands, &source, unit, beginning, &group) {
                        return .success(end)
                    }
                } catch {
                    return .failure(error)
                }
            }
            landing = await group.next()
        }
        return .success(.stopped)
    }

    /// Returns the end, where the commands say that this is it.
    private func perform(
        _ commands: [DispatchMachine.Command],
        _ source: inout RequestSource,
        _ unit: UnitID,
        _ beginning: ContinuousClock.Instant,
        _ group: inout TaskGroup<Landing>
    ) throws(StateStoreError) -> DispatchMachine.End? {
        #if MUTANTS
        let commands = commands.mutated
        #endif
        for command in commands {
            switch command {
            case .record(let outcomes, let released):
                try store.record(outcomes, released: released, of: unit)
            case .send(let numbers):
                #if MUTANTS
                try recordTooEarly(numbers, of: unit)
                #endif
                for number in numbers {
                    let request = try source.request(number)
                    group.addTask { .event(.judged(request: number, await judged(request))) }
                }
            case .wake(let time):
                group.addTask {
                    try? await Task.sleep(until: beginning.advanced(by: time), clock: .continuous)
                    return .event(.woke)
                }
            case .finish(let end): return end
            }
        }
        return nil
    }

    private func judged(_ request: HTTPRequest) async -> Judgement {
        do {
            return Judgement(of: try await transport.send(request))
        } catch {
            return Judgement(of: error)
        }
    }

    private func stopped() async -> Landing {
        await stop.wait()
        return .event(.stop)
    }

    private func drained() async -> Landing {
        try? await Task.sleep(for: drainLimit)
        return .drainIsOver
    }
}

extension ContinuousClock.Instant {
    fileprivate static func - (left: Self, right: Self) -> Duration { right.duration(to: left) }
}

#if MUTANTS
extension [DispatchMachine.Command] {
    fileprivate var mutated: Self {
        guard Mutant.ledgerAfterSend.isOn else { return self }
        let sends = filter { if case .send = $0 { true } else { false } }
        return sends + filter { !sends.contains($0) }
    }
}

extension Dispatcher {
    fileprivate func recordTooEarly(
        _ numbers: [Int],
        of unit: UnitID
    ) throws(StateStoreError) {
        guard Mutant.outcomeBeforeAnswer.isOn else { return }
        let outcomes = numbers.map { UnitOutcome(index: $0, outcome: .accepted) }
        try store.record(outcomes, released: nil, of: unit)
    }
}
#endif
