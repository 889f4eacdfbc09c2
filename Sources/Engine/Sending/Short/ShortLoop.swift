import CampaignModel
import HTTPTransport
import Planning
import RateControl
import RunControl
import State

/// The loop of a batch: it passes answers to the machines of its occurrences.
///
/// It writes nothing. An occurrence with anything to do but to wait for answers is handed over; pauses
/// and quiet hours have no effect on the others, because each of their requests was passed on.
package struct ShortLoop {
    private let dispatcher: Dispatcher
    private let inbox: ShortInbox
    /// Whether the beginnings are reported; they wait, because other first requests are more urgent.
    private var hasReported = false
    private let left: [Int: [DispatchMachine.Command]]
    private var lanes: [ShortLane]
    /// Whether an occurrence is neither complete nor handed over.
    private var isHere: [Bool]
    private var complete: [CompleteSend] = []
    /// Whether an interval has passed since the complete occurrences were taken.
    package private(set) var isTick = false

    package init(_ batch: ShortBatch) {
        dispatcher = batch.dispatcher
        inbox = batch.inbox
        left = batch.left
        lanes = batch.lanes
        isHere = Array(repeating: true, count: batch.lanes.count)
    }

    /// Returns the occurrences whose requests are not sent together.
    package mutating func begin() -> [HandedOverSend] {
        let first = left.sorted { $0.key < $1.key }
        report(began: first.map(\.key))
        return first.map { leave($0.key, with: $0.value) }
    }

    private func report(began indices: [Int]) {
        for index in indices {
            let sending = lanes[index].sending
            let total = sending.unit.count - sending.skipped.count
            dispatcher.settings.report(.began(.sending(sending.occurrence), total: total))
        }
    }

    /// Waits for answers, and returns the occurrences that are handed over because of them; nil if no
    /// occurrence is left.
    package mutating func next() async -> [HandedOverSend]? {
        guard isHere.contains(true) else { return nil }
        let arrived = await inbox.take()
        if !hasReported {
            hasReported = true
            report(began: lanes.indices.filter { isHere[$0] })
        }
        isTick = isTick || arrived.isTick
        var handedOver = judge(arrived.answers)
        let mustEnd =
            arrived.isStopped
            || arrived.isTick && dispatcher.paces.share { shared, _ in shared.hasFailed }
        if mustEnd {
            for index in lanes.indices where isHere[index] {
                handedOver.append(leave(index, with: []))
            }
        }
        return handedOver
    }

    /// Removes and returns the complete occurrences, in order.
    package mutating func takeComplete() -> [CompleteSend] {
        defer { complete = [] }
        isTick = false
        return complete.sorted { $0.position < $1.position }
    }

    /// Judges answers that arrived together, and returns the occurrences that are handed over.
    private mutating func judge(_ answers: [ShortInbox.LaneAnswer]) -> [HandedOverSend] {
        var judged: [Int: [(request: Int, judgement: Judgement)]] = [:]
        for answer in answers {
            let judgement = Judgement(of: answer.answer.outcome, isToGroup: false)
            judged[answer.lane, default: []].append((answer.answer.number, judgement))
        }
        let groups = judged.sorted { $0.key < $1.key }
        let clock = dispatcher.settings.clock
        for (index, judged) in groups {
            lanes[index].objective?.judged(judged.map(\.judgement), on: clock)
        }
        let commands = dispatcher.paces.share { shared, now in
            shared.arrived(-answers.count)
            let roundTrip = shared.flow.roundTrip
            // Answers that waited show no round trip.
            defer {
                let both = [roundTrip, shared.flow.roundTrip].compactMap(\.self)
                shared.flow.roundTrip = both.min()
            }
            return groups.map { index, judged in
                let events = judged.map {
                    DispatchMachine.Event.judged(request: $0.request, $0.judgement)
                }
                let seat = lanes[index].seat
                return shared.pass(events, to: &lanes[index].machine, at: seat, now: now)
            }
        }
        var handedOver: [HandedOverSend] = []
        for ((index, judged), commands) in zip(groups, commands) {
            let occurrence = lanes[index].sending.occurrence
            for event in lanes[index].machine.progress(of: judged, in: occurrence) {
                dispatcher.settings.report(event)
            }
            switch ShortStep(commands) {
            case .wait: break
            case .complete(let outcomes): finish(index, with: outcomes)
            case .send, .handOver: handedOver.append(leave(index, with: commands))
            }
        }
        return handedOver
    }

    private mutating func finish(_ index: Int, with outcomes: [RequestOutcome]) {
        isHere[index] = false
        complete.append(CompleteSend(lanes[index], outcomes: outcomes))
    }

    /// Ends with an occurrence whose machine has given these commands.
    private mutating func leave(
        _ index: Int,
        with commands: [DispatchMachine.Command]
    ) -> HandedOverSend {
        isHere[index] = false
        let started = StartedDispatch(lanes[index], performing: commands)
        inbox.handOver(index, to: started.inbox)
        return HandedOverSend(position: lanes[index].position, started: started)
    }
}
