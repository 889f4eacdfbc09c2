import CampaignModel
import JSON
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

/// Tests which sends of a plan get a verdict, and what delays them.
struct PlanObjectivesTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(
        _ reaches: [String: Int?],
        schedule: Schedule = .immediate
    ) async throws -> Plan {
        var topics: [Topic: TopicDescription] = [:]
        var campaigns: [Campaign] = []
        for (name, reach) in reaches.sorted(by: { $0.key < $1.key }) {
            let topic = try scene.topic(name)
            topics[topic] = TopicDescription(about: nil, reach: reach)
            let campaign = try scene.campaign("to-" + name, to: .topic(topic), schedule: schedule)
            campaigns.append(try campaign.aiming(at: "90% in 2m"))
        }
        return try await scene.plan(campaigns, topics: topics)
    }

    @Test func `a late send and the fan-outs before it delay the share`() async throws {
        let plan = try await plan(
            ["a": 500_000, "b": 300_000],
            schedule: .at(PlanScene.moment(-60))
        )
        try #require(plan.objectives.count == 2)
        let (first, second) = (plan.objectives[0], plan.objectives[1])
        #expect(first.delay == .seconds(60))
        // 450,000 at 10,000 per second, and an answer.
        #expect(first.predicted == .milliseconds(105_100))
        #expect(first.verdict == .reachable)
        // The fan-out of the first ends 50 s after its answer; then 270,000 have 9.8 s.
        #expect(second.delay == .milliseconds(110_100))
        #expect(second.predicted == .milliseconds(137_200))
        #expect(second.need == .fanOutRate(27_552))
    }

    @Test func `a campaign without a schedule is due when its send begins`() async throws {
        let plan = try await plan(["a": 500_000, "b": 300_000])
        #expect(plan.objectives.map(\.delay) == [.zero, .zero])
        #expect(plan.objectives.map(\.predicted) == [.milliseconds(45_100), .milliseconds(27_100)])
    }

    @Test func `a later send has a verdict, too`() async throws {
        let plan = try await plan(["a": 500_000, "b": nil], schedule: .at(PlanScene.moment(3_600)))
        #expect(plan.sends.isEmpty)
        #expect(plan.objectives.map(\.verdict) == [.reachable, .unknown])
        #expect(plan.objectives[0].predicted == .milliseconds(45_100))
    }

    @Test func `a list has the number of its registrations as recipients`() async throws {
        let list = try scene.campaign(to: .registrations(scene.file(0..<1_000)))
        let other = try scene.campaign("other")
        let plan = try await scene.plan([list.aiming(at: "90% in 2m"), other])
        try #require(plan.objectives.count == 1)
        #expect(plan.objectives[0].recipients == 1_000)
        #expect(!plan.objectives[0].isFanOut)
    }

    private func zoned(_ zones: [String], within text: String) throws -> Campaign {
        try scene.campaign(
            to: .registrations(ZonedScene(scene).list(zones)),
            fields: ["notification": ["title": "Hello"]],
            schedule: .at(PlanScene.moment(172_800)),
            division: .perZone
        ).aiming(at: text)
    }

    /// 9.9 requests per second, 2.475 of them at once.
    private static let slowPace = Pace(
        sendsPerMinute: 600,
        subscriptionsPerSecond: 3_000,
        fanOuts: 1
    )

    @Test func `of several zones, the verdict is that of the slowest`() async throws {
        let zones =
            Array(repeating: "Asia/Tokyo", count: 20) + Array(repeating: "Europe/Berlin", count: 50)
        func objectives(within text: String) async throws -> [PlannedObjective] {
            let campaign = try zoned(zones + ["UTC"], within: text)
            return try await scene.plan([campaign], pace: Self.slowPace).objectives
        }
        let found = try await objectives(within: "100% in 5s")
        try #require(found.count == 1)
        // 50 in Berlin: (50 - 2.475) / 9.9 = 4.80 s, and an answer. All 71 would need 7.02 s.
        #expect(found[0].recipients == 50)
        #expect(found[0].verdict == .reachable)
        let predicted = try #require(found[0].predicted)
        #expect(predicted > .milliseconds(4_900) && predicted < .milliseconds(4_901))
        #expect(try await objectives(within: "100% in 4s").map(\.verdict) == [.unreachable])
    }

    @Test func `of two lists, the second waits for the first and has no burst`() async throws {
        let list = RegistrationList.inline(try (0..<100).map(scene.registration))
        let campaigns = try ["a", "b"].map { name in
            try scene.campaign(
                name,
                to: .registrations(list),
                schedule: .at(PlanScene.moment(-60))
            ).aiming(at: "90% in 2m")
        }
        let plan = try await scene.plan(campaigns, pace: Self.slowPace)
        try #require(plan.objectives.count == 2)
        let (first, second) = (plan.objectives[0], plan.objectives[1])
        #expect(first.delay == .seconds(60))
        // (90 - 2.475) / 9.9 s, and an answer.
        let alone = try #require(first.asList)
        #expect(alone > .milliseconds(8_940) && alone < .milliseconds(8_941))
        // The first ends after (100 - 2.475) / 9.9 s and an answer.
        #expect(second.delay > .milliseconds(69_950) && second.delay < .milliseconds(69_952))
        // 90 / 9.9 s, and an answer.
        let later = try #require(second.asList)
        #expect(later > .milliseconds(9_190) && later < .milliseconds(9_191))
        #expect(second.predicted == second.delay + later)
    }

    @Test func `a changed objective is a change of the campaign`() async throws {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(3_600)))
        try await scene.remember(try await scene.plan([campaign]))
        let plan = try await scene.plan([campaign.aiming(at: "90% in 2m")])
        #expect(
            plan.campaigns.flatMap(\.changes) == [
                FieldChange(path: "policy", before: nil, after: ["objective": "90% in 2m"])
            ]
        )
        try await scene.remember(plan)
        let due = try await scene.planFromState(after: 3_600)
        #expect(due.sends.map(\.policy.objective) == [Objective("90% in 2m")])
    }
}

extension Campaign {
    /// Returns the same campaign with an objective, and without another policy.
    func aiming(at text: String) throws -> Campaign {
        following(
            SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: nil,
                holdOut: nil,
                objective: try #require(Objective(text))
            )
        )
    }
}
