import CampaignMessages
import CampaignModel
import HTTPTransport
import Planning
import RunControl
import State

/// The loop of one occurrence: it passes events to the machine and performs its commands.
///
/// It waits only for its inbox. Child tasks write the state, one change after the other, so that
/// answers are read even while a commit waits for the disk.
struct DispatchLoop {
    private let dispatcher: Dispatcher
    private let sending: ActiveOccurrence
    private var machine: DispatchMachine
    /// Its part of what the occurrences of the run share.
    private let seat: SharedSends.Seat
    private let source: RequestSource
    private let inbox: DispatchInbox
    private var skipped: SkippedRequests
    private var objective: ObjectiveWatch?
    /// The pending writes, in order; the first is in progress if `isWriting`.
    private var writes: [DispatchWrite] = []
    private var isWriting = false
    private var pause: DispatchMachine.Pause?
    private var repeated: [RequestOutcome] = []
    private var repeatedCount = 0
    private var end: DispatchMachine.End?
    /// What the machine decided before the loop began; nil if it has had no event.
    private let commands: [DispatchMachine.Command]?

    init(_ started: StartedDispatch, by dispatcher: Dispatcher) {
        self.dispatcher = dispatcher
        sending = started.sending
        skipped = started.skipped
        objective = started.objective
        objective?.begin(on: dispatcher.settings.clock)
        machine = started.machine
        seat = started.seat
        inbox = started.inbox
        commands = started.commands
        source = RequestSource(
            endpoint: dispatcher.settings.endpoint,
            target: .init(of: sending, in: dispatcher.stores.reader),
            message: sending.message,
            end: sending.message.end(due: sending.due),
            clock: dispatcher.settings.clock
        )
    }

    mutating func run(
        _ group: inout DiscardingTaskGroup
    ) async -> Result<DispatchResult, StateStoreError> {
        let (dispatcher, inbox) = (dispatcher, inbox)
        group.addTask { await dispatcher.postStop(to: inbox) }
        lookLater(&group)
        do throws(StateStoreError) {
            if let commands {
                tellPause()
                perform(commands, in: &group)
            } else {
                receive(.begin, in: &group)
            }
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
        let clock = dispatcher.settings.clock
        objective?.judged(judged.map(\.1), on: clock)
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
            .nightBegan, .rolloutEnded:
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
            writeReached()
        case .hold(let hold): writes.append(.hold(hold))
        case .stopRollout(let stop): writes.append(.stopRollout(stop))
        case .markDead(let requests): writes.append(.markDead(requests))
        case .finish(let end):
            writeReached()
            writes.append(.finish(end, rest: end == .complete ? skipped : nil))
        case .send(let numbers):
            let causes = machine.causes(of: numbers)
            if !causes.isEmpty { inbox.expectRepeats(causes) }
            group.addTask { await dispatcher.send(numbers, from: source, to: inbox) }
        case .wake(let time): group.addTask { await dispatcher.wake(inbox, at: time) }
        case .refresh: group.addTask { await dispatcher.renew(inbox) }
        }
    }

    // MARK: Writing

    /// Follows the outcomes that make up the share.
    private mutating func writeReached() {
        if let reached = objective?.take() { writes.append(.reached(reached)) }
    }

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
        case .reached, .hold, .stopRollout, .markDead: writeNext(&group)
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
    var isRepeated: Bool {
        guard let detail else { return false }
        return OutcomeDetail(text: detail).cause != nil
    }
}
