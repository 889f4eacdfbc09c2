import CampaignModel
import HTTPTransport
import Planning
import RunControl
import State

/// The loop of a batch: it passes answers to the machines of its occurrences.
///
/// It writes nothing. An occurrence with anything to do but to wait is handed over.
struct ShortLoop {
    private let dispatcher: Dispatcher
    private let inbox: ShortInbox
    private let left: [Int: [DispatchMachine.Command]]
    private var lanes: [ShortLane]
    /// Whether an occurrence is neither complete nor handed over.
    private var isHere: [Bool]
    private var count: Int
    private(set) var complete: [CompleteSend] = []

    init(_ batch: ShortBatch) {
        dispatcher = batch.dispatcher
        inbox = batch.inbox
        left = batch.left
        lanes = batch.lanes
        isHere = Array(repeating: true, count: batch.lanes.count)
        count = batch.lanes.count
    }

    mutating func run(handOver: (HandedOverSend) -> Void) async {
        for lane in lanes {
            let total = lane.sending.unit.count - lane.sending.skipped.count
            dispatcher.settings.report(.began(.sending(lane.sending.occurrence), total: total))
        }
        for (index, commands) in left.sorted(by: { $0.key < $1.key }) {
            handOver(leave(index, with: commands))
        }
        while count > 0 {
            let arrived = await inbox.take()
            judge(arrived.answers, handOver: handOver)
            guard arrived.isOver else { continue }
            for index in lanes.indices where isHere[index] { handOver(leave(index, with: [])) }
        }
    }

    /// Judges answers that arrived together.
    private mutating func judge(
        _ answers: [ShortInbox.LaneAnswer],
        handOver: (HandedOverSend) -> Void
    ) {
        var judged: [Int: [(request: Int, judgement: Judgement)]] = [:]
        for answer in answers {
            let judgement = Judgement(of: answer.answer.outcome, isToGroup: false)
            judged[answer.lane, default: []].append((answer.answer.number, judgement))
        }
        let groups = judged.sorted { $0.key < $1.key }
        let commands = dispatcher.paces.share { shared, now in
            groups.map { index, judged in
                let events = judged.map {
                    DispatchMachine.Event.judged(request: $0.request, $0.judgement)
                }
                let seat = lanes[index].seat
                return shared.pass(events, to: &lanes[index].machine, at: seat, now: now)
            }
        }
        for ((index, judged), commands) in zip(groups, commands) {
            let lane = lanes[index]
            for event in lane.machine.progress(of: judged, in: lane.sending.occurrence) {
                dispatcher.settings.report(event)
            }
            switch ShortStep(commands) {
            case .wait: break
            case .complete(let outcomes): finish(index, with: outcomes)
            case .send, .handOver: handOver(leave(index, with: commands))
            }
        }
    }

    private mutating func finish(_ index: Int, with outcomes: [RequestOutcome]) {
        isHere[index] = false
        count -= 1
        complete.append(CompleteSend(lanes[index], outcomes: outcomes))
    }

    /// Ends with an occurrence whose machine has given these commands.
    private mutating func leave(
        _ index: Int,
        with commands: [DispatchMachine.Command]
    ) -> HandedOverSend {
        isHere[index] = false
        count -= 1
        let started = StartedDispatch(lanes[index], performing: commands)
        inbox.handOver(index, to: started.inbox)
        return HandedOverSend(position: lanes[index].position, started: started)
    }
}
