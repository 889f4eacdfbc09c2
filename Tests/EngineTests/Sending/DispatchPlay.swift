import CampaignModel
import Planning
import RateControl
import Sending
import State
import Testing

/// Runs a `DispatchMachine` to its end and answers each request by its number and attempt, with or
/// without latency.
struct DispatchPlay {
    struct Sent: Hashable {
        let request: Int
        let at: Duration
    }

    var policy = SendPolicy(repeats: .never, stopsAtUnknown: false)
    var count = 1
    var open = 4
    var expiry: Duration?
    var seed: UInt64 = 7
    var trial: WrongListDetector?
    var pace = PaceMachine.ample
    /// The time between a request and its answer.
    var latency = Duration.zero
    /// The time until a record is durable.
    var commit = Duration.zero

    private(set) var sent: [Sent] = []
    /// The last record of each request.
    private(set) var disk: [Int: RequestOutcome] = [:]
    private(set) var refreshes = 0
    private(set) var holds: [Hold] = []
    private(set) var dead: [Int] = []
    /// The maximum number of requests that were waiting or open at the same time.
    private(set) var mostOpen = 0
    /// The maximum number of pending wake-ups at the same time.
    private(set) var mostWakes = 0

    mutating func run(
        _ answer: (_ request: Int, _ attempt: Int) -> Judgement
    ) throws -> DispatchMachine.End {
        try run(refreshing: { .refreshed }, answer)
    }

    mutating func run(
        refreshing: () -> DispatchMachine.Event,
        _ answer: (_ request: Int, _ attempt: Int) -> Judgement
    ) throws -> DispatchMachine.End {
        var machine = DispatchMachine(
            requests: RequestRanges(count > 0 ? [0..<count] : []),
            mark: 0,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: open),
                keepsNames: false,
                policy: policy,
                expiry: expiry,
                seed: seed
            ),
            pace: pace,
            trial: trial
        )
        var now = Duration.zero
        var attempts: [Int: Int] = [:]
        var queue: [(at: Duration, event: DispatchMachine.Event)] = [(.zero, .begin)]
        var isOpen = 0
        while let next = queue.indices.min(by: { queue[$0].at < queue[$1].at }) {
            let (at, event) = queue.remove(at: next)
            now = max(now, at)
            if case .judged = event { isOpen -= 1 }
            for command in machine.receive(event, now: now) {
                switch command {
                case .record(let outcomes, _):
                    for outcome in outcomes { disk[outcome.index] = outcome }
                    queue.append((now + commit, .recorded))
                case .send(let numbers):
                    for number in numbers {
                        attempts[number, default: 0] += 1
                        sent.append(Sent(request: number, at: now))
                        let judgement = answer(number, attempts[number] ?? 0)
                        queue.append((now + latency, .judged(request: number, judgement)))
                    }
                    isOpen += numbers.count
                    mostOpen = max(mostOpen, isOpen)
                case .wake(let time):
                    queue.append((time, .woke))
                    mostWakes = max(
                        mostWakes,
                        queue.count { if case .woke = $0.event { true } else { false } }
                    )
                case .refresh:
                    refreshes += 1
                    queue.append((now, refreshing()))
                case .hold(let hold): holds.append(hold)
                case .stopRollout: break
                case .markDead(let numbers): dead += numbers
                case .finish(let end): return end
                }
            }
        }
        throw NothingGoesOn()
    }

    struct NothingGoesOn: Error {}

    /// Returns the times at which a request was sent.
    func times(of request: Int) -> [Duration] {
        sent.filter { $0.request == request }.map(\.at)
    }

    func outcomes(_ outcome: Outcome) -> [Int] {
        disk.values.filter { $0.outcome == outcome }.map(\.index).sorted()
    }
}

extension DispatchMachine {
    /// As `receive`, with every record durable at once.
    mutating func commit(_ event: Event, now: Duration) -> [Command] {
        var commands = receive(event, now: now)
        var place = 0
        while place < commands.count {
            if case .record = commands[place] { commands += receive(.recorded, now: now) }
            place += 1
        }
        return commands
    }
}

extension PaceMachine {
    /// A pace that never delays a request.
    static let ample = PaceMachine(PaceBudget(perSecond: 1_000_000_000), seed: 7)
}

extension SendPolicy {
    /// The default for a displayed message to a single registration.
    static let shown = SendPolicy(repeats: .answered, stopsAtUnknown: false)
    /// The default for a data message to a single registration; also `on_unknown: skip`.
    static let skipping = SendPolicy(repeats: .never, stopsAtUnknown: false)
    /// The default for a fan-out; also `on_unknown: stop`.
    static let stopping = SendPolicy(repeats: .never, stopsAtUnknown: true)
    /// `on_unknown: retry` for a list.
    static let retrying = SendPolicy(repeats: .always, stopsAtUnknown: false)
    /// `on_unknown: retry` for a fan-out.
    static let retryingMany = SendPolicy(repeats: .always, stopsAtUnknown: true)
}
