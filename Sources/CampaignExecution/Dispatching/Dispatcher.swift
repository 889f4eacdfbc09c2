import CampaignMessages
import CampaignModel
import CampaignPlanning
import CampaignState
import HTTPTransport
import Registrations
import Scheduling

#if MUTANTS
import Mutants
#endif

/// Performs the commands of a `DispatchMachine` for one unit: real requests, real records.
struct Dispatcher: Sendable {
    let store: any StateStore
    let transport: any Transport
    let endpoint: FCMEndpoint
    let fingerprinter: Fingerprinter
    let clock: WallClock
    let stop: StopSignal
    /// How long what is in flight may still take after a stop.
    let drainLimit: Duration
    let backoff: Backoff
    /// Requests in flight at once.
    let maximumOpen: Int
    let paces: RunPaces
    let report: @Sendable (ApplyEvent) -> Void

    /// Pauses are looked for so often.
    private static let lookEvery = Duration.milliseconds(500)

    func dispatch(_ sending: OpenSending) async throws(StateStoreError) -> DispatchResult {
        let machine = DispatchMachine(
            requests: sending.requests,
            mark: sending.unit.released,
            rules: rules(sending),
            pace: paces.sends,
            trial: sending.trial
        )
        let source = RequestSource(
            store: store,
            endpoint: endpoint,
            target: sending.unit.target,
            groupKey: sending.groupKey,
            message: sending.message,
            clock: clock
        )
        let result = await withTaskGroup(of: Landing.self) { group in
            group.addTask { await stopped() }
            group.addTask { await timeToLook() }
            var drive = Drive(dispatcher: self, sending: sending, machine: machine, source: source)
            let result = await drive.run(&group)
            paces.sends = drive.machine.pace
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    private func rules(_ sending: OpenSending) -> DispatchMachine.Rules {
        let end = sending.message.end(due: sending.due)
        return DispatchMachine.Rules(
            maximumOpen: maximumOpen,
            keepsNames: sending.unit.target.isFanOut,
            keepsIDs: sending.unit.keepsIDs,
            policy: sending.policy,
            expiry: paces.now + .seconds(max(0, end.seconds(since: clock.now()))),
            backoff: backoff,
            seed: .random(in: 0 ... .max)
        )
    }

    /// Whether somebody paused a campaign, or everything.
    func isPaused(_ campaign: CampaignID) throws(StateStoreError) -> Bool {
        try store.pauses().contains { $0.scope == .everything || $0.scope == .campaign(campaign) }
    }

    /// What a task of the group brings back.
    fileprivate enum Landing: Sendable {
        case event(DispatchMachine.Event)
        case drainIsOver
        case timeToLook
    }

    fileprivate func judged(_ request: HTTPRequest, isToGroup: Bool) async -> Judgement {
        do {
            let answer = try await transport.send(request)
            return Judgement(of: answer, isToGroup: isToGroup)
        } catch {
            return Judgement(of: error)
        }
    }

    fileprivate func renewed() async -> Landing {
        do {
            try await endpoint.bearer.renew()
            return .event(.refreshed)
        } catch {
            return .event(.notRefreshed(reason: error.reason))
        }
    }

    private func stopped() async -> Landing {
        await stop.wait()
        return .event(.stop)
    }

    fileprivate func drained() async -> Landing {
        try? await Task.sleep(for: drainLimit)
        return .drainIsOver
    }

    fileprivate func timeToLook() async -> Landing {
        try? await Task.sleep(for: Self.lookEvery)
        return .timeToLook
    }
}

/// A sending that is under way.
struct OpenSending: Sendable {
    let occurrence: OccurrenceID
    let due: Instant
    let unit: UnitRecord
    let requests: RequestRanges
    let message: MessageTemplate
    let policy: SendPolicy
    /// Of the answers to a list.
    let trial: AnswerTrial?
    /// Of a sending to a device group.
    var groupKey: String?
}

struct DispatchResult: Sendable {
    let end: DispatchMachine.End
    /// Requests that were repeated and have their last outcome now, at most 1,000 of them.
    let repeated: [UnitOutcome]
    let repeatedCount: Int
}

/// The loop of one sending: what lands in, what the machine says out.
private struct Drive {
    let dispatcher: Dispatcher
    let sending: OpenSending
    var machine: DispatchMachine
    var source: RequestSource
    private var pause: DispatchMachine.Pause?
    private var repeated: [UnitOutcome] = []
    private var repeatedCount = 0
    private var end: DispatchMachine.End?

    private static let listed = 1_000

    init(
        dispatcher: Dispatcher,
        sending: OpenSending,
        machine: DispatchMachine,
        source: RequestSource
    ) {
        self.dispatcher = dispatcher
        self.sending = sending
        self.machine = machine
        self.source = source
    }

    mutating func run(
        _ group: inout TaskGroup<Dispatcher.Landing>
    ) async -> Result<DispatchResult, StateStoreError> {
        var landing: Dispatcher.Landing? = .event(.begin)
        do throws(StateStoreError) {
            while let landed = landing, end == nil {
                switch landed {
                case .drainIsOver: group.cancelAll()
                case .timeToLook: try look(&group)
                case .event(let event): try receive(event, &group)
                }
                if end == nil { landing = await group.next() }
            }
        } catch {
            return .failure(error)
        }
        return .success(
            DispatchResult(
                end: end ?? .stopped,
                repeated: repeated,
                repeatedCount: repeatedCount
            )
        )
    }

    private mutating func look(
        _ group: inout TaskGroup<Dispatcher.Landing>
    ) throws(StateStoreError) {
        guard !group.isCancelled else { return }
        let dispatcher = dispatcher
        group.addTask { await dispatcher.timeToLook() }
        if try dispatcher.isPaused(sending.occurrence.campaign) { try receive(.paused, &group) }
    }

    private mutating func receive(
        _ event: DispatchMachine.Event,
        _ group: inout TaskGroup<Dispatcher.Landing>
    ) throws(StateStoreError) {
        let dispatcher = dispatcher
        let commands = machine.receive(event, now: dispatcher.paces.now)
        tellPause()
        switch event {
        case .judged(let request, let judgement):
            dispatcher.report(machine.progress(of: request, judgement))
        case .refreshed: dispatcher.report(.tokenRenewed)
        case .stop: group.addTask { await dispatcher.drained() }
        default: break
        }
        try perform(commands, &group)
    }

    /// Once for each pause, and again where it became longer.
    private mutating func tellPause() {
        guard machine.pause != pause else { return }
        pause = machine.pause
        guard let pause else { return }
        dispatcher.report(.pausing(pause.reason, for: pause.end - dispatcher.paces.now))
    }

    private mutating func perform(
        _ commands: [DispatchMachine.Command],
        _ group: inout TaskGroup<Dispatcher.Landing>
    ) throws(StateStoreError) {
        #if MUTANTS
        let commands = try mutated(commands)
        #endif
        for command in commands { try perform(command, &group) }
    }

    private mutating func perform(
        _ command: DispatchMachine.Command,
        _ group: inout TaskGroup<Dispatcher.Landing>
    ) throws(StateStoreError) {
        let dispatcher = dispatcher
        switch command {
        case .record(let outcomes, let released):
            try dispatcher.store.record(outcomes, released: released, of: sending.unit.id)
            list(outcomes)
        case .send(let numbers):
            let isToGroup = sending.groupKey != nil
            for number in numbers {
                let request = try source.request(number)
                group.addTask {
                    .event(
                        .judged(
                            request: number,
                            await dispatcher.judged(request, isToGroup: isToGroup)
                        )
                    )
                }
            }
        case .wake(let time):
            let moment = dispatcher.paces.beginning.advanced(by: time)
            group.addTask {
                try? await Task.sleep(until: moment, clock: .continuous)
                return .event(.woke)
            }
        case .refresh: group.addTask { await dispatcher.renewed() }
        case .hold(let hold): try dispatcher.store.hold(sending.occurrence, hold)
        case .markDead(let requests): try markDead(requests)
        case .finish(let end): self.end = end
        }
    }

    private mutating func list(_ outcomes: [UnitOutcome]) {
        for outcome in outcomes where outcome.isRepeated {
            repeatedCount += 1
            if repeated.count < Self.listed { repeated.append(outcome) }
        }
    }

    private func markDead(_ requests: [Int]) throws(StateStoreError) {
        guard case .registrations(let list) = sending.unit.target else { return }
        var window = ListWindow(store: dispatcher.store, list: list)
        var fingerprints: [Fingerprint] = []
        for request in requests.sorted() {
            let registration = try window.registration(request)
            fingerprints.append(dispatcher.fingerprinter.fingerprint(of: registration))
        }
        try dispatcher.store.markDead(fingerprints, at: dispatcher.clock.now())
    }
}

extension UnitOutcome {
    /// It has the last outcome of a request that was repeated.
    fileprivate var isRepeated: Bool {
        guard let detail else { return false }
        return OutcomeDetail(text: detail).cause != nil
    }
}

#if MUTANTS
extension Drive {
    fileprivate func mutated(
        _ commands: [DispatchMachine.Command]
    ) throws(StateStoreError) -> [DispatchMachine.Command] {
        let sends = commands.filter { if case .send = $0 { true } else { false } }
        if Mutant.outcomeBeforeAnswer.isOn {
            for case .send(let numbers) in sends {
                let outcomes = numbers.map { UnitOutcome(index: $0, outcome: .accepted) }
                try dispatcher.store.record(outcomes, released: nil, of: sending.unit.id)
            }
        }
        guard Mutant.ledgerAfterSend.isOn else { return commands }
        return sends + commands.filter { !sends.contains($0) }
    }
}
#endif
