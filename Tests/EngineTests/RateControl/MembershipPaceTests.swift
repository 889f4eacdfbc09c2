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
}
