import CampaignModel
import FCMClient
import HTTPTransport
import RunControl
import State

/// The loop of a sweep: it passes events to the machine and performs its commands.
struct SweepLoop {
    typealias Result = Swift.Result<(SweepReport.Tally, DispatchMachine.End), StateStoreError>

    private let sweep: RegistrationSweep
    private let list: SweptList
    private var machine: DispatchMachine
    private let rows: SweepRows
    private let recorder: SweepRecorder
    private let inbox = DispatchInbox(notes: nil)
    private var tally = SweepReport.Tally()
    /// Dead registrations that the machine has not passed on, because its check of the list has not
    /// ended.
    private var unmarked: [Int] = []
    /// The pending records of dead rows, in order; the first is in progress if `isWriting`.
    private var writes: [[Int]] = []
    private var isWriting = false
    private var pause: DispatchMachine.Pause?
    private var end: DispatchMachine.End?

    init(
        sweep: RegistrationSweep,
        list: SweptList,
        machine: DispatchMachine,
        rows: SweepRows,
        recorder: SweepRecorder
    ) {
        self.sweep = sweep
        self.list = list
        self.machine = machine
        self.rows = rows
        self.recorder = recorder
    }

    mutating func run(_ group: inout DiscardingTaskGroup) async -> Result {
        let (sweep, inbox) = (sweep, inbox)
        group.addTask {
            await sweep.settings.stop.wait()
            inbox.post(.event(.stop))
        }
        receive(.begin, in: &group)
        do throws(StateStoreError) {
            while true {
                if let end, writes.isEmpty { return .success((tally, end)) }
                try take(await inbox.take(), in: &group)
            }
        } catch {
            return .failure(error)
        }
    }

    private mutating func take(
        _ arrived: DispatchInbox.Arrived,
        in group: inout DiscardingTaskGroup
    ) throws(StateStoreError) {
        if !arrived.answers.isEmpty { judge(arrived.answers, in: &group) }
        for landing in arrived.landings {
            switch landing {
            case .drainIsOver: group.cancelAll()
            case .event(let event): receive(event, in: &group)
            case .written:
                isWriting = false
                writes.removeFirst()
                writeNext(&group)
            case .failed(let error): throw error
            // A sweep sends nothing, so that no pause applies to it.
            case .looked: break
            }
        }
    }

    private mutating func judge(
        _ answers: [NumberedAnswer],
        in group: inout DiscardingTaskGroup
    ) {
        let swept = answers.map(SweptAnswer.init)
        var finished: [Int] = []
        for answer in swept {
            guard let verdict = answer.verdict else { continue }
            tally.add(verdict)
            finished.append(answer.number)
            if verdict.isDead { unmarked.append(answer.number) }
        }
        let judged = swept.map { ($0.number, $0.judgement) }
        let events = judged.lazy.map { DispatchMachine.Event.judged(request: $0, $1) }
        let commands = machine.receive(events, now: sweep.clock.now)
        for event in machine.progress(of: judged) { sweep.settings.report(event) }
        let rows = rows
        if !finished.isEmpty { group.addTask { [finished] in await rows.forget(finished) } }
        perform(commands, in: &group)
    }

    private mutating func receive(
        _ event: DispatchMachine.Event,
        in group: inout DiscardingTaskGroup
    ) {
        let (sweep, inbox) = (sweep, inbox)
        let commands = machine.receive(event, now: sweep.clock.now)
        switch event {
        case .refreshed: sweep.settings.report(.tokenRenewed)
        case .stop:
            group.addTask {
                try? await Task.sleep(for: sweep.settings.drainLimit)
                inbox.post(.drainIsOver)
            }
        case .begin, .judged, .recorded, .woke, .notRefreshed, .paused, .dayEnded,
            .nightBegan, .rolloutEnded:
            break
        }
        perform(commands, in: &group)
    }

    private mutating func perform(
        _ commands: [DispatchMachine.Command],
        in group: inout DiscardingTaskGroup
    ) {
        reportPause()
        for command in commands { perform(command, in: &group) }
        writeNext(&group)
    }

    /// Reports each pause once, and again if it becomes longer.
    private mutating func reportPause() {
        guard machine.pause != pause else { return }
        pause = machine.pause
        guard let pause else { return }
        sweep.settings.report(.pausing(pause.reason, for: pause.end - sweep.clock.now))
    }

    private mutating func perform(
        _ command: DispatchMachine.Command,
        in group: inout DiscardingTaskGroup
    ) {
        let (sweep, rows, inbox) = (sweep, rows, inbox)
        switch command {
        // There is no ledger.
        case .record: inbox.post(.event(.recorded))
        case .hold, .stopRollout: break
        case .markDead(let numbers): mark(numbers)
        case .finish(let end): finish(end)
        case .send(let numbers):
            group.addTask { await sweep.send(numbers, of: rows, to: inbox) }
        case .wake(let time):
            group.addTask {
                await sweep.clock.sleep(until: time)
                inbox.post(.event(.woke))
            }
        case .refresh: group.addTask { await sweep.renew(inbox) }
        }
    }
}

// MARK: - Recording

extension SweepLoop {
    private mutating func mark(_ numbers: [Int]) {
        writes.append(numbers)
        let marked = Set(numbers)
        unmarked.removeAll(where: marked.contains)
    }

    /// Records what a sweep has found that ends early, if its answers look right.
    private mutating func finish(_ end: DispatchMachine.End) {
        self.end = end
        switch end {
        case .complete, .held: break
        case .unsettled, .stopped, .paused, .dayEnded, .nightBegan, .rolloutStopped, .expired,
            .refused, .unanswered:
            if !unmarked.isEmpty, tally.looksRight { mark(unmarked) }
        }
    }

    private mutating func writeNext(_ group: inout DiscardingTaskGroup) {
        guard !isWriting, let numbers = writes.first else { return }
        isWriting = true
        let (recorder, inbox) = (recorder, inbox)
        let dead = numbers.map { list.fingerprints[$0] }
        group.addTask {
            do throws(StateStoreError) {
                try await recorder.record(dead)
                inbox.post(.written)
            } catch {
                inbox.post(.failed(error))
            }
        }
    }
}

extension SweepReport.Tally {
    /// Whether the answers of a sweep that ended early are enough to rule out a wrong list.
    fileprivate var looksRight: Bool {
        let problems = self[.unregistered] + self[.invalid] + self[.mismatched]
        return answered >= WrongListDetector.fewestSuspicious
            && problems <= RegistrationSweep.tolerated.share(of: answered)
    }
}

// MARK: - Requests

extension RegistrationSweep {
    /// Sends the requests of these rows.
    ///
    /// If the list can no longer be read, no request was made, and the sweep stops.
    fileprivate func send(
        _ numbers: [Int],
        of rows: SweepRows,
        to inbox: DispatchInbox
    ) async {
        if let requests = await rows.requests(numbers, to: settings.endpoint) {
            return await settings.transport.send(requests, to: inbox)
        }
        inbox.post(.event(.stop))
        let unread = TransportError(fate: .notSent, reason: .cancelled, detail: "")
        for number in numbers {
            inbox.read(NumberedAnswer(number: number, outcome: .failure(unread)))
        }
        inbox.deliver()
    }

    fileprivate func renew(_ inbox: DispatchInbox) async {
        do {
            try await settings.endpoint.bearer.renew()
            inbox.post(.event(.refreshed))
        } catch {
            inbox.post(.event(.notRefreshed(reason: error.reason)))
        }
    }
}
