import CampaignModel
import Planning
import RateControl
import Sending
import State
import StoreConformance
import Testing

/// A ledger, a server and a driver in memory.
///
/// It performs the commands of a `DispatchMachine`, may be interrupted after any command, and
/// checks every command against the guarantees of the ledger.
///
/// A record is durable some time after its command, in the order of the commands. Answers arrive in
/// the meantime, and the record is lost if the process ends before it is durable.
struct DispatchSimulation {
    let count: Int
    let limit: OpenLimit
    private(set) var mark = 0
    private(set) var outcomes: [Outcome]
    /// Whether the server may have accepted a request: from the send until it is known to be
    /// unsent.
    private var mayBeTaken: [Bool]
    private var isTaken: [Bool]
    /// Requests that the policy allows to be resent in this run, although they may have been
    /// accepted.
    private var mayBeRepeated: Set<Int> = []
    private var isRefreshing = false
    private var open: [Int] = []
    /// Commands that write, in order: the first is under way.
    private var writes: [DispatchMachine.Command] = []
    private var wakes: [Duration] = []
    private var now = Duration.zero
    private var generator: SeededGenerator
    /// Continues from run to run, as between the occurrences of a run.
    private var pace: PaceMachine

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        count = Int.random(in: 0...300, using: &generator)
        let fixed = [1, 2, 3, 8, 64].map(OpenLimit.init(fixed:))
        let following = [2, 8, 100, 200].map(OpenLimit.init(unknown:))
        limit = (fixed + following).randomElement(using: &generator) ?? fixed[0]
        outcomes = Array(repeating: .intended, count: count)
        let rate = [20, 1_000, 1_000_000].randomElement(using: &generator) ?? 1
        pace = PaceMachine(PaceBudget(perSecond: Double(rate)), seed: seed)
        mayBeTaken = Array(repeating: false, count: count)
        isTaken = mayBeTaken
        self.generator = generator
    }

    enum End {
        case finished(DispatchMachine.End)
        case cutOff
    }

    /// The events of a run before it ends.
    struct Course {
        /// Number of commands until the process dies; nil if it survives.
        var commands: Int?
        var stops: Bool
        var everythingSucceeds: Bool
        var policy = SendPolicy.skipping
    }

    mutating func drawCourse() -> Course {
        Course(
            commands: Bool.random(using: &generator)
                ? Int.random(in: 0...60, using: &generator) : nil,
            stops: Int.random(in: 0..<4, using: &generator) == 0,
            everythingSucceeds: false,
            policy: [.skipping, .shown, .retrying, .stopping].randomElement(using: &generator)
                ?? .skipping
        )
    }

    /// Performs one run, from the contents of the ledger to its end.
    mutating func run(_ course: Course) throws -> End {
        settle()
        var machine = DispatchMachine(
            requests: rest(),
            mark: mark,
            rules: DispatchMachine.Rules(
                open: limit,
                keepsNames: false,
                policy: course.policy,
                seed: generator.next()
            ),
            pace: pace
        )
        var event: DispatchMachine.Event? = .begin
        var left = course.commands ?? .max
        while true {
            for command in event.map({ machine.receive($0, now: now) }) ?? [] {
                guard left > 0 else { return .cutOff }
                left -= 1
                try perform(command)
            }
            if mayWrite() {
                switch try write() {
                case .finish(let end): return .finished(end)
                case .record: event = .recorded
                default: event = nil
                }
            } else {
                event = try nextEvent(course)
            }
        }
    }

    /// Always if nothing else can happen.
    private mutating func mayWrite() -> Bool {
        guard !writes.isEmpty else { return false }
        let isAlone = open.isEmpty && wakes.isEmpty && !isRefreshing
        return isAlone || Int.random(in: 0..<3, using: &generator) == 0
    }

    /// Marks released requests without an outcome as unknown, as after a crash.
    private mutating func settle() {
        for number in 0..<mark where outcomes[number] == .intended { outcomes[number] = .unknown }
        open = []
        writes = []
        wakes = []
        mayBeRepeated = []
        isRefreshing = false
    }

    private func rest() -> RequestRanges {
        var rest = RequestRanges([])
        for number in 0..<count where outcomes[number] == .returned || number >= mark {
            rest.append(number)
        }
        return rest
    }
}

extension DispatchSimulation {
    private mutating func perform(_ command: DispatchMachine.Command) throws {
        switch command {
        case .record, .finish: writes.append(command)
        case .send(let numbers): for number in numbers { try send(number) }
        case .wake(let time):
            try #require(time > now)
            wakes.append(time)
        case .refresh:
            try #require(open.isEmpty)
            isRefreshing = true
        case .hold, .stopRollout, .markDead: Issue.record("there is no trial")
        }
    }

    /// Makes the oldest command that writes durable.
    private mutating func write() throws -> DispatchMachine.Command {
        let command = writes.removeFirst()
        switch command {
        case .record(let new, let released): try record(new, released)
        case .finish(let end):
            try #require(open.isEmpty)
            if end == .complete {
                let isSettled = outcomes.allSatisfy { $0 != .intended && $0 != .returned }
                try #require(isSettled)
            } else {
                try #require((0..<mark).allSatisfy { outcomes[$0] != .intended })
            }
        default: Issue.record("\(command) does not write")
        }
        return command
    }

    private mutating func record(_ new: [RequestOutcome], _ released: Int?) throws {
        if let released {
            try #require(released >= mark && released <= count)
            mark = released
        }
        for outcome in new {
            try #require(outcome.index < mark)
            let before = outcomes[outcome.index]
            try #require(mayFollow(outcome, before), "\(outcome) after \(before)")
            if outcome.outcome == .accepted { try #require(isTaken[outcome.index]) }
            if outcome.outcome == .returned { try #require(!mayBeTaken[outcome.index]) }
            outcomes[outcome.index] = outcome.outcome
        }
        let unsettled = (0..<mark).count { outcomes[$0] == .intended }
        try #require(unsettled <= limit.unknown)
    }

    private func mayFollow(_ outcome: RequestOutcome, _ before: Outcome) -> Bool {
        switch outcome.outcome {
        case .intended: before == .returned || before == .intended
        case .returned: before == .intended
        default: before == .intended || before == .unknown && mayBeRepeated.contains(outcome.index)
        }
    }

    private mutating func send(_ number: Int) throws {
        let isRepeat = mayBeRepeated.contains(number)
        let isReleased = outcomes[number] == .intended || isRepeat
        try #require(number < mark && isReleased, "\(number) is not released")
        try #require(isRepeat || !mayBeTaken[number], "\(number) would be sent twice")
        open.append(number)
        try #require(open.count <= limit.most)
        mayBeTaken[number] = true
    }

    private mutating func nextEvent(_ course: Course) throws -> DispatchMachine.Event {
        if course.stops, Int.random(in: 0..<40, using: &generator) == 0 { return .stop }
        now += .milliseconds(Int.random(in: 0...200, using: &generator))
        if isRefreshing {
            isRefreshing = false
            return .refreshed
        }
        let isDue = wakes.contains { $0 <= now }
        if let index = open.indices.randomElement(using: &generator), !isDue {
            let number = open.remove(at: index)
            return .judged(request: number, judge(number, course))
        }
        let next = try #require(wakes.indices.min { wakes[$0] < wakes[$1] }, "nothing is pending")
        now = max(now, wakes.remove(at: next))
        return .woke
    }

    private mutating func judge(_ number: Int, _ course: Course) -> Judgement {
        let draw = course.everythingSucceeds ? 0 : Int.random(in: 0..<200, using: &generator)
        switch draw {
        case 0..<150:
            isTaken[number] = true
            return .accepted(name: "\(number)")
        case 150..<165: return .rejected(.unregistered)
        case 165..<172:
            if course.policy.repeats == .always { mayBeRepeated.insert(number) }
            return .unknown(reason: "timed out")
        case 172..<180:
            if course.policy.repeats != .never { mayBeRepeated.insert(number) }
            return .failed(reason: "503", delay: nil)
        default:
            mayBeTaken[number] = mayBeRepeated.contains(number)
            if draw == 199 { return .refusedUs(reason: "403") }
            if draw > 195 { return .unauthorized(reason: "401") }
            if draw > 190 { return .slowed(delay: .seconds(3)) }
            return draw.isMultiple(of: 3)
                ? .throttled(reason: "quota", delay: .seconds(60)) : .unwritten(reason: "lost")
        }
    }
}

struct DispatchSimulationTests {
    /// Performs runs until one completes; the last ones succeed to ensure that.
    private func play(seed: UInt64) throws -> (crashes: Int, runs: Int) {
        var simulation = DispatchSimulation(seed: seed)
        var crashes = 0
        for number in 1...40 {
            var course = simulation.drawCourse()
            if number > 30 {
                course = DispatchSimulation.Course(
                    commands: nil,
                    stops: false,
                    everythingSucceeds: true
                )
            }
            switch try simulation.run(course) {
            case .cutOff: crashes += 1
            case .finished(.complete): return (crashes, number)
            case .finished: break
            }
        }
        throw NothingCompleted()
    }

    private struct NothingCompleted: Error {}

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `loses nothing and sends nothing twice, wherever it is interrupted`(part: UInt64) throws {
        var crashes = 0
        var most = 0
        for seed in part * 50..<part * 50 + 50 {
            let course = try play(seed: seed)
            crashes += course.crashes
            most = max(most, course.runs)
        }
        #expect(crashes > 10)
        #expect(most > 3)
    }
}
