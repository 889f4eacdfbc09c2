import Fleet
import HTTPTransport
import RunControl
import State

/// The loop of a worker: it passes events to its machines and performs their commands.
///
/// It waits only for its inbox. Transactions and requests are child tasks.
struct FleetLoop {
    private let driver: FleetDriver
    private let inbox = FleetInbox()
    private var worker: WorkerMachine
    private var writer: WriterMachine
    private var judge: FleetJudge
    private var desk = FleetDesk()
    /// When each machine wants to know the time.
    private var wakes: (worker: Duration?, writer: Duration?) = (nil, nil)
    /// The end of the timer that ends first; nil if none runs.
    private var timer: Duration?
    /// The tasks that send, which a drain cancels in the end.
    private var sends: [Int: Task<Void, Never>] = [:]
    private var sendCount = 0
    private var isOver = false

    /// How long leaving may take after the last answer.
    private static let leaveLimit = Duration.seconds(4)
    /// How long the worker rests if its requests cannot be read.
    private static let readPause = Duration.seconds(1)

    init(_ driver: FleetDriver) {
        self.driver = driver
        worker = driver.worker()
        writer = driver.writer()
        judge = FleetJudge(
            maximumOpen: driver.settings.maximumOpen,
            backoff: driver.settings.backoff
        )
    }

    mutating func run(_ group: inout DiscardingTaskGroup) async {
        let (stop, inbox) = (driver.settings.stop, inbox)
        group.addTask {
            await stop.wait()
            if stop.isRaised { inbox.post(.stop) }
        }
        pass([.time], in: &group)
        passToWriter(.time, in: &group)
        while !isOver, !(worker.hasLeft && writer.hasEnded) {
            startTimer(in: &group)
            for event in await inbox.take() { take(event, in: &group) }
        }
        for task in sends.values { task.cancel() }
    }

    private mutating func take(_ event: FleetInbox.Event, in group: inout DiscardingTaskGroup) {
        switch event {
        case .passed(let end):
            if let timer, timer <= end { self.timer = nil }
            wake(in: &group)
        case .replied(let ticket, let reply): take(reply, to: ticket, in: &group)
        case .answered(let order, let answers): take(answers, to: order, in: &group)
        case .unread(let order, _):
            let limit = FleetEvent.limited(
                until: driver.clock.now + Self.readPause,
                open: driver.settings.maximumOpen
            )
            pass([limit] + desk.unwritten(order), in: &group)
        case .learned(let occurrence, let result): learn(occurrence, result, in: &group)
        case .renewed(let failure):
            follow(judge.renewed(failure: failure, at: driver.clock.now), in: &group)
        case .sent(let task): sends[task] = nil
        case .stop: drain(in: &group)
        case .drainIsOver: for task in sends.values { task.cancel() }
        case .leaveIsOver: isOver = true
        }
    }

    // MARK: The machines

    private mutating func pass(_ events: [FleetEvent], in group: inout DiscardingTaskGroup) {
        perform(worker.receive(events, at: driver.clock.now), ofWriter: false, in: &group)
    }

    private mutating func passToWriter(
        _ event: FleetEvent,
        in group: inout DiscardingTaskGroup
    ) {
        perform(writer.receive(event, at: driver.clock.now), ofWriter: true, in: &group)
    }

    private mutating func wake(in group: inout DiscardingTaskGroup) {
        let now = driver.clock.now
        if let wake = wakes.worker, now >= wake {
            wakes.worker = nil
            pass([.time], in: &group)
        }
        if let wake = wakes.writer, now >= wake {
            wakes.writer = nil
            passToWriter(.time, in: &group)
        }
    }

    private mutating func startTimer(in group: inout DiscardingTaskGroup) {
        guard let end = [wakes.worker, wakes.writer].compactMap(\.self).min() else { return }
        if let timer, timer <= end { return }
        timer = end
        let (clock, inbox) = (driver.clock, inbox)
        group.addTask {
            await clock.sleep(until: end)
            inbox.post(.passed(end))
        }
    }

    private mutating func drain(in group: inout DiscardingTaskGroup) {
        pass([.drain], in: &group)
        passToWriter(.drain, in: &group)
        let (inbox, limit) = (inbox, driver.settings.drainLimit)
        group.addTask {
            try? await Task.sleep(for: limit)
            inbox.post(.drainIsOver)
            try? await Task.sleep(for: Self.leaveLimit)
            inbox.post(.leaveIsOver)
        }
    }

    private mutating func perform(
        _ commands: [FleetCommand],
        ofWriter isWriter: Bool,
        in group: inout DiscardingTaskGroup
    ) {
        for command in commands {
            switch command {
            case .perform(let transaction, let ticket):
                let (driver, inbox, notes) = (driver, inbox, desk.notes(for: transaction))
                desk.endReading(with: transaction)
                group.addTask {
                    await driver.perform(transaction, ticket, notes: notes, to: inbox)
                }
            case .send(let order): send(order, in: &group)
            case .wake(let time):
                if isWriter { wakes.writer = time } else { wakes.worker = time }
            case .report(let notice): driver.settings.report(notice)
            case .forget(let unit):
                desk.forget(unit)
                judge.forget(unit)
            }
        }
    }

    private mutating func take(
        _ reply: FleetReply,
        to ticket: FleetTicket,
        in group: inout DiscardingTaskGroup
    ) {
        let event: FleetEvent
        switch reply {
        case .answered(let answer):
            desk.note(answer)
            event = .answered(ticket, answer)
        case .failed(let failure, _): event = .failed(ticket, failure)
        }
        if ticket.lane == .writer {
            passToWriter(event, in: &group)
        } else {
            pass([event], in: &group)
        }
    }

    // MARK: Requests

    private mutating func send(_ order: SendOrder, in group: inout DiscardingTaskGroup) {
        switch desk.readiness(of: order) {
        case .unknown(let occurrence):
            let (driver, inbox) = (driver, inbox)
            group.addTask { await driver.learn(occurrence, to: inbox) }
        case .waiting: break
        case .gone: pass(desk.unwritten(order), in: &group)
        case .known(let unit, let terms):
            sendCount += 1
            let (driver, inbox, number) = (driver, inbox, sendCount)
            let source = desk.source(of: unit) { driver.source(of: unit, under: terms) }
            sends[number] = Task {
                await driver.send(order, of: unit, from: source, to: inbox)
                inbox.post(.sent(task: number))
            }
        }
    }

    private mutating func learn(
        _ occurrence: OccurrenceNumber,
        _ result: Result<FleetTerms?, StateStoreError>,
        in group: inout DiscardingTaskGroup
    ) {
        switch result {
        case .success(let terms):
            for order in desk.learn(occurrence, terms) { send(order, in: &group) }
        case .failure:
            // The orders wait.
            let (driver, inbox) = (driver, inbox)
            group.addTask {
                try? await Task.sleep(for: Self.readPause)
                await driver.learn(occurrence, to: inbox)
            }
        }
    }

    private mutating func take(
        _ answers: [NumberedAnswer],
        to order: SendOrder,
        in group: inout DiscardingTaskGroup
    ) {
        guard let (unit, terms) = desk.known(order.unit) else { return }
        let (verdicts, consequences) = judge.judge(
            answers.map { answer in
                FleetJudge.Answer(
                    request: answer.number - unit.first,
                    judgement: Judgement(of: answer.outcome, isToGroup: false)
                )
            },
            to: order,
            of: unit.occurrence,
            under: terms,
            open: worker.open,
            at: driver.clock.now
        )
        for verdict in verdicts { desk.note(verdict) }
        pass(verdicts.map { .sent($0.result) } + events(of: consequences, in: &group), in: &group)
    }

    private mutating func follow(
        _ consequences: [FleetJudge.Consequence],
        in group: inout DiscardingTaskGroup
    ) {
        pass(events(of: consequences, in: &group), in: &group)
    }

    /// Performs what follows from answers outside of the machine.
    private func events(
        of consequences: [FleetJudge.Consequence],
        in group: inout DiscardingTaskGroup
    ) -> [FleetEvent] {
        let (driver, inbox) = (driver, inbox)
        var events: [FleetEvent] = []
        for consequence in consequences {
            switch consequence {
            case .limit(let end, let open): events.append(.limited(until: end, open: open))
            case .renew: group.addTask { await driver.renew(inbox) }
            case .stop(let occurrence, let problem):
                for occurrence in occurrence.map({ [$0] }) ?? desk.occurrences(of: worker.owned) {
                    group.addTask { await driver.report(problem, of: occurrence) }
                }
            }
        }
        return events
    }
}
