import CampaignMessages
import CampaignModel
import FCMClient
import HTTPTransport
import Planning
import RateControl
import RegistrationLists
import Scheduling
import State
import Time

/// Performs the commands of a `DispatchMachine` for one work unit, with real requests and records.
struct Dispatcher: Sendable {
    let store: any StateStore
    let transport: any Transport
    let endpoint: FCMEndpoint
    let fingerprinter: Fingerprinter
    let clock: WallClock
    let stop: StopSignal
    /// How long open requests may take after a stop.
    let drainLimit: Duration
    let backoff: Backoff
    /// Number of concurrent requests.
    let maximumOpen: Int
    let paces: RunPaces
    let report: @Sendable (ApplyEvent) -> Void

    /// The interval of checks for pauses.
    fileprivate static let lookEvery = Duration.milliseconds(500)

    func dispatch(_ sending: ActiveOccurrence) async throws(StateStoreError) -> DispatchResult {
        let machine = DispatchMachine(
            requests: sending.dead.without(from: sending.requests),
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
            end: sending.message.end(due: sending.due),
            clock: clock
        )
        let result = await withDiscardingTaskGroup { group in
            var drive = DispatchLoop(
                dispatcher: self,
                sending: sending,
                machine: machine,
                source: source
            )
            let result = await drive.run(&group)
            paces.sends = drive.machine.pace
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    private func rules(_ sending: ActiveOccurrence) -> DispatchMachine.Rules {
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

    /// Whether a campaign, or everything, is paused.
    func isPaused(_ campaign: CampaignID) throws(StateStoreError) -> Bool {
        try store.pauses().contains { $0.scope == .everything || $0.scope == .campaign(campaign) }
    }

    fileprivate func renew(_ inbox: DispatchInbox) async {
        do {
            try await endpoint.bearer.renew()
            inbox.post(.event(.refreshed))
        } catch {
            inbox.post(.event(.notRefreshed(reason: error.reason)))
        }
    }

    fileprivate func post(
        _ landing: DispatchInbox.TaskResult,
        to inbox: DispatchInbox,
        after time: Duration
    ) async {
        try? await Task.sleep(for: time)
        inbox.post(landing)
    }

    /// Wakes the loop, never early: the machine would treat an early wake-up as obsolete.
    fileprivate func wake(_ inbox: DispatchInbox, at time: Duration) async {
        while paces.now < time, !Task.isCancelled {
            try? await Task.sleep(for: time - paces.now)
        }
        inbox.post(.event(.woke))
    }

    fileprivate func postStop(to inbox: DispatchInbox) async {
        await stop.wait()
        inbox.post(.event(.stop))
    }
}

/// An occurrence in progress.
struct ActiveOccurrence: Sendable {
    let occurrence: OccurrenceID
    let due: Instant
    let unit: WorkUnitRecord
    /// The requests that may be sent, including those to dead registrations.
    let requests: RequestRanges
    let dead: DeadRequests
    let message: MessageTemplate
    let policy: SendPolicy
    /// The check of a list's answers.
    let trial: WrongListDetector?
    /// The key of the addressed device group.
    var groupKey: String?
}

struct DispatchResult: Sendable {
    let end: DispatchMachine.End
    /// Retried requests that now have their final outcome, at most 1,000.
    let repeated: [RequestOutcome]
    let repeatedCount: Int
}

/// The loop of one occurrence: it passes events to the machine and performs its commands.
private struct DispatchLoop {
    let dispatcher: Dispatcher
    let sending: ActiveOccurrence
    var machine: DispatchMachine
    var source: RequestSource
    private let inbox = DispatchInbox()
    private var dead: DeadRequests
    private var pause: DispatchMachine.Pause?
    private var repeated: [RequestOutcome] = []
    private var repeatedCount = 0
    private var end: DispatchMachine.End?

    private static let listed = 1_000

    init(
        dispatcher: Dispatcher,
        sending: ActiveOccurrence,
        machine: DispatchMachine,
        source: RequestSource
    ) {
        self.dispatcher = dispatcher
        self.sending = sending
        dead = sending.dead
        self.machine = machine
        self.source = source
    }

    mutating func run(
        _ group: inout DiscardingTaskGroup
    ) async -> Result<DispatchResult, StateStoreError> {
        let (dispatcher, inbox) = (dispatcher, inbox)
        group.addTask { await dispatcher.postStop(to: inbox) }
        lookLater(&group)
        do throws(StateStoreError) {
            try receive(.begin, &group)
            while end == nil { try take(await inbox.take(), &group) }
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

    private mutating func take(
        _ arrived: DispatchInbox.Arrived,
        _ group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        if !arrived.answers.isEmpty { try judge(arrived.answers, &group) }
        for landing in arrived.landings where end == nil {
            switch landing {
            case .drainIsOver: group.cancelAll()
            case .timeToLook: try look(&group)
            case .event(let event): try receive(event, &group)
            }
        }
    }

    private mutating func look(_ group: inout DiscardingTaskGroup) throws(StateStoreError) {
        guard !group.isCancelled else { return }
        lookLater(&group)
        if try dispatcher.isPaused(sending.occurrence.campaign) { try receive(.paused, &group) }
    }

    private func lookLater(_ group: inout DiscardingTaskGroup) {
        let (dispatcher, inbox) = (dispatcher, inbox)
        group.addTask {
            await dispatcher.post(.timeToLook, to: inbox, after: Dispatcher.lookEvery)
        }
    }

    /// Judges answers that arrived together, so that one record and one batch of new requests
    /// follow.
    private mutating func judge(
        _ answers: [NumberedAnswer],
        _ group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        let isToGroup = sending.groupKey != nil
        let judged = answers.map { ($0.number, Judgement(of: $0.outcome, isToGroup: isToGroup)) }
        let events = judged.lazy.map { DispatchMachine.Event.judged(request: $0, $1) }
        let commands = machine.receive(events, now: dispatcher.paces.now)
        tellPause()
        for event in machine.progress(of: judged) { dispatcher.report(event) }
        try perform(commands, &group)
    }

    private mutating func receive(
        _ event: DispatchMachine.Event,
        _ group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        let (dispatcher, inbox) = (dispatcher, inbox)
        let commands = machine.receive(event, now: dispatcher.paces.now)
        tellPause()
        switch event {
        case .refreshed: dispatcher.report(.tokenRenewed)
        case .stop:
            let limit = dispatcher.drainLimit
            group.addTask { await dispatcher.post(.drainIsOver, to: inbox, after: limit) }
        default: break
        }
        try perform(commands, &group)
    }

    /// Reports each pause once, and again if it becomes longer.
    private mutating func tellPause() {
        guard machine.pause != pause else { return }
        pause = machine.pause
        guard let pause else { return }
        dispatcher.report(.pausing(pause.reason, for: pause.end - dispatcher.paces.now))
    }

    private mutating func perform(
        _ commands: [DispatchMachine.Command],
        _ group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        for command in commands { try perform(command, &group) }
    }

    private mutating func perform(
        _ command: DispatchMachine.Command,
        _ group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        let (dispatcher, inbox) = (dispatcher, inbox)
        switch command {
        case .record(let outcomes, let released):
            let passed = released.map { dead.take(below: $0) } ?? []
            try dispatcher.store.record(outcomes + passed, released: released, of: sending.unit.id)
            list(outcomes)
        case .send(let numbers):
            let requests = try source.requests(numbers)
            group.addTask { await dispatcher.transport.send(requests, to: inbox) }
        case .wake(let time): group.addTask { await dispatcher.wake(inbox, at: time) }
        case .refresh: group.addTask { await dispatcher.renew(inbox) }
        case .hold(let hold): try dispatcher.store.hold(sending.occurrence, hold)
        case .markDead(let requests): try markDead(requests)
        case .finish(let end):
            if end == .complete { try suppressRest() }
            self.end = end
        }
    }

    /// Suppresses the rest, so that every request below and above the mark has an outcome.
    private mutating func suppressRest() throws(StateStoreError) {
        while case let rest = dead.take(below: .max), !rest.isEmpty {
            try dispatcher.store.record(rest, released: nil, of: sending.unit.id)
        }
    }

    private mutating func list(_ outcomes: [RequestOutcome]) {
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

extension RequestOutcome {
    /// Whether this is the final outcome of a retried request.
    fileprivate var isRepeated: Bool {
        guard let detail else { return false }
        return OutcomeDetail(text: detail).cause != nil
    }
}
