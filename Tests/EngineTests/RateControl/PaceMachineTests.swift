import CampaignModel
import FCMClient
import Planning
import RateControl
import StoreConformance
import TestSupport
import Testing

struct PaceMachineTests {
    private func machine(_ perSecond: Double, largest: Int = 1) -> PaceMachine {
        PaceMachine(PaceBudget(perSecond: perSecond, largest: largest), seed: 7)
    }

    /// Returns how much may be sent in a period, taken every millisecond.
    private func taken(
        _ machine: inout PaceMachine,
        from start: Int = 0,
        milliseconds: Int
    ) -> Int {
        (start..<start + milliseconds).reduce(0) {
            $0 + machine.take(upTo: .max, now: .milliseconds($1))
        }
    }

    // MARK: - The rise to the peak

    @Test func `starts with the budget of a quarter second at a tenth of the peak`() {
        var machine = machine(20_000)
        // One percent below the quota, a tenth of that, for a quarter second.
        #expect(machine.take(upTo: 10_000, now: .seconds(5)) == 495)
        #expect(machine.take(upTo: 10_000, now: .seconds(5)) == 0)
    }

    @Test func `starts with at least a thousand per second, but never above the peak`() {
        var small = machine(5_000)
        #expect(small.take(upTo: 10_000, now: .zero) == 250)
        var tiny = machine(100)
        #expect(tiny.take(upTo: 10_000, now: .zero) == 24)
    }

    @Test(.covers("F1.7-ramp"))
    func `rises to the peak within a minute, and stays there`() {
        var machine = machine(10_000)
        // The trapezoid between 1,000 and 9,900 per second, and the initial 250.
        #expect(abs(taken(&machine, milliseconds: 60_000) - 327_250) < 1_000)
        let minute = taken(&machine, from: 60_000, milliseconds: 60_000)
        #expect((593_000...594_010).contains(minute))
    }

    @Test func `rises from the start again after an idle minute`() {
        var machine = machine(10_000)
        _ = taken(&machine, milliseconds: 61_000)
        #expect(machine.take(upTo: 100_000, now: .seconds(100)) > 2_000)
        #expect(machine.take(upTo: 100_000, now: .seconds(161)) == 250)
    }

    @Test func `never gives more per minute than the quota`() {
        for rate in [1.0, 10, 600, 3_000] {
            var machine = machine(rate)
            #expect(Double(taken(&machine, milliseconds: 60_000)) <= rate * 60)
        }
    }

    @Test func `sends a whole batch if the quota per second allows it`() {
        var machine = machine(3_000, largest: 1_000)
        #expect(machine.take(upTo: 1_000, now: .zero) == 1_000)
        let next = machine.next(for: 1_000, now: .zero)
        // 1,000 per second at the start.
        #expect(next.map { $0 > .milliseconds(950) && $0 <= .seconds(1) } == true)
        #expect(machine.take(upTo: 1_000, now: .seconds(1)) == 1_000)
        var small = self.machine(500, largest: 1_000)
        // Half a second's quota, less one percent.
        #expect(small.take(upTo: 1_000, now: .zero) == 247)
        #expect(small.next(for: 1_000, now: .zero).map { $0 <= .milliseconds(501) } == true)
    }

    @Test func `allows returned budget to be used`() {
        var machine = machine(100)
        _ = machine.take(upTo: 24, now: .zero)
        machine.giveBack(3)
        #expect(machine.take(upTo: 10, now: .zero) == 3)
    }

    @Test func `releases budget at the predicted time`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let rate = Double.random(in: 0.1...20_000, using: &generator)
            var machine = PaceMachine(PaceBudget(perSecond: rate), seed: generator.next())
            var now = Duration.seconds(Double.random(in: 0...10_000, using: &generator))
            for _ in 0..<5 {
                _ = machine.take(upTo: .max, now: now)
                guard let next = machine.next(for: machine.stroke(now: now), now: now) else {
                    Issue.record("\(rate) per second at \(now): no budget and no time")
                    return
                }
                #expect(next > now)
                now = next
                #expect(machine.take(upTo: 1, now: now) == 1)
            }
        }
    }
}

// MARK: - Refusals

extension PaceMachineTests {
    @Test func `gives nothing before the requested time, regardless of other answers`() {
        var machine = machine(600)
        _ = machine.take(upTo: 64, now: .zero)
        machine.throttled(1, retryAfter: .seconds(30), now: .seconds(1))
        machine.throttled(1, retryAfter: .seconds(5), now: .seconds(2))
        machine.accepted(60, now: .seconds(2))
        machine.failed(retryAfter: nil, now: .seconds(2))
        #expect(machine.take(upTo: 1, now: .milliseconds(30_999)) == 0)
        #expect(machine.pauseEnd(now: .seconds(3)) == .seconds(31))
        #expect(machine.next(for: 1, now: .seconds(3)) == .seconds(31))
        #expect(machine.take(upTo: 1, now: .seconds(31)) == 1)
    }

    @Test func `waits for the time in a server error, and continues without one`() {
        var machine = machine(600)
        machine.failed(retryAfter: nil, now: .zero)
        #expect(machine.take(upTo: 1, now: .zero) == 1)
        machine.failed(retryAfter: .seconds(12), now: .zero)
        #expect(!machine.isRefused)
        #expect(machine.take(upTo: 1, now: .seconds(11)) == 0)
        #expect(machine.take(upTo: 1, now: .seconds(12)) == 1)
    }

    @Test func `waits a minute and up to a tenth more if no time is named`() {
        var ends: Set<Duration> = []
        for seed in 0..<50 as Range<UInt64> {
            var machine = PaceMachine(PaceBudget(perSecond: 600), seed: seed)
            machine.throttled(1, retryAfter: nil, now: .zero)
            if let end = machine.pauseEnd(now: .zero) { ends.insert(end) }
        }
        #expect(ends.count == 50)
        #expect(ends.allSatisfy { $0 >= .seconds(60) && $0 < .seconds(66) })
        #expect(ends.contains { $0 < .seconds(61) } && ends.contains { $0 > .seconds(65) })
    }

    @Test func `lowers the rate to nine tenths of the accepted rate, at most by half`() {
        var machine = machine(1_000)
        // 500 per second are accepted for twenty seconds.
        for tenth in 0..<200 {
            let now = Duration.milliseconds(tenth * 100)
            machine.accepted(machine.take(upTo: 50, now: now), now: now)
        }
        machine.throttled(1, retryAfter: .seconds(1), now: .seconds(20))
        #expect(machine.stroke(now: .seconds(21)) == 2)
        let second = taken(&machine, from: 21_000, milliseconds: 1_000)
        #expect((490...500).contains(second))
    }

    @Test func `a refusal without an accepted request keeps the rate that FCM accepted`() {
        var machine = machine(1_000)
        // 500 per second are accepted for twenty seconds, so the first refusal halves 990.
        for tenth in 0..<200 {
            let now = Duration.milliseconds(tenth * 100)
            machine.accepted(machine.take(upTo: 50, now: now), now: now)
        }
        machine.throttled(1, retryAfter: .seconds(1), now: .seconds(20))
        machine.throttled(1, retryAfter: .seconds(1), now: .seconds(21))
        // The second pause lasts two seconds. Then 247.5 per second, and one that is saved.
        #expect(machine.take(upTo: .max, now: .milliseconds(23_100)) == 25)
        machine.accepted(25, now: .milliseconds(23_100))
        let second = taken(&machine, from: 23_101, milliseconds: 1_000)
        #expect((490...500).contains(second))
    }

    @Test func `four refused first messages do not slow a send down`() {
        var play = PacePlay(
            PaceBudget(perSecond: 10_000),
            .even(perSecond: 10_000, capacity: 10_000),
            open: 64,
            latency: 0.05,
            seed: 5
        )
        play.firstRefusals = FirstRefusals(pauses: 4)
        play.run(until: 30)
        let start = play.accepted.min() ?? 0
        // Pauses of 1, 2, 4 and 8 seconds, and the answers to the refused requests.
        #expect(start > 15 && start < 15.5)
        // 64 open requests and 0.05 s allow 1,280 per second, the pace 1,000 to 1,700. At 62.5 per
        // second it would be less than 400.
        #expect(play.accepted.count { $0 < start + 5 } > 4_500)
    }

    @Test func `refusals during a pause do not lower the rate further`() {
        var one = machine(1_000)
        var many = one
        one.throttled(1, retryAfter: .seconds(2), now: .zero)
        for _ in 0..<60 { many.throttled(1, retryAfter: .seconds(2), now: .zero) }
        #expect(
            taken(&one, from: 2_000, milliseconds: 500)
                == taken(&many, from: 2_000, milliseconds: 500)
        )
    }

    @Test func `finds a raised quota within ten minutes`() {
        var play = PacePlay(
            PaceBudget(perSecond: 100),
            .window(limit: 600),
            open: 4,
            latency: 0.01,
            seed: 3
        )
        play.run(until: 200)
        play.raise(to: .window(limit: 6_000))
        play.run(until: 1_000)
        #expect(play.use(from: 880, to: 1_000) > 0.97)
    }

    @Test func `gives up after twenty refusals in a row`() {
        var machine = machine(600)
        for number in 1...20 {
            #expect(!machine.isRefusedForGood)
            machine.throttled(1, retryAfter: .seconds(1), now: .seconds(number * 31))
        }
        #expect(machine.isRefusedForGood)
        machine.accepted(1, now: .seconds(700))
        #expect(!machine.isRefusedForGood)
    }
}

// MARK: - Quotas

extension PaceMachineTests {
    @Test(
        .covers("F4-project-quota"),
        arguments: [
            QuotaModel.window(limit: 3_600), .even(perSecond: 60, capacity: 60),
            .even(perSecond: 60, capacity: 3_600),
        ]
    )
    func `uses 98 % of a known quota without refusals`(model: QuotaModel) {
        var play = PacePlay(
            PaceBudget(perSecond: model.perSecond),
            model,
            open: 64,
            latency: 0.05,
            seed: 1
        )
        play.run(until: 301)
        #expect(play.refused.isEmpty)
        #expect(play.use(from: 0, to: 300) > 0.98)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `uses 85 % of an unknown quota with 1 % refusals after two minutes`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let rate = Double.random(in: 40...150, using: &generator)
        let latency = Double.random(in: 0.002...0.05, using: &generator)
        let models: [QuotaModel] = [
            .window(limit: Int(rate * 60)), .even(perSecond: rate, capacity: rate),
            .even(perSecond: rate, capacity: rate * 60),
        ]
        for model in models {
            var play = PacePlay(
                PaceBudget(perSecond: rate * .random(in: 1.05...100, using: &generator)),
                model,
                open: Int(rate * latency * 2) + 2,
                latency: latency,
                seed: seed
            )
            play.run(until: 425)
            #expect(play.tooEarly == 0)
            #expect(play.use(from: 120, to: 420) > 0.85, "\(model)")
            #expect(play.refusals(from: 120, to: 420) < 0.01, "\(model)")
        }
    }

    @Test func `sends nothing for a minute if a server names no time`() {
        var play = PacePlay(
            PaceBudget(perSecond: 1_000),
            .even(perSecond: 50, capacity: 50),
            open: 8,
            latency: 0.01,
            seed: 5
        )
        play.namesTime = false
        play.run(until: 900)
        #expect(play.tooEarly == 0)
        #expect(play.refused.count < 100)
    }
}

// MARK: - Sustained rates

extension PaceMachineTests {
    /// Returns a machine that sent and had accepted 1,500 per second for a minute.
    private func sustaining() -> PaceMachine {
        var machine = machine(2_000)
        for second in 0..<70 {
            _ = machine.take(upTo: 1_500, now: .seconds(second))
            machine.accepted(1_500, now: .seconds(second))
        }
        return machine
    }

    @Test func `measures the rate of the last minute`() {
        #expect(sustaining().sustained == 1_500)
        var short = machine(2_000)
        short.accepted(600, now: .seconds(1))
        #expect(short.sustained == 10)
    }

    @Test func `continues at the sustained rate after ten idle minutes, then lower`() {
        var soon = sustaining()
        // A quarter second at 1,500 per second.
        #expect(soon.take(upTo: 10_000, now: .seconds(69 + 600)) == 375)
        var late = sustaining()
        #expect(late.take(upTo: 10_000, now: .seconds(69 + 601)) == 250)
    }

    @Test func `starts at the rate of an earlier run, but never above the peak`() {
        func first(after rate: Double?) -> Int {
            var machine = PaceMachine(PaceBudget(perSecond: 20_000).after(rate), seed: 7)
            return machine.take(upTo: 100_000, now: .zero)
        }
        #expect(first(after: nil) == 495)
        #expect(first(after: 300) == 495)
        #expect(first(after: 8_000) == 2_000)
        #expect(first(after: 90_000) == 4_950)
    }
}

// MARK: - Durations

extension PaceMachineTests {
    @Test(arguments: [1, 250, 251, 10_000, 327_000, 400_000, 2_000_000])
    func `predicts the duration`(count: Int) {
        let budget = PaceBudget.sends(.standard)
        let predicted = PaceMachine.duration(of: count, within: budget)
        var machine = PaceMachine(budget, seed: 1)
        var left = count
        var now = Duration.zero
        while true {
            left -= machine.take(upTo: left, now: now)
            guard left > 0, let next = machine.next(for: machine.stroke(now: now), now: now) else {
                break
            }
            now = next
        }
        #expect(left == 0)
        #expect(abs((now - predicted) / .seconds(1)) < 0.1)
    }

    @Test(arguments: [500, 3_000, 50_000, 400_000], [900.0, 4_000, 20_000])
    func `predicts the duration if open requests limit the rate`(count: Int, limit: Double) {
        let budget = PaceBudget.sends(.standard)
        let predicted = PaceMachine.duration(of: count, within: budget, limit: limit)
        // The same in steps of a millisecond.
        var (left, seconds) = (Double(count) - budget.first, 0.0)
        while left > 0 {
            left -= min(budget.rate(after: seconds), limit) / 1_000
            seconds += 0.001
        }
        #expect(abs(predicted / .seconds(1) - seconds) < 0.1)
    }

    @Test func `sends a hundred at once, and a million in less than two minutes`() {
        let budget = PaceBudget.sends(.standard)
        #expect(PaceMachine.duration(of: 100, within: budget) == .zero)
        // 327,250 in the first minute, then 9,900 per second: 672,750 / 9,900 = 67.95.
        let million = PaceMachine.duration(of: 1_000_000, within: budget)
        #expect(abs(million / .seconds(1) - 127.95) < 0.1)
    }
}
