import CampaignModel
import Planning
import RateControl
import Sending
import State
import TestSupport
import Testing

/// Tests how an occurrence uses its run's pace.
struct DispatchPaceTests {
    private static let taken = Judgement.accepted(name: nil)

    private func play(
        perSecond: Double,
        count: Int,
        latency: Duration = .zero,
        expiry: Duration? = nil
    ) -> DispatchPlay {
        DispatchPlay(
            policy: .shown,
            count: count,
            open: 64,
            expiry: expiry,
            pace: PaceMachine(PaceBudget(perSecond: perSecond), seed: 3),
            latency: latency
        )
    }

    @Test func `sends at the pace, even if more requests could be open`() throws {
        var play = play(perSecond: 100, count: 1_000, latency: .milliseconds(20))
        #expect(try play.run { _, _ in Self.taken } == .complete)
        let last = try #require(play.sent.map(\.at).max())
        // 24 immediately, then 99 per second.
        #expect(last > .milliseconds(9_850) && last < .milliseconds(9_900))
        #expect(Set(play.sent.map(\.request)).count == 1_000)
    }

    @Test func `schedules few wake-ups, even for many answers`() throws {
        var play = play(perSecond: 2_000, count: 1_000, latency: .milliseconds(7))
        #expect(try play.run { _, _ in Self.taken } == .complete)
        #expect(play.mostWakes <= 5)
    }

    @Test func `sends nothing between a refusal and the requested time`() throws {
        var play = play(perSecond: 1_000, count: 2_000, latency: .milliseconds(5))
        let end = try play.run { request, attempt in
            request == 900 && attempt == 1
                ? .throttled(reason: "quota", delay: .seconds(40)) : Self.taken
        }
        #expect(end == .complete)
        let refusal = try #require(play.times(of: 900).first) + .milliseconds(5)
        let after = play.sent.map(\.at).filter { $0 > refusal }
        #expect(after.min() == refusal + .seconds(40))
        #expect(play.outcomes(.accepted).count == 2_000)
    }

    /// The message expires after ten seconds.
    @Test(.covers("C51"), arguments: [10, 30])
    func `ends immediately if the message expires before the pause ends`(
        seconds: Int
    ) throws {
        var play = play(perSecond: 1_000, count: 100, expiry: .seconds(10))
        let end = try play.run { _, _ in .throttled(reason: "quota", delay: .seconds(seconds)) }
        #expect(end == .expired)
        #expect(play.sent.allSatisfy { $0.at == .zero })
        #expect(play.outcomes(.returned).count == 100)
    }

    @Test func `waits for a pause that ends before the message expires`() throws {
        var play = play(perSecond: 1_000, count: 10, expiry: .seconds(10))
        let end = try play.run { _, attempt in
            attempt == 1 ? .throttled(reason: "quota", delay: .seconds(9)) : Self.taken
        }
        #expect(end == .complete)
    }

    @Test func `does not wait for a pace that exceeds the message's lifetime`() throws {
        var play = play(perSecond: 0.05, count: 3, expiry: .seconds(10))
        #expect(try play.run { _, _ in Self.taken } == .expired)
        #expect(play.sent.map(\.at) == [.zero])
        #expect(play.outcomes(.returned) == [1, 2])
    }
}
