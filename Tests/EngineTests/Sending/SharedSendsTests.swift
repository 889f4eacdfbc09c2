import CampaignModel
import Planning
import RateControl
import RunControl
import State
import Testing

@testable import Sending

/// Tests what the occurrences of a run leave each other.
struct SharedSendsTests {
    /// At most eight open requests, and 16 that a crash leaves unknown.
    private static let limit = OpenLimit(fixed: 8)

    private static func shared(perSecond: Double = 1_000_000_000) -> SharedSends {
        SharedSends(RequestFlow(PaceBudget(perSecond: perSecond)))
    }

    private static func machine(_ count: Int = 100, of shared: SharedSends) -> DispatchMachine {
        DispatchMachine(
            requests: RequestRanges([0..<count]),
            mark: 0,
            rules: DispatchMachine.Rules(open: limit, keepsNames: false, policy: .skipping),
            pace: shared.flow.pace
        )
    }

    private static func accepted(_ requests: Range<Int>) -> [DispatchMachine.Event] {
        requests.map { .judged(request: $0, .accepted(name: nil)) }
    }

    private static func outcomes(_ requests: Range<Int>) -> [RequestOutcome] {
        requests.map { RequestOutcome(index: $0, outcome: .accepted) }
    }

    @Test func `an occurrence that is alone may use everything`() {
        var shared = Self.shared()
        let seat = shared.join()
        var machine = Self.machine(of: shared)
        #expect(
            shared.pass([.begin], to: &machine, at: seat, now: .zero)
                == [.record([], released: 16)]
        )
        #expect(
            shared.pass([.recorded], to: &machine, at: seat, now: .zero)
                == [.send(Array(0..<8))]
        )
        #expect(shared.open == 8)
        #expect(shared.claim == 16)
        shared.leave(seat, isRecorded: true)
        #expect(shared.open == 0)
        #expect(shared.claim == 0)
    }

    @Test func `the pace admits no more than its burst`() {
        // A quarter of a second of 99 % of the rate: 1,000 * 0.99 * 0.25.
        let shared = Self.shared(perSecond: 1_000)
        #expect(shared.admitted(of: 200, now: .zero) == 200)
        // The question takes nothing.
        #expect(shared.admitted(of: 300, now: .zero) == 247)
    }

    @Test func `occurrences divide what may be open and unknown, and make room for others`() {
        var shared = Self.shared()
        let seats = (shared.join(), shared.join())
        var first = Self.machine(of: shared)
        var second = first
        #expect(
            shared.pass([.begin], to: &first, at: seats.0, now: .zero)
                == [.record([], released: 8)]
        )
        #expect(
            shared.pass([.recorded], to: &first, at: seats.0, now: .zero)
                == [.send(Array(0..<4)), .wake(at: .milliseconds(200))]
        )
        _ = shared.pass([.begin], to: &second, at: seats.1, now: .zero)
        _ = shared.pass([.recorded], to: &second, at: seats.1, now: .zero)
        #expect(shared.open == 8)
        #expect(shared.claim == 16)
        // Nothing is left for a third one, which looks again soon.
        let seat = shared.join()
        var third = Self.machine(of: shared)
        #expect(
            shared.pass([.begin], to: &third, at: seat, now: .zero)
                == [.wake(at: .milliseconds(20))]
        )
        // The first one has more than a third, so it records what it knows.
        let now = Duration.milliseconds(10)
        #expect(
            shared.pass(Self.accepted(0..<4), to: &first, at: seats.0, now: now)
                == [.record(Self.outcomes(0..<4), released: nil), .send([4, 5])]
        )
        #expect(shared.claim == 16)
        #expect(shared.pass([.recorded], to: &first, at: seats.0, now: now) == [])
        #expect(shared.claim == 12)
        #expect(
            shared.pass([.woke], to: &third, at: seat, now: .milliseconds(20))
                == [.record([], released: 4)]
        )
        #expect(shared.claim == 16)
    }

    @Test func `requests whose answers wait to be judged are not open`() {
        var shared = Self.shared()
        let (seat, other) = (shared.join(), shared.join())
        var machine = Self.machine(4, of: shared)
        _ = shared.pass([.begin], to: &machine, at: seat, now: .zero)
        #expect(
            shared.pass([.recorded], to: &machine, at: seat, now: .zero)
                == [.send(Array(0..<4))]
        )
        var late = Self.machine(8, of: shared)
        _ = shared.pass([.begin], to: &late, at: other, now: .zero)
        let sent = shared.pass([.recorded], to: &late, at: other, now: .zero)
        #expect(sent.first == .send(Array(0..<4)))
        #expect(shared.open == 8)
        var latest = Self.machine(8, of: shared)
        let last = shared.join()
        // The others leave nothing.
        _ = shared.pass([.begin], to: &latest, at: last, now: .zero)
        shared.arrived(4)
        #expect(shared.open == 4)
        let room = shared.pass([.recorded], to: &latest, at: last, now: .zero)
        #expect(room.first == .send(Array(0..<2)))
        shared.arrived(-4)
        #expect(shared.open == 10)
    }

    @Test func `after the end of a day, an occurrence leaves its part to others`() {
        var shared = Self.shared()
        let seats = (shared.join(), shared.join())
        var first = Self.machine(of: shared)
        var second = first
        for event in [DispatchMachine.Event.begin, .recorded] {
            _ = shared.pass([event], to: &first, at: seats.0, now: .zero)
            _ = shared.pass([event], to: &second, at: seats.1, now: .zero)
        }
        #expect(shared.claim == 16)
        let returned = (4..<8).map { RequestOutcome(index: $0, outcome: .returned) }
        #expect(
            shared.pass([.dayEnded], to: &first, at: seats.0, now: .zero)
                == [.record(returned, released: nil)]
        )
        // What is not durable yet still counts.
        #expect(shared.claim == 16)
        #expect(shared.pass([.recorded], to: &first, at: seats.0, now: .zero) == [])
        #expect(shared.claim == 12)
        // It does not look again: only its own answers matter now.
        let now = Duration.milliseconds(200)
        #expect(shared.pass([.woke], to: &first, at: seats.0, now: now) == [])
        #expect(shared.pass(Self.accepted(0..<3), to: &first, at: seats.0, now: now) == [])
        #expect(
            shared.pass(Self.accepted(3..<4), to: &first, at: seats.0, now: now)
                == [.record(Self.outcomes(0..<4), released: nil), .finish(.dayEnded)]
        )
        shared.leave(seats.0, isRecorded: true)
        #expect(shared.open == 4)
        #expect(shared.claim == 8)
    }

    @Test func `a pause of one occurrence is a pause of all`() {
        var shared = Self.shared(perSecond: 1_000)
        let seats = (shared.join(), shared.join())
        var first = Self.machine(of: shared)
        var second = first
        for event in [DispatchMachine.Event.begin, .recorded] {
            _ = shared.pass([event], to: &first, at: seats.0, now: .zero)
            _ = shared.pass([event], to: &second, at: seats.1, now: .zero)
        }
        let refusal = Judgement.throttled(reason: "quota", delay: .seconds(30))
        _ = shared.pass([.judged(request: 0, refusal)], to: &first, at: seats.0, now: .zero)
        let commands = shared.pass(Self.accepted(0..<1), to: &second, at: seats.1, now: .zero)
        #expect(second.pause == DispatchMachine.Pause(reason: .quota, end: .seconds(30)))
        #expect(!commands.contains { if case .send = $0 { true } else { false } })
    }

    @Test func `occurrences stop if another one could not record its requests`() {
        var shared = Self.shared()
        let seats = (shared.join(), shared.join())
        var first = Self.machine(of: shared)
        var second = first
        _ = shared.pass([.begin], to: &first, at: seats.0, now: .zero)
        _ = shared.pass([.begin], to: &second, at: seats.1, now: .zero)
        _ = shared.pass([.recorded], to: &second, at: seats.1, now: .zero)
        shared.leave(seats.0, isRecorded: false)
        #expect(shared.claim == 16)
        let returned = (4..<8).map { RequestOutcome(index: $0, outcome: .returned) }
        #expect(
            shared.pass(Self.accepted(0..<4), to: &second, at: seats.1, now: .zero) == [
                .record(Self.outcomes(0..<4) + returned, released: nil), .finish(.stopped),
            ]
        )
    }

    @Test func `never exceeds the limits, and every occurrence ends`() throws {
        for seed in 0..<300 as Range<UInt64> {
            var simulation = SharedSimulation(seed: seed)
            try simulation.run()
        }
    }

    @Test func `a short send does not wait for a long one`() throws {
        var simulation = SharedSimulation(
            limit: OpenLimit(unknown: 128),
            perSecond: 100_000,
            counts: [20_000, 100],
            answersAfter: .milliseconds(50)
        )
        simulation.begin(0, at: .zero)
        simulation.begin(1, at: .seconds(1))
        try simulation.finish()
        // The long one records what it knows after one round trip, and the short one then has half:
        // 56 open requests.
        #expect(try #require(simulation.firstSend(of: 1)) < .milliseconds(1_200))
        #expect(try #require(simulation.end(of: 1)) < .milliseconds(1_500))
        #expect(try #require(simulation.end(of: 0)) > .seconds(8))
    }

    @Test func `as many occurrences as there are pairs of requests all progress`() throws {
        var simulation = SharedSimulation(
            limit: OpenLimit(unknown: 128),
            perSecond: 100_000,
            counts: Array(repeating: 20, count: 64),
            answersAfter: .milliseconds(50)
        )
        for number in 0..<64 { simulation.begin(number, at: .milliseconds(number)) }
        try simulation.finish()
        // At last, one request of each is open at a time, which takes about 20 round trips.
        for number in 0..<64 {
            #expect(try #require(simulation.end(of: number)) < .seconds(4))
        }
    }
}
