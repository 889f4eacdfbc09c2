import CampaignModel
import RateControl
import State
import Testing
import Time

@testable import Planning

/// Tests the verdicts on objectives, at the standard pace with answers after 100 ms: 250 requests
/// at once, then 1,000 per second, rising to 9,900 per second within 60 seconds (327,000 requests).
struct PlannedObjectiveTests {
    private func estimate(
        _ recipients: Int?,
        within text: String = "90% in 2m",
        accepted: Int = 0,
        isFanOut: Bool = false,
        delay: Duration = .zero,
        sent: Int = 0,
        unknown: Int = 4_000,
        roundTrip: Duration? = nil
    ) throws -> PlannedObjective? {
        ObjectiveEstimate(
            objective: try #require(Objective(text)),
            recipients: recipients,
            accepted: accepted,
            isFanOut: isFanOut,
            delay: delay,
            sent: sent
        ).planned(
            try #require(CampaignID("sale")),
            PlannedTraffic(
                pace: .standard,
                open: OpenLimit(unknown: unknown),
                measurements: roundTrip.map {
                    [TrafficMeasurement(of: .sends, roundTrip: $0, rate: 0, at: PlanScene.now)]
                } ?? [],
                now: PlanScene.now
            )
        )
    }

    @Test func `a list is reachable if the pace sends the share in time`() throws {
        // 900,000 requests: 60 s + (900,000 - 250 - 327,000) / 9,900 = 117.85 s, and an answer.
        let planned = try #require(try estimate(1_000_000))
        #expect(planned.verdict == .reachable)
        #expect(planned.predicted == planned.asList)
        let predicted = try #require(planned.predicted)
        #expect(predicted > .milliseconds(117_950) && predicted < .milliseconds(117_960))
        #expect(planned.need == nil)
        #expect(try estimate(1_000_000, within: "90% in 118s")?.verdict == .reachable)
        #expect(try estimate(1_000_000, within: "90% in 117s")?.verdict == .unreachable)
    }

    @Test func `an unreachable list names the pace that it needs`() throws {
        // 1,800,000 requests take 208.86 s. At a peak of P per second, P / 40 leave at once and 33 P
        // in the first minute, so that 119.9 s need P of at least 19,370: 1,174,000 per minute.
        let planned = try #require(try estimate(2_000_000))
        #expect(planned.verdict == .unreachable)
        let predicted = try #require(planned.predicted)
        #expect(predicted > .milliseconds(208_860) && predicted < .milliseconds(208_870))
        #expect(planned.need == .settings(sendsPerMinute: 1_200_000, maximumUnknown: nil))
        // A fan-out of 10,000 per second.
        #expect(planned.asTopic == .milliseconds(180_100))
    }

    @Test func `an unreachable list names the max_unknown that it needs`() throws {
        // 350 of 400 may be open: 3,500 per second. 119.9 s need 9,569 per second, so 957 of 1,093.
        let planned = try #require(try estimate(1_000_000, unknown: 400))
        #expect(planned.verdict == .unreachable)
        #expect(planned.need == .settings(sendsPerMinute: nil, maximumUnknown: 1_100))
    }

    @Test func `a later list is sent at the rate that earlier sends have reached`() throws {
        // 300,000 requests take 57.19 s, and 570,000 take 60 s + (570,000 - 327,250) / 9,900 =
        // 84.52 s. Alone, 270,000 take 53.94 s.
        let planned = try #require(try estimate(300_000, within: "90% in 28s", sent: 300_000))
        #expect(planned.verdict == .reachable)
        let predicted = try #require(planned.predicted)
        #expect(predicted > .milliseconds(27_431) && predicted < .milliseconds(27_433))
        // At a peak of 14,655 per second, 300,000 take 45.97 s and 570,000 take 65.87 s.
        let quick = try #require(try estimate(300_000, within: "90% in 20s", sent: 300_000))
        #expect(quick.need == .settings(sendsPerMinute: 890_000, maximumUnknown: nil))
    }

    @Test func `names nothing if no allowed pace is enough`() throws {
        let planned = try #require(try estimate(1_000_000_000_000))
        #expect(planned.need == .settings(sendsPerMinute: nil, maximumUnknown: nil))
    }

    @Test func `a topic takes its share of the reach at the fan-out rate`() throws {
        // 900,000 devices at 10,000 per second, and an answer.
        let planned = try #require(try estimate(1_000_000, isFanOut: true))
        #expect(planned.verdict == .reachable)
        #expect(planned.predicted == .milliseconds(90_100))
        // 2,700,000 in 119.9 s.
        let large = try #require(try estimate(3_000_000, isFanOut: true))
        #expect(large.verdict == .unreachable)
        #expect(large.predicted == .milliseconds(270_100))
        #expect(large.need == .fanOutRate(22_519))
    }

    @Test func `the delay counts, and only an earlier start helps if it is too long`() throws {
        let late = try #require(try estimate(1_000_000, isFanOut: true, delay: .seconds(30)))
        #expect(late.verdict == .unreachable)
        #expect(late.predicted == .milliseconds(120_100))
        // 900,000 in 89.9 s.
        #expect(late.need == .fanOutRate(10_012))
        for isFanOut in [false, true] {
            let planned = try #require(try estimate(10, isFanOut: isFanOut, delay: .seconds(120)))
            #expect(planned.verdict == .unreachable)
            #expect(planned.need == .earlierStart)
        }
    }

    @Test func `no earlier start helps if an answer takes as long as the objective`() throws {
        for (roundTrip, delay) in [(1_000, 0), (1_200, 0), (1_200, 30)] {
            for isFanOut in [false, true] {
                let planned = try #require(
                    try estimate(
                        1_000_000,
                        within: "90% in 1s",
                        isFanOut: isFanOut,
                        delay: .seconds(delay),
                        roundTrip: .milliseconds(roundTrip)
                    )
                )
                #expect(planned.need == .moreTime(roundTrip: .milliseconds(roundTrip)))
            }
        }
        let planned = try #require(
            try estimate(10, within: "90% in 1s", delay: .seconds(1), roundTrip: .milliseconds(999))
        )
        #expect(planned.need == .earlierStart)
    }

    @Test func `only the missing part of the share is needed`() throws {
        #expect(try estimate(100, accepted: 89)?.verdict == .reachable)
        #expect(try estimate(100, accepted: 90) == nil)
    }

    @Test func `an unknown verdict outweighs a reachable one, but no unreachable one`() throws {
        let unknown = try #require(try estimate(nil))
        let quick = try #require(try estimate(10))
        let slow = try #require(try estimate(1_000_000))
        let missed = try #require(try estimate(2_000_000))
        let order = [quick, slow, unknown, missed]
        for (place, one) in order.enumerated() {
            #expect(order.map { one.isWorse(than: $0) } == (0..<4).map { $0 < place })
        }
    }

    @Test func `unknown recipients are not predictable`() throws {
        let planned = try #require(try estimate(nil))
        #expect(planned.verdict == .unknown)
        #expect(planned.predicted == nil)
        #expect(planned.need == nil)
    }
}
