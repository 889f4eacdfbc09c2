package import CampaignMessages
package import CampaignModel
import FCMClient
import HTTPTransport
package import Planning
import RateControl
package import RegistrationLists
package import RunControl
import Scheduling
package import State
package import Time

/// The stores of a dispatcher, one for each role.
package struct DispatchStores: Sendable {
    let ledger: any Ledger
    let reader: any StateReader
    let control: any ControlStore
    let deadRegistrations: any DeadRegistrationStore

    package init(
        ledger: any Ledger,
        reader: any StateReader,
        control: any ControlStore,
        deadRegistrations: any DeadRegistrationStore
    ) {
        self.ledger = ledger
        self.reader = reader
        self.control = control
        self.deadRegistrations = deadRegistrations
    }
}

/// Performs the commands of a `DispatchMachine` for one work unit, with real requests and records.
package struct Dispatcher: Sendable {
    let stores: DispatchStores
    let fingerprinter: Fingerprinter
    let paces: RunPaces
    let settings: RunSettings

    package init(
        stores: DispatchStores,
        fingerprinter: Fingerprinter,
        paces: RunPaces,
        settings: RunSettings
    ) {
        self.stores = stores
        self.fingerprinter = fingerprinter
        self.paces = paces
        self.settings = settings
    }

    /// The interval of checks for pauses.
    private static let lookEvery = Duration.milliseconds(500)
    /// Notes of repeated requests stay longer than their first outcome is open.
    private static let roomForRepeats = 2

    package func dispatch(
        _ sending: ActiveOccurrence
    ) async throws(StateStoreError) -> DispatchResult {
        let machine = DispatchMachine(
            requests: sending.skipped.without(from: sending.requests),
            mark: sending.unit.released,
            rules: rules(sending),
            pace: paces.sends.pace,
            trial: sending.trial
        )
        let source = RequestSource(
            reader: stores.reader,
            endpoint: settings.endpoint,
            target: sending.unit.target,
            groupKey: sending.groupKey,
            message: sending.message,
            end: sending.message.end(due: sending.due),
            clock: settings.clock
        )
        let notes = try await stores.ledger
            .beginFlightNotes(
                of: sending.unit.id,
                room: min(sending.unit.count, Self.roomForRepeats * settings.open.unknown)
            )
        let seat = paces.share { shared, _ in shared.join() }
        let result = await withDiscardingTaskGroup { group in
            var drive = DispatchLoop(
                dispatcher: self,
                sending: sending,
                machine: machine,
                seat: seat,
                source: source,
                inbox: DispatchInbox(notes: notes)
            )
            let result = await drive.run(&group)
            group.cancelAll()
            return result
        }
        let isRecorded = (try? result.get()) != nil
        paces.share { shared, _ in shared.leave(seat, isRecorded: isRecorded) }
        let dispatched = try result.get()
        await stores.ledger.endFlightNotes(of: sending.unit.id)
        return dispatched
    }

    private func rules(_ sending: ActiveOccurrence) -> DispatchMachine.Rules {
        let end = sending.message.end(due: sending.due)
        return DispatchMachine.Rules(
            open: settings.open,
            keepsNames: sending.unit.target.isFanOut,
            keepsIDs: sending.unit.keepsIDs,
            policy: sending.policy,
            expiry: paces.now + .seconds(max(0, end.seconds(since: settings.clock.now()))),
            backoff: settings.backoff,
            seed: .random(in: 0 ... .max)
        )
    }

    /// Reads the pauses and the clock after `lookEvery`, unless the occurrence ends first.
    fileprivate func lookForPause(of sending: ActiveOccurrence, inbox: DispatchInbox) async {
        try? await Task.sleep(for: Self.lookEvery)
        guard !Task.isCancelled else { return }
        do throws(StateStoreError) {
            let pauses = try await paces.pauses.current(in: stores.control, at: paces.now)
            let pause = pauses.pause(of: sending.occurrence.campaign)
            let now = settings.clock.now()
            let isHeld = sending.hold?.interrupts(at: now) ?? false
            if sending.isOver(sending.dayEnd, at: now) { inbox.post(.event(.dayEnded)) }
            if sending.isOver(sending.night, at: now) { inbox.post(.event(.nightBegan)) }
            inbox.post(.looked(isPaused: pause != nil || isHeld))
        } catch {
            inbox.post(.failed(error))
        }
    }

    fileprivate func send(
        _ numbers: [Int],
        from source: RequestSource,
        to inbox: DispatchInbox
    ) async {
        do throws(StateStoreError) {
            let requests = try await source.requests(numbers)
            await settings.transport.send(requests, to: inbox)
        } catch {
            inbox.post(.failed(error))
        }
    }

    fileprivate func renew(_ inbox: DispatchInbox) async {
        do {
            try await settings.endpoint.bearer.renew()
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
        await paces.clock.sleep(until: time)
        inbox.post(.event(.woke))
    }

    fileprivate func postStop(to inbox: DispatchInbox) async {
        await settings.stop.wait()
        inbox.post(.event(.stop))
    }
}

/// An occurrence in progress.
package struct ActiveOccurrence: Sendable {
    package let occurrence: OccurrenceID
    package let due: Instant
    package let unit: WorkUnitRecord
    /// The requests that may be sent, including those that are skipped.
    package let requests: RequestRanges
    package let skipped: SkippedRequests
    package let message: MessageTemplate
    package let policy: SendPolicy
    /// The wrong-list check.
    package let trial: WrongListDetector?
    /// The key of the addressed device group.
    package var groupKey: String?
    /// The quiet hours that interrupt the send; nil if they do not.
    package let hold: QuietHold?
    /// When a day ends for the first of its people; nil if no frequency cap depends on it.
    package let dayEnd: Instant?
    /// When quiet hours begin for the first of those who get a message now; nil if they do not
    /// depend on the time zones of people.
    package let night: Instant?
    /// When quiet hours end for the first recipients who wait; nil if none waits.
    package let resumption: Instant?
    /// Whether it is too late for some people, which is a failure.
    package let isPartlyLate: Bool

    package init(
        occurrence: OccurrenceID,
        due: Instant,
        unit: WorkUnitRecord,
        requests: RequestRanges,
        skipped: SkippedRequests,
        message: MessageTemplate,
        policy: SendPolicy,
        trial: WrongListDetector?,
        groupKey: String? = nil,
        hold: QuietHold? = nil,
        dayEnd: Instant? = nil,
        night: Instant? = nil,
        resumption: Instant? = nil,
        isPartlyLate: Bool = false
    ) {
        self.occurrence = occurrence
        self.due = due
        self.unit = unit
        self.requests = requests
        self.skipped = skipped
        self.message = message
        self.policy = policy
        self.trial = trial
        self.groupKey = groupKey
        self.hold = hold
        self.dayEnd = dayEnd
        self.night = night
        self.resumption = resumption
        self.isPartlyLate = isPartlyLate
    }

    /// Returns the occurrence without the end of the day and the beginning of the night.
    package func endless() -> ActiveOccurrence {
        ActiveOccurrence(
            occurrence: occurrence,
            due: due,
            unit: unit,
            requests: requests,
            skipped: skipped,
            message: message,
            policy: policy,
            trial: trial,
            groupKey: groupKey,
            hold: hold,
            resumption: resumption,
            isPartlyLate: isPartlyLate
        )
    }

    /// When the first of its requests must be decided about again.
    package var decision: Instant? { [dayEnd, night].compactMap(\.self).min() }

    /// Whether a time has come, or so nearly that new requests might be sent after it.
    fileprivate func isOver(_ end: Instant?, at now: Instant) -> Bool {
        end.map { now.advanced(bySeconds: 1) >= $0 } ?? false
    }
}

package struct DispatchResult: Sendable {
    package let end: DispatchMachine.End
    /// When the rest may be sent that waits for the end of quiet hours; nil if none does.
    package var rest: Instant?
    /// The requests of that rest, in ascending order.
    package var waiting: [Int] = []
    /// Retried requests that now have their final outcome, at most 1,000.
    package let repeated: [RequestOutcome]
    package let repeatedCount: Int

    package init(end: DispatchMachine.End, repeated: [RequestOutcome], repeatedCount: Int) {
        self.end = end
        self.repeated = repeated
        self.repeatedCount = repeatedCount
    }

    /// Whether what waits for the end of quiet hours can be sent after this end.
    package var mayGoOn: Bool { end == .complete || end == .expired }

    /// Returns the result of both dispatches of one occurrence.
    package func followed(by next: DispatchResult) -> DispatchResult {
        DispatchResult(
            end: next.end,
            repeated: Array((repeated + next.repeated).prefix(Self.listed)),
            repeatedCount: repeatedCount + next.repeatedCount
        )
    }

    /// The maximum number of retried requests.
    static let listed = 1_000
}

/// The loop of one occurrence: it passes events to the machine and performs its commands.
///
/// It waits only for its inbox. Child tasks write the state, one change after the other, so that
/// answers are read even while a commit waits for the disk.
private struct DispatchLoop {
    let dispatcher: Dispatcher
    let sending: ActiveOccurrence
    private var machine: DispatchMachine
    /// Its part of what the occurrences of the run share.
    private let seat: SharedSends.Seat
    private let source: RequestSource
    private let inbox: DispatchInbox
    private var skipped: SkippedRequests
    /// The pending writes, in order; the first is in progress if `isWriting`.
    private var writes: [DispatchWrite] = []
    private var isWriting = false
    private var pause: DispatchMachine.Pause?
    private var repeated: [RequestOutcome] = []
    private var repeatedCount = 0
    private var end: DispatchMachine.End?

    init(
        dispatcher: Dispatcher,
        sending: ActiveOccurrence,
        machine: DispatchMachine,
        seat: SharedSends.Seat,
        source: RequestSource,
        inbox: DispatchInbox
    ) {
        self.dispatcher = dispatcher
        self.sending = sending
        skipped = sending.skipped
        self.machine = machine
        self.seat = seat
        self.source = source
        self.inbox = inbox
    }

    mutating func run(
        _ group: inout DiscardingTaskGroup
    ) async -> Result<DispatchResult, StateStoreError> {
        let (dispatcher, inbox) = (dispatcher, inbox)
        group.addTask { await dispatcher.postStop(to: inbox) }
        lookLater(&group)
        do throws(StateStoreError) {
            receive(.begin, in: &group)
            while end == nil { try take(await inbox.take(), in: &group) }
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
        in group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        if !arrived.answers.isEmpty { judge(arrived.answers, in: &group) }
        for landing in arrived.landings where end == nil {
            switch landing {
            case .drainIsOver: group.cancelAll()
            case .looked(let isPaused):
                if isPaused { receive(.paused, in: &group) }
                let mustStop = dispatcher.paces.share { shared, _ in shared.hasFailed }
                if mustStop { receive(.stop, in: &group) }
                lookLater(&group)
            case .event(let event): receive(event, in: &group)
            case .written: written(&group)
            case .failed(let error): throw error
            }
        }
    }

    private func lookLater(_ group: inout DiscardingTaskGroup) {
        let (dispatcher, inbox) = (dispatcher, inbox)
        let sending = sending
        group.addTask { await dispatcher.lookForPause(of: sending, inbox: inbox) }
    }

    /// Judges answers that arrived together, so that one record and one batch of new requests
    /// follow.
    private mutating func judge(
        _ answers: [NumberedAnswer],
        in group: inout DiscardingTaskGroup
    ) {
        let isToGroup = sending.groupKey != nil
        let judged = answers.map { ($0.number, Judgement(of: $0.outcome, isToGroup: isToGroup)) }
        let commands = pass(judged.map { .judged(request: $0, $1) })
        tellPause()
        for event in machine.progress(of: judged, in: sending.occurrence) {
            dispatcher.settings.report(event)
        }
        perform(commands, in: &group)
    }

    private mutating func receive(
        _ event: DispatchMachine.Event,
        in group: inout DiscardingTaskGroup
    ) {
        let (dispatcher, inbox) = (dispatcher, inbox)
        let commands = pass([event])
        tellPause()
        switch event {
        case .refreshed: dispatcher.settings.report(.tokenRenewed)
        case .stop:
            let limit = dispatcher.settings.drainLimit
            group.addTask { await dispatcher.post(.drainIsOver, to: inbox, after: limit) }
        case .begin, .judged, .recorded, .woke, .notRefreshed, .paused, .dayEnded,
            .nightBegan:
            break
        }
        perform(commands, in: &group)
    }

    private mutating func pass(_ events: [DispatchMachine.Event]) -> [DispatchMachine.Command] {
        dispatcher.paces.share { [seat] shared, now in
            shared.pass(events, to: &machine, at: seat, now: now)
        }
    }

    /// Reports each pause once, and again if it becomes longer.
    private mutating func tellPause() {
        guard machine.pause != pause else { return }
        pause = machine.pause
        guard let pause else { return }
        let length = pause.end - dispatcher.paces.now
        dispatcher.settings.report(.pausing(pause.reason, for: length, of: sending.occurrence))
    }

    private mutating func perform(
        _ commands: [DispatchMachine.Command],
        in group: inout DiscardingTaskGroup
    ) {
        for command in commands { perform(command, in: &group) }
        writeNext(&group)
    }

    private mutating func perform(
        _ command: DispatchMachine.Command,
        in group: inout DiscardingTaskGroup
    ) {
        let (dispatcher, inbox, source) = (dispatcher, inbox, source)
        switch command {
        case .record(let outcomes, let released):
            let passed = released.map { skipped.take(below: $0) } ?? []
            writes.append(.record(outcomes, passed: passed, released: released))
        case .hold(let hold): writes.append(.hold(hold))
        case .markDead(let requests): writes.append(.markDead(requests))
        case .finish(let end): writes.append(.finish(end, rest: end == .complete ? skipped : nil))
        case .send(let numbers):
            let causes = machine.causes(of: numbers)
            if !causes.isEmpty { inbox.expectRepeats(causes) }
            group.addTask { await dispatcher.send(numbers, from: source, to: inbox) }
        case .wake(let time): group.addTask { await dispatcher.wake(inbox, at: time) }
        case .refresh: group.addTask { await dispatcher.renew(inbox) }
        }
    }

    // MARK: Writing

    private mutating func writeNext(_ group: inout DiscardingTaskGroup) {
        guard !isWriting, let write = writes.first else { return }
        isWriting = true
        let (dispatcher, sending, inbox) = (dispatcher, sending, inbox)
        group.addTask {
            do throws(StateStoreError) {
                try await dispatcher.perform(write, of: sending)
                inbox.post(.written)
            } catch {
                inbox.post(.failed(error))
            }
        }
    }

    private mutating func written(_ group: inout DiscardingTaskGroup) {
        isWriting = false
        switch writes.removeFirst() {
        case .record(let outcomes, _, _):
            list(outcomes)
            receive(.recorded, in: &group)
        case .finish(let end, _): self.end = end
        case .hold, .markDead: writeNext(&group)
        }
    }

    private mutating func list(_ outcomes: [RequestOutcome]) {
        for outcome in outcomes where outcome.isRepeated {
            repeatedCount += 1
            if repeated.count < DispatchResult.listed { repeated.append(outcome) }
        }
    }
}

extension RequestOutcome {
    /// Whether this is the final outcome of a retried request.
    fileprivate var isRepeated: Bool {
        guard let detail else { return false }
        return OutcomeDetail(text: detail).cause != nil
    }
}
