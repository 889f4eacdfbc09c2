import CampaignModel
import Planning
import RateControl
import State
import StoreConformance
import Testing

@testable import Sending

/// Several machines that share a pace and a limit, with ledgers, a server and a driver in memory.
///
/// It checks after each event that the sums of open requests and of those that a crash would leave
/// unknown are within the limit, and that a machine that has not ended waits for something.
struct SharedSimulation {
    private let limit: OpenLimit
    private var shared: SharedSends
    private var sends: [Send]
    private var queue: [Happening] = []
    private var now = Duration.zero
    private var generator: SeededGenerator
    /// Nil for random times.
    private let latency: Duration?
    private let policy: SendPolicy
    /// Whether the last records of complete sends wait, as those of short sends that are started
    /// together.
    private let recordsLate: Bool

    private struct Happening {
        enum Kind {
            case begin
            case answer(Int)
            /// The oldest write is durable.
            case written
            case woke
            case stop
        }

        let at: Duration
        let send: Int
        let kind: Kind
    }

    private struct Send {
        let count: Int
        var machine: DispatchMachine
        var seat: SharedSends.Seat?
        var open: Set<Int> = []
        /// The commands that write, in order.
        var writes: [DispatchMachine.Command] = []
        var lastWrite = Duration.zero
        var mark = 0
        /// Whether a durable outcome of each request is known.
        var isSettled: [Bool]
        var firstSend: Duration?
        var end: (reason: DispatchMachine.End, at: Duration)?

        /// The number of requests that a crash would leave unknown now.
        var unknown: Int { (0..<mark).count { !isSettled[$0] } }
    }

    init(
        limit: OpenLimit,
        perSecond: Double,
        counts: [Int],
        answersAfter latency: Duration?,
        policy: SendPolicy = .skipping,
        seed: UInt64 = 1
    ) {
        self.limit = limit
        self.latency = latency
        self.policy = policy
        recordsLate = seed.isMultiple(of: 2)
        let pace = PaceMachine(PaceBudget(perSecond: perSecond), seed: seed)
        var flow = RequestFlow(PaceBudget(perSecond: perSecond))
        flow.pace = pace
        shared = SharedSends(flow)
        sends = counts.enumerated().map { number, count in
            Send(
                count: count,
                machine: DispatchMachine(
                    requests: RequestRanges(count > 0 ? [0..<count] : []),
                    mark: 0,
                    rules: DispatchMachine.Rules(
                        open: limit,
                        keepsNames: false,
                        policy: policy,
                        seed: seed &+ UInt64(number)
                    ),
                    pace: pace
                ),
                isSettled: Array(repeating: false, count: count)
            )
        }
        generator = SeededGenerator(seed: seed)
    }

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let following = [2, 4, 8, 100].map { OpenLimit(unknown: $0) }
        let limits = following + [1, 3, 8].map(OpenLimit.init(fixed:))
        let limit = limits.randomElement(using: &generator) ?? limits[0]
        let most = max(1, limit.unknown / 2)
        let number = Int.random(in: 1...min(6, most), using: &generator)
        let counts = (0..<number).map { _ in Int.random(in: 0...80, using: &generator) }
        let policies = [SendPolicy.skipping, .shown, .retrying]
        self.init(
            limit: limit,
            perSecond: [30, 1_000, 1_000_000].randomElement(using: &generator) ?? 30,
            counts: counts,
            answersAfter: nil,
            policy: policies.randomElement(using: &generator) ?? .skipping,
            seed: seed
        )
    }

    /// Begins all sends at random times, stops some of them, and performs them.
    mutating func run() throws {
        for number in sends.indices {
            begin(number, at: .milliseconds(Int.random(in: 0...2_000, using: &generator)))
            if Int.random(in: 0..<8, using: &generator) == 0 {
                let moment = Duration.milliseconds(Int.random(in: 2_000...4_000, using: &generator))
                queue.append(Happening(at: moment, send: number, kind: .stop))
            }
        }
        try finish()
        for send in sends where send.end?.reason == .complete {
            try #require(send.mark == send.count && send.unknown == 0)
        }
        try #require(shared.open == 0 && shared.claim == 0)
    }

    mutating func begin(_ number: Int, at moment: Duration) {
        queue.append(Happening(at: moment, send: number, kind: .begin))
    }

    /// Performs everything until all sends have ended.
    mutating func finish() throws {
        while let next = queue.indices.min(by: { queue[$0].at < queue[$1].at }) {
            let happening = queue.remove(at: next)
            now = max(now, happening.at)
            try take(happening)
        }
        try #require(sends.allSatisfy { $0.end != nil }, "a send waits for nothing")
    }

    func firstSend(of number: Int) -> Duration? { sends[number].firstSend }
    func end(of number: Int) -> Duration? { sends[number].end?.at }
}

extension SharedSimulation {
    private mutating func take(_ happening: Happening) throws {
        let number = happening.send
        guard sends[number].end == nil else { return }
        switch happening.kind {
        case .begin:
            sends[number].seat = shared.join()
            try pass(.begin, to: number)
        case .answer(let request):
            try #require(sends[number].open.remove(request) != nil)
            try pass(.judged(request: request, judge()), to: number)
        case .written: try write(number)
        case .woke: try pass(.woke, to: number)
        case .stop: if sends[number].seat != nil { try pass(.stop, to: number) }
        }
        try check()
    }

    private mutating func pass(_ event: DispatchMachine.Event, to number: Int) throws {
        let seat = try #require(sends[number].seat)
        let commands = shared.pass([event], to: &sends[number].machine, at: seat, now: now)
        let isLate = recordsLate && commands.contains(.finish(.complete))
        let delay = isLate ? Int.random(in: 0...1_000, using: &generator) : 0
        for command in commands {
            try perform(command, of: number, writingAfter: .milliseconds(delay))
        }
    }

    private mutating func perform(
        _ command: DispatchMachine.Command,
        of number: Int,
        writingAfter delay: Duration
    ) throws {
        switch command {
        case .record, .finish:
            sends[number].writes.append(command)
            let length =
                delay + Duration.milliseconds(Int.random(in: 1...20, using: &generator))
            let end = max(now, sends[number].lastWrite) + length
            sends[number].lastWrite = end
            queue.append(Happening(at: end, send: number, kind: .written))
        case .send(let requests):
            sends[number].firstSend = sends[number].firstSend ?? now
            for request in requests {
                try #require(request < sends[number].mark, "\(request) is not released")
                try #require(sends[number].open.insert(request).inserted)
                let time = latency ?? .milliseconds(Int.random(in: 1...300, using: &generator))
                queue.append(Happening(at: now + time, send: number, kind: .answer(request)))
            }
        case .wake(let time):
            try #require(time > now)
            queue.append(Happening(at: time, send: number, kind: .woke))
        case .refresh, .hold, .stopRollout, .markDead: Issue.record("\(command) is not expected")
        }
    }

    /// Makes the oldest command that writes durable.
    private mutating func write(_ number: Int) throws {
        switch sends[number].writes.removeFirst() {
        case .record(let outcomes, let released):
            sends[number].mark = max(sends[number].mark, released ?? 0)
            for outcome in outcomes {
                sends[number].isSettled[outcome.index] = outcome.outcome != .intended
            }
            try check()
            try pass(.recorded, to: number)
        case .finish(let end):
            try #require(sends[number].unknown == 0)
            sends[number].end = (end, now)
            shared.leave(try #require(sends[number].seat), isRecorded: true)
        default: Issue.record("this does not write")
        }
    }

    private mutating func judge() -> Judgement {
        guard latency == nil else { return .accepted(name: nil) }
        return switch Int.random(in: 0..<100, using: &generator) {
        case 0..<80: .accepted(name: nil)
        case 80..<86: .rejected(.unregistered)
        case 86..<90: .failed(reason: "503", delay: nil)
        case 90..<93: .unknown(reason: "timed out")
        case 93..<96: .slowed(delay: .seconds(3))
        case 96..<97: .throttled(reason: "quota", delay: .seconds(5))
        default: .unwritten(reason: "lost")
        }
    }

    private func check() throws {
        let open = sends.reduce(0) { $0 + $1.open.count }
        try #require(open <= limit.most, "\(open) requests are open")
        let unknown = sends.reduce(0) { $0 + $1.unknown }
        try #require(unknown <= limit.unknown, "a crash leaves \(unknown) unknown")
        try #require(unknown <= shared.claim && shared.claim <= limit.unknown)
    }
}
