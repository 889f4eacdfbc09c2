import CampaignModel
import JSON
import Planning
import State
import Testing
import Time

/// Tests the content that a reviewer approves; Python's `hashlib` computed the hashes from the text
/// here.
struct ReviewedPlanTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let lineage = "07070707070707070707070707070707"

    @Test func `is compact JSON with sorted members, and the digest is its hash`() async throws {
        let plan = try await scene.plan([try scene.campaign(title: "Hi")])
        let text = """
            {"campaigns":[{"campaign":"sale","definition":{"audience":{"topic":"news"},\
            "message":{"notification":{"title":"Hi"}},"schedule":"at the next apply"},\
            "occurrence":"sale/once/1"}],"environment":"dev","format":1,"guards":[],\
            "lineage":"\(Self.lineage)","memberships":[],"project":"shop","project_id":"emulator"}
            """
        #expect(plan.reviewed.content.compactText == text)
        #expect(plan.digest.description == "e43d1dae86e8a4037979adc8969a403743113de2@0")
        #expect(ReviewedPlan(content: plan.reviewed.content) == plan.reviewed)
    }

    @Test func `contains joins and leaves as counts and hashes`() async throws {
        try await scene.join(2)
        let plan = try await scene.plan(audiences: [try scene.audience(scene.inline(0, 1))])
        let nobody =
            #"{"count":0,"members":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#
        let text = """
            {"audience":"all","forgotten":\(nobody),\
            "joins":{"count":2,"members":"8290eb8da7f4924011724aba06f118ffe4c8f1a5769a790d1e29c63cb5f0207e"},\
            "leaves":{"count":1,"members":"4f9909060c9562516bcfc2fe2713eab38d0860fd3ac5a88075c1a1e723662aa3"},\
            "list":{"count":2,"id":"b79f3861ad47a4dc5d708f351fd64a5545443f0f0909230d817dd0daad3a80ce"},\
            "noted":\(nobody),"rejoin":false,"topic":"news","wanted":true}
            """
        #expect(plan.reviewed.content["memberships"]?.arrayValue?.first?.compactText == text)
    }

    // MARK: Changes without effect on the digest

    @Test(arguments: [600, 3_600, 90_000, 40 * 86_400] as [Int64])
    func `the digest does not depend on the time`(_ seconds: Int64) async throws {
        let at = try scene.campaign("at", schedule: .at(PlanScene.moment(3_000)))
        let life = try scene.campaign(
            "expiring",
            fields: ["notification": ["title": "Hello"]],
            delivery: Delivery(
                timeToLive: nil,
                expires: PlanScene.moment(1_800),
                priority: nil,
                collapse: nil
            )
        )
        let campaigns = [at, life, try scene.rule("0 * * * *"), try scene.campaign()]
        let later = PlanScene.now.advanced(bySeconds: seconds)
        let plan = try await scene.plan(campaigns)
        #expect(try await scene.plan(campaigns, at: later).digest == plan.digest)
        try await scene.remember(plan)
        let hash = try await scene.plan(campaigns).digest.hash
        #expect(try await scene.plan(campaigns, at: later).digest.hash == hash)
    }

    @Test func `the digest ignores the serial, other campaigns and their order`() async throws {
        let (mine, other) = (try scene.campaign("mine"), try scene.rule("0 9 * * *"))
        let digest = try await scene.plan([mine]).digest
        let both = try await scene.plan([mine, other]).digest.hash
        #expect(both != digest.hash)
        #expect(try await scene.plan([other, mine]).digest.hash == both)
        try await scene.remember(try await scene.plan([other]))
        let now = try await scene.plan([other, mine]).digest
        #expect(now.hash == digest.hash)
        #expect(digest.description.hasSuffix("@0") && now.description.hasSuffix("@1"))
    }

    @Test func `the digest ignores the work of earlier runs and pauses`() async throws {
        let begun = try scene.campaign("begun", to: .registrations(scene.inline(0, 1)))
        let nothing = try await scene.plan().digest.hash
        _ = try await scene.begin(begun)
        #expect(try await scene.plan([begun]).digest.hash == nothing)
        let new = try scene.campaign("new")
        let digest = try await scene.plan([begun, new]).digest.hash
        let pause = Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        _ = try await scene.store.pause(pause)
        #expect(try await scene.plan([begun, new]).digest.hash == digest)
    }

    @Test func `an apply during a pause leaves the plan unchanged`() async throws {
        let campaign = try scene.campaign()
        let digest = try await scene.plan([campaign]).digest.hash
        let pause = Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        _ = try await scene.store.pause(pause)
        try await scene.remember(try await scene.plan([campaign]))
        #expect(try await scene.plan([campaign]).digest.hash == digest)
    }

    // MARK: Changes that affect the digest

    @Test func `every field that affects the received messages changes the digest`() async throws {
        let variations = try ReviewedVariations(scene)
        let plain = try await scene.plan([try variations.campaign()]).digest.hash
        #expect(
            try await scene.plan([try variations.campaign(about: "x", owner: "y")]).digest.hash
                == plain
        )
        let named = try variations.all
        var hashes: [String] = []
        for variation in named {
            hashes.append(try await scene.plan([variation.campaign]).digest.hash)
        }
        for (variation, hash) in zip(named, hashes) {
            #expect(hash != plain, "\(variation.name)")
        }
        #expect(Set(hashes).count == hashes.count)
    }

    @Test func `the environment, the service and the state change the digest`() async throws {
        let campaign = try scene.campaign()
        let plain = try await scene.plan([campaign]).digest.hash
        let hashes = [
            plain, try await scene.plan([campaign], environment: "live").digest.hash,
            try await scene.plan([campaign], projectID: "tidewatch-b5ae1").digest.hash,
        ]
        #expect(Set(hashes).count == 3)
        #expect(try await scene.plan([campaign]).reviewed.head.lineage == Self.lineage)
    }

    @Test func `joins, leaves and rejoin change the digest`() async throws {
        let one = try scene.audience(scene.inline(0))
        var plans = [
            try await scene.plan(audiences: [one]),
            try await scene.plan(audiences: [scene.audience(scene.inline(1))]),
            try await scene.plan(audiences: [scene.audience(scene.inline(0, 1))]),
            try await scene.plan(audiences: [scene.audience(scene.inline(1, 0))]),
            try await scene.plan(audiences: [scene.audience(scene.inline(0), in: ["other"])]),
            try await scene.plan(audiences: [scene.audience(scene.inline(0), named: "some")]),
            try await scene.plan(audiences: [scene.audience(scene.inline(0), rejoins: true)]),
        ]
        try await scene.join(2)
        plans.append(try await scene.plan(audiences: [one]))
        try await scene.join(3)
        plans.append(try await scene.plan(audiences: [one]))
        #expect(Set(plans.map(\.digest.hash)).count == plans.count)
    }

    private func topics(_ reaches: [String: Int?]) throws -> [Topic: TopicDescription] {
        var topics: [Topic: TopicDescription] = [:]
        for (name, reach) in reaches {
            topics[try scene.topic(name)] = TopicDescription(about: nil, reach: reach)
        }
        return topics
    }

    @Test func `the declared reach of addressed topics changes the digest`() async throws {
        let condition = try Condition(parsing: "'news' in topics && 'sport' in topics")
        let both = try scene.campaign("both", to: .condition(condition))
        let list = try scene.campaign("list", to: .registrations(scene.inline(0)))
        for campaign in [try scene.campaign(), both] {
            func hash(_ reaches: [String: Int?]) async throws -> String {
                try await scene.plan([campaign], topics: topics(reaches)).digest.hash
            }
            let hashes = [
                try await hash([:]), try await hash(["news": 100]), try await hash(["news": 101]),
            ]
            #expect(Set(hashes).count == 3)
            #expect(try await hash(["news": nil, "other": 7]) == hashes[0])
        }
        let plan = try await scene.plan(
            [both, list],
            topics: topics(["sport": 9, "news": 100, "other": 7])
        )
        let parts = try #require(plan.reviewed.content["campaigns"]?.arrayValue)
        let expected: [JSONValue?] = [["news": 100, "sport": 9], nil]
        #expect(parts.map { $0["reach"] } == expected)
        #expect(ReviewedPlan(content: plan.reviewed.content) == plan.reviewed)
    }

    @Test func `the declared reach of a campaign with nothing to record does not matter`()
        async throws
    {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(3_600)))
        try await scene.remember(try await scene.plan([campaign], topics: topics(["news": 100])))
        let plan = try await scene.plan([campaign], topics: topics(["news": 200]))
        #expect(plan.campaigns.map(\.step) == [.unchanged])
        #expect(plan.reviewed.campaigns.isEmpty)
    }

    /// Python's `hashlib` computed the hashes of the lists and of the fingerprints.
    @Test func `an edited list of an interrupted send changes the digest`() async throws {
        func campaign(_ numbers: Int...) throws -> Campaign {
            let list = RegistrationList.inline(try numbers.map(scene.registration))
            return try ReviewedVariations(scene).campaign(
                to: .registrations(list),
                delivery: Delivery(
                    timeToLive: TimeToLive(seconds: 60),
                    priority: nil,
                    collapse: nil
                )
            )
        }
        let unit = try await scene.begin(campaign(0, 1, 2))
        try await scene.record([.accepted], of: unit)
        let same = try await scene.plan([campaign(0, 1, 2)]).digest.hash
        let plan = try await scene.plan([campaign(0, 1)])
        let text = """
            [{"campaign":"sale","resumed":[{"added":0,\
            "current":"b79f3861ad47a4dc5d708f351fd64a5545443f0f0909230d817dd0daad3a80ce",\
            "occurrence":"sale/once/1","remaining":2,"removed":{"count":1,\
            "members":"4f9909060c9562516bcfc2fe2713eab38d0860fd3ac5a88075c1a1e723662aa3"},\
            "stored":"47a3004f488c4c12556ac2a9ffd03a0333e3d17c4f9c3fa62ae42e7a24a0a669"}]}]
            """
        #expect(plan.reviewed.content["campaigns"]?.compactText == text)
        #expect(plan.reviewed.isEmpty)
        #expect(ReviewedPlan(content: plan.reviewed.content) == plan.reviewed)
        let expired = PlanScene.now.advanced(bySeconds: 61)
        #expect(try await scene.plan([campaign(0, 1)], at: expired).digest == plan.digest)
        let hashes = [
            same, plan.digest.hash, try await scene.plan([campaign(0, 2)]).digest.hash,
            try await scene.plan([campaign(0, 1, 2, 3)]).digest.hash,
            try await scene.plan([campaign(0, 1, 2, 4)]).digest.hash,
        ]
        #expect(Set(hashes).count == hashes.count)
    }

    @Test func `includes removed and renamed campaigns`() async throws {
        try await scene.remember(
            try await scene.plan([try scene.campaign("old"), try scene.rule("0 9 * * *")])
        )
        let gone = try await scene.plan([try scene.rule("0 9 * * *")])
        #expect(
            gone.reviewed.content["campaigns"] == [["campaign": "old", "gone": true]]
        )
        let named = try ReviewedVariations(scene).campaign("new", formerly: "old")
        let renamed = try await scene.plan([named, try scene.rule("0 9 * * *")])
        let part = renamed.reviewed.content["campaigns"]?.arrayValue?.first
        #expect(part?["renamed_from"] == "old" && part?["occurrence"] == "new/once/1")
    }
}
