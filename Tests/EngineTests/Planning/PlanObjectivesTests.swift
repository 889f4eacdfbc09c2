import CampaignModel
import JSON
import Planning
import Testing
import Time

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
