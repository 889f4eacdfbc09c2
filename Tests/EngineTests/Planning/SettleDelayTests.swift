import CampaignModel
import Planning
import State
import StoreConformance
import Testing
import Time

struct SettlingTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let now = PlanScene.now

    /// The age of the last join's second; clocks with whole seconds may hide one more.
    @Test(arguments: [
        (Int64(0), Int64(60)), (1, 60), (2, 59), (60, 1), (61, 0), (86_400, 0), (-10, 60),
    ])
    func `a send waits for the rest of the settle delay`(ago: Int64, expected: Int64) throws {
        let topic = try scene.topic()
        let settling = SettleDelay(
            length: 60,
            lastJoins: [topic: Self.now.advanced(bySeconds: -ago)]
        )
        #expect(settling.wait(for: [topic], at: Self.now) == expected)
        #expect(settling.wait(for: [], at: Self.now) == 0)
        #expect(try settling.wait(for: [scene.topic("sport")], at: Self.now) == 0)
        #expect(SettleDelay.none.wait(for: [topic], at: Self.now) == 0)
    }

    @Test func `the longest wait of several topics counts`() throws {
        let (news, sport) = (try scene.topic(), try scene.topic("sport"))
        let settling = SettleDelay(
            length: 60,
            lastJoins: [
                news: Self.now.advanced(bySeconds: -50), sport: Self.now.advanced(bySeconds: -21),
            ]
        )
        #expect(settling.wait(for: [news, sport], at: Self.now) == 40)
    }

    @Test func `sends that need not wait come first, and the plan reports the waits`() async throws
    {
        let condition = try Condition(parsing: "'art' in topics || 'news' in topics")
        let plan = try await scene.plan(
            [
                scene.campaign("a", to: .topic(scene.topic("news"))),
                scene.campaign("b", to: .condition(condition)),
                scene.campaign("c", to: .topic(scene.topic("sport"))),
                scene.campaign("d", to: .registrations(scene.inline(0))),
            ],
            audiences: [scene.audience(scene.inline(0))],
            settle: 60
        )
        #expect(plan.sends.map(\.occurrence.campaign.rawValue) == ["c", "d", "a", "b"])
        let waiting = plan.notices.filter { if case .settles = $0 { true } else { false } }
        #expect(
            try waiting == [
                .settles(scene.id("a"), seconds: 60), .settles(scene.id("b"), seconds: 60),
            ]
        )
    }

    @Test func `a join of an earlier run counts, and the plan reports only actual waits`()
        async throws
    {
        let scope = try StoreFixtures.scope("all", "news")
        try await scene.joining([0])
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([0])),
            in: scope,
            at: Self.now.advanced(bySeconds: -11)
        )
        let campaign = try scene.campaign("a", to: .topic(scene.topic("news")))
        let audience = try scene.audience(scene.inline(0))
        let plan = try await scene.plan([campaign], audiences: [audience], settle: 60)
        #expect(try plan.notices.contains(.settles(scene.id("a"), seconds: 50)))
        let ready = try await scene.plan([campaign], audiences: [audience])
        #expect(ready.notices.allSatisfy { if case .settles = $0 { false } else { true } })
    }
}
