import CampaignModel
import FCMClient
import Planning
import RateControl
import TestSupport
import Testing

/// Tests the pace of membership changes, in batches and single requests.
struct MembershipPaceTests {
    private func budget(_ perSecond: Int, largest: Int) -> PaceBudget {
        let pace = Pace(sendsPerMinute: 600_000, subscriptionsPerSecond: perSecond, fanOuts: 1)
        return .memberships(pace, largest: largest)
    }

    @Test(.covers("C74"), arguments: [(1, 300), (1_000, 300), (1_000, 3_000)])
    func `uses 98 % of a known quota without refusals`(
        largest: Int,
        quota: Int
    ) {
        var play = MembershipPlay(
            budget(quota, largest: largest),
            .even(perSecond: Double(quota), capacity: Double(quota)),
            latency: 0.004...0.03,
            namesTime: false,
            seed: 1
        )
        play.run(until: 120)
        #expect(play.refused.isEmpty)
        #expect(play.use(from: 60, to: 119) > 0.98)
    }

    @Test(.covers("A13-scale"), arguments: [(1, 200), (1_000, 2_000)], [true, false])
    func `uses 85 % of an unknown quota with 1 % refusals after two minutes`(
        granularity: (largest: Int, quota: Int),
        namesTime: Bool
    ) {
        let (largest, quota) = granularity
        let even = QuotaModel.even(perSecond: Double(quota), capacity: Double(quota))
        for model in [even, .second(limit: quota)] {
            var play = MembershipPlay(
                budget(quota * 3 / 2, largest: largest),
                model,
                latency: 0.004...0.03,
                namesTime: namesTime,
                seed: 1
            )
            play.run(until: 181)
            #expect(play.tooEarly == 0)
            #expect(play.use(from: 120, to: 180) > 0.85, "\(model)")
            #expect(play.refusals(from: 120, to: 180) < 0.01, "\(model)")
        }
    }

    @Test func `a batch is at most the quota of 0.5 s, and of 0.05 s after a refusal`() {
        var machine = PaceMachine(budget(1_000, largest: 1_000), seed: 1)
        // One percent below the quota.
        #expect(machine.take(upTo: 1_000, now: .zero) == 495)
        machine.accepted(495, now: .seconds(1))
        machine.throttled(1, retryAfter: .seconds(1), now: .seconds(1))
        // At most halved: 495 per second, and slightly more after two seconds.
        #expect(machine.take(upTo: 1_000, now: .seconds(3)) == 24)
    }

    @Test func `waits one to two seconds if no time is named, then twice as long`() {
        for seed in 0..<20 as Range<UInt64> {
            var machine = PaceMachine(budget(3_000, largest: 1), seed: seed)
            machine.throttled(1, retryAfter: nil, now: .zero)
            let first = machine.pauseEnd(now: .zero) ?? .zero
            #expect(first >= .seconds(1) && first < .seconds(2))
            machine.throttled(1, retryAfter: nil, now: first)
            let second = (machine.pauseEnd(now: first) ?? .zero) - first
            #expect(second >= .seconds(2) && second < .seconds(4))
        }
    }

    @Test func `measures accepted changes over seconds`() {
        var machine = PaceMachine(budget(3_000, largest: 1), seed: 1)
        // A rise from 1,000 to 2,000 per second.
        for tenth in 0..<310 {
            let now = Duration.milliseconds(tenth * 100)
            machine.accepted(machine.take(upTo: .max, now: now), now: now)
        }
        machine.throttled(1, retryAfter: .seconds(1), now: .seconds(31))
        let taken = (0..<1_000).reduce(0) {
            $0 + machine.take(upTo: .max, now: .milliseconds(32_000 + $1))
        }
        // Nine tenths of the rate 2.5 seconds earlier, 1,939; measured over a minute it would be
        // 1,360.
        #expect((1_690...1_800).contains(taken))
    }

    @Test func `measures accepted changes after the last pause`() {
        var machine = PaceMachine(budget(3_000, largest: 1), seed: 1)
        accept(&machine, upTo: 100, milliseconds: 0..<5_000)
        machine.throttled(1, retryAfter: .seconds(4), now: .seconds(5))
        // 1,000 per second were accepted, so the rate is 900.
        accept(&machine, upTo: .max, milliseconds: 9_000..<11_000)
        machine.throttled(1, retryAfter: .seconds(4), now: .seconds(11))
        let taken = (15_000..<16_000).reduce(0) {
            $0 + machine.take(upTo: .max, now: .milliseconds($1))
        }
        // Nine tenths of the 1,713 accepted in two seconds. With the pause, half of 900 would be
        // left.
        #expect((765...780).contains(taken))
    }

    /// Takes and accepts changes every 100 ms.
    private func accept(
        _ machine: inout PaceMachine,
        upTo count: Int,
        milliseconds: Range<Int>
    ) {
        for millisecond in stride(
            from: milliseconds.lowerBound,
            to: milliseconds.upperBound,
            by: 100
        ) {
            let now = Duration.milliseconds(millisecond)
            machine.accepted(machine.take(upTo: count, now: now), now: now)
        }
    }
}

// MARK: - Refusals before anything was accepted

extension MembershipPaceTests {
    @Test func `doubles the rate every 0.1 s after four refused first requests`() {
        var machine = PaceMachine(budget(3_000, largest: 1), seed: 1)
        // Pauses of 1, 2, 4 and 4 seconds halve the rate four times: 62.5 per second.
        for refusal in [0, 1, 3, 7] {
            #expect(machine.take(upTo: 1, now: .seconds(refusal)) == 1)
            machine.throttled(1, retryAfter: .seconds(1), now: .seconds(refusal))
        }
        #expect(machine.pauseEnd(now: .seconds(7)) == .seconds(11))
        let taken = (1...10).map { tenth in
            let now = Duration.milliseconds(11_000 + 100 * tenth)
            let taken = machine.take(upTo: .max, now: now)
            machine.accepted(taken, now: now)
            return taken
        }
        // The limit becomes 132.5, 262.5, 522.5 and 1,052.5. Then the rise to the peak continues
        // from 1,000 at the end of the pause.
        #expect(taken == [7, 13, 26, 53, 101, 102, 102, 102, 103, 103])
    }

    @Test(arguments: [1, 1_000], [true, false])
    func `four refused first batches delay 3,000 joins by four pauses`(
        largest: Int,
        namesTime: Bool
    ) throws {
        for latency in [0.005, 0.1] {
            var play = MembershipPlay(
                budget(3_000, largest: largest),
                .second(limit: 3_000),
                latency: latency...latency,
                namesTime: namesTime,
                seed: 1
            )
            play.firstRefusals = FirstRefusals(pauses: 4)
            play.run(until: 60)
            #expect(play.tooEarly == 0)
            // At the unreduced rate of 1,000 per second it would be 2 to 3 seconds.
            #expect(try #require(play.time(toAccept: 3_000)) < 4)
            // One request per pause, and the requests under way with it.
            let refused = play.refused.reduce(0) { $0 + $1.count }
            #expect(refused < 1_300)
        }
    }

    @Test(arguments: [true, false])
    func `finds an unknown quota even after four refused first batches`(namesTime: Bool) {
        for model in [QuotaModel.even(perSecond: 2_000, capacity: 2_000), .second(limit: 2_000)] {
            var play = MembershipPlay(
                budget(3_000, largest: 1_000),
                model,
                latency: 0.004...0.03,
                namesTime: namesTime,
                seed: 1
            )
            play.firstRefusals = FirstRefusals(pauses: 4)
            play.run(until: 181)
            #expect(play.tooEarly == 0)
            #expect(play.use(from: 120, to: 180) > 0.85, "\(model)")
            #expect(play.refusals(from: 120, to: 180) < 0.01, "\(model)")
        }
    }
}
