import CampaignModel
import Planning
import RateControl
import Sending
import State
import TestSupport
import Testing

/// Tests rules that concern several requests of a unit.
struct DispatchPolicyTests {
    private static let failure = Judgement.failed(reason: "503", delay: nil)
    private static let taken = Judgement.accepted(name: "n")

    // MARK: Retries

    @Test(
        .covers("F1.7-backoff", "F1.7-internal", "F1.7-unavailable"),
        arguments: 0..<50 as Range<UInt64>
    )
    func `waits ten seconds or more before a retry, with growing jitter`(seed: UInt64) throws {
        var play = DispatchPlay(policy: .shown, seed: seed)
        _ = try play.run { _, _ in Self.failure }
        let times = play.times(of: 0)
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        try #require(waits.count == 4)
        for (wait, most) in zip(waits, [20, 30, 50, 90]) {
            #expect(wait >= .seconds(10) && wait < .seconds(most))
        }
    }

    @Test func `spreads retries randomly`() throws {
        var play = DispatchPlay(policy: .shown, count: 4)
        _ = try play.run { _, attempt in attempt == 1 ? Self.failure : Self.taken }
        #expect(Set((0..<4).compactMap { play.times(of: $0).last }).count == 4)
    }

    @Test(.covers("F1.7-unavailable")) func `waits as long as FCM requests`() throws {
        var play = DispatchPlay(policy: .shown)
        _ = try play.run { _, attempt in
            attempt == 1 ? .failed(reason: "503", delay: .seconds(300)) : Self.taken
        }
        #expect(play.times(of: 0) == [.zero, .seconds(300)])
    }

    @Test func `a waiting request does not block others`() throws {
        var play = DispatchPlay(policy: .shown, count: 1_000, latency: .milliseconds(1))
        let end = try play.run { request, attempt in
            request.isMultiple(of: 100) && attempt == 1 ? Self.failure : Self.taken
        }
        #expect(end == .complete)
        #expect(play.mostOpen == 4)
        #expect(play.outcomes(.accepted) == Array(0..<1_000))
        let firsts = (0..<1_000).compactMap { play.times(of: $0).first }
        #expect(firsts.allSatisfy { $0 < .seconds(1) })
        let repeated = stride(from: 0, to: 1_000, by: 100)
        #expect(repeated.allSatisfy { play.disk[$0]?.detail == "repeated after 503" })
    }

    @Test func `records a request that waits for a retry as unknown`() {
        var machine = machine(0..<1, .shown)
        _ = machine.commit(.begin, now: .zero)
        let commands = machine.commit(.judged(request: 0, Self.failure), now: .zero)
        let unknown = RequestOutcome(index: 0, outcome: .unknown, detail: "503")
        #expect(commands.first == .record([unknown], released: nil))
        #expect(commands.count == 2)
        #expect(machine.commit(.stop, now: .seconds(1)) == [.finish(.stopped)])
    }

    @Test(.covers("C71"))
    func `a rate-limited device waits alone, and its retry is released first`() {
        var machine = machine(0..<3, .shown)
        _ = machine.commit(.begin, now: .zero)
        let slowed = Judgement.slowed(delay: .seconds(5))
        #expect(
            machine.commit(.judged(request: 0, slowed), now: .zero) == [.wake(at: .seconds(5))]
        )
        #expect(machine.commit(.judged(request: 1, Self.taken), now: .seconds(1)) == [])
        #expect(
            machine.commit(.judged(request: 2, Self.taken), now: .seconds(2)) == [
                .record(
                    [
                        RequestOutcome(index: 0, outcome: .returned, detail: "APNs 429"),
                        RequestOutcome(index: 1, outcome: .accepted),
                        RequestOutcome(index: 2, outcome: .accepted),
                    ],
                    released: nil
                )
            ]
        )
        #expect(
            machine.commit(.woke, now: .seconds(5)) == [
                .record([RequestOutcome(index: 0, outcome: .intended)], released: 3), .send([0]),
            ]
        )
    }

    private func machine(_ requests: Range<Int>, _ policy: SendPolicy) -> DispatchMachine {
        DispatchMachine(
            requests: RequestRanges([requests]),
            mark: 0,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: 4),
                keepsNames: false,
                policy: policy
            ),
            pace: .ample
        )
    }
}

// MARK: - Throttling

extension DispatchPolicyTests {
    @Test(.covers("F1.7-quota"))
    func `waits a minute if FCM names no time, then twice as long, at most an hour`() throws {
        var play = DispatchPlay()
        let end = try play.run { _, attempt in
            attempt <= 8 ? .throttled(reason: "quota", delay: nil) : Self.taken
        }
        #expect(end == .complete)
        let times = play.times(of: 0)
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        let shortest = [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map { Duration.seconds($0) }
        #expect(zip(waits, shortest).allSatisfy { $0 >= $1 && $0 < $1 * 1.1 })
        #expect(waits.count == shortest.count && Set(waits).count > 6)
    }
}

// MARK: - Outages

extension DispatchPolicyTests {
    private func failing(_ requests: Range<Int>) -> (Int, Int) -> Judgement {
        { request, attempt in
            requests.contains(request) && attempt == 1 ? Self.failure : Self.taken
        }
    }

    @Test func `nineteen answers are too few for an outage`() throws {
        var play = DispatchPlay(policy: .skipping, count: 19)
        _ = try play.run(failing(0..<19))
        #expect(play.sent.allSatisfy { $0.at == .zero })
    }

    @Test func `five failures in a hundred are not an outage, and six are`() throws {
        for (failures, isOutage) in [(5, false), (6, true)] {
            var play = DispatchPlay(policy: .skipping, count: 200, open: 1)
            // The first nineteen answers and the last are successful.
            _ = try play.run { request, _ in
                (100 - failures..<100).contains(request) ? Self.failure : Self.taken
            }
            #expect(play.sent.contains { $0.at >= .seconds(10) } == isOutage)
        }
    }

    @Test func `an outage pauses the send, then each answer allows one more request`() throws {
        var play = DispatchPlay(policy: .skipping, count: 100, open: 8, latency: .milliseconds(1))
        let end = try play.run(failing(0..<20))
        #expect(end == .complete)
        let after = play.sent.filter { $0.at >= .seconds(10) }
        #expect(play.sent.count == 100)
        let byTime = Dictionary(grouping: after, by: \.at).sorted { $0.key < $1.key }
        #expect(byTime.prefix(3).map(\.value.count) == [1, 2, 4])
        #expect(play.mostOpen == 8)
    }

    @Test func `a long outage affects few recipients and ends the run`() throws {
        var play = DispatchPlay(policy: .skipping, count: 1_000, open: 8)
        let end = try play.run { _, _ in Self.failure }
        #expect(end == .unanswered(reason: "503"))
        // Twenty and the requests that were open with them, then one for each of five pauses.
        #expect(play.outcomes(.unknown).count <= 20 + 7 + 5)
        let probes = Set(play.sent.map(\.at)).sorted()
        #expect(probes == [0, 10, 30, 70, 150, 310].map { .seconds($0) })
    }
}

// MARK: - The bearer

extension DispatchPolicyTests {
    @Test func `renews a bearer once for all requests that were rejected with it`() throws {
        var play = DispatchPlay(count: 10)
        let end = try play.run { request, attempt in
            request < 4 && attempt == 1 ? .unauthorized(reason: "401") : Self.taken
        }
        #expect(end == .complete)
        #expect(play.refreshes == 1)
        #expect(play.sent.count == 14)
    }

    @Test func `releases nothing while the bearer is renewed`() {
        var machine = machine(0..<3, .skipping)
        _ = machine.commit(.begin, now: .zero)
        let refused = Judgement.unauthorized(reason: "401")
        #expect(machine.commit(.judged(request: 0, refused), now: .zero) == [])
        #expect(machine.commit(.judged(request: 1, refused), now: .zero) == [])
        #expect(
            machine.commit(.judged(request: 2, Self.taken), now: .zero) == [
                .record(
                    [
                        RequestOutcome(index: 2, outcome: .accepted),
                        RequestOutcome(index: 1, outcome: .returned),
                        RequestOutcome(index: 0, outcome: .returned),
                    ],
                    released: nil
                ),
                .refresh,
            ]
        )
        #expect(machine.commit(.woke, now: .zero) == [])
        #expect(
            machine.commit(.refreshed, now: .zero) == [
                .record(
                    [
                        RequestOutcome(index: 0, outcome: .intended),
                        RequestOutcome(index: 1, outcome: .intended),
                    ],
                    released: 3
                ),
                .send([0, 1]),
            ]
        )
    }

    @Test func `ends the run if the bearer cannot be renewed`() throws {
        var play = DispatchPlay(count: 10)
        let end = try play.run(
            refreshing: { .notRefreshed(reason: "no token") },
            { _, _ in .unauthorized(reason: "401") }
        )
        #expect(end == .refused(reason: "no token"))
        #expect(play.outcomes(.returned).count == 8)
    }

    @Test func `renews a bearer again if it expires after it was accepted`() throws {
        var play = DispatchPlay(count: 10, open: 1)
        let end = try play.run { request, attempt in
            [2, 7].contains(request) && attempt == 1 ? .unauthorized(reason: "401") : Self.taken
        }
        #expect(end == .complete)
        #expect(play.refreshes == 2)
    }
}

// MARK: - Stopping at unknown outcomes, and pauses by users

extension DispatchPolicyTests {
    @Test func `stops a list at the first unknown outcome if the policy requires it`() throws {
        var play = DispatchPlay(policy: .stopping, count: 100)
        let end = try play.run { request, _ in
            request == 1 ? .unknown(reason: "timed out") : Self.taken
        }
        #expect(end == .unsettled)
        #expect(play.outcomes(.unknown) == [1])
        #expect(play.outcomes(.accepted).count < 8)
    }

    @Test func `a pause waits for open requests and takes the rest back`() {
        var machine = machine(0..<6, .skipping)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(.paused, now: .zero) == [])
        for request in 0..<3 {
            #expect(machine.commit(.judged(request: request, Self.taken), now: .zero) == [])
        }
        #expect(
            machine.commit(.judged(request: 3, Self.taken), now: .zero) == [
                .record(
                    (0..<4).map { RequestOutcome(index: $0, outcome: .accepted) } + [
                        RequestOutcome(index: 4, outcome: .returned),
                        RequestOutcome(index: 5, outcome: .returned),
                    ],
                    released: nil
                ),
                .finish(.paused),
            ]
        )
    }

    @Test func `a pause during the last requests completes the occurrence`() {
        var machine = machine(0..<2, .skipping)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(.paused, now: .zero) == [])
        #expect(machine.commit(.judged(request: 0, Self.taken), now: .zero) == [])
        let commands = machine.commit(.judged(request: 1, Self.taken), now: .zero)
        #expect(commands.last == .finish(.complete))
    }
}
