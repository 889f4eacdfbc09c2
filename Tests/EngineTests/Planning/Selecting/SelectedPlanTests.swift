import CampaignModel
import Planning
import State
import Testing

struct SelectedPlanTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func only(_ campaigns: [String] = [], _ audiences: [String] = []) throws -> Selection {
        let part = Selection.Part(
            campaigns: Set(try campaigns.map { try #require(CampaignID($0)) }),
            audiences: Set(try audiences.map { try #require(AudienceID($0)) })
        )
        return Selection(only: part, except: Selection.Part())
    }

    @Test func `the plan omits an excluded campaign`() async throws {
        try await scene.remember(
            try await scene.plan([scene.campaign("gone"), scene.campaign("other-gone")])
        )
        let campaigns = try ["a", "b", "c"].map { try scene.campaign($0) }
        let plan = try await scene.plan(campaigns, selection: only(["b", "gone"]))
        #expect(plan.campaigns.map(\.campaign.rawValue) == ["b", "gone"])
        #expect(plan.leftOut == 3)
        #expect(plan.definitionChanges.count == 2)
        #expect(try await scene.plan(campaigns).leftOut == 0)
    }

    @Test func `memberships stay unchanged if their audience is excluded`() async throws {
        try await scene.join(0, 1)
        try await scene.join(0, 1, audience: "others")
        let audiences = [
            try scene.audience(scene.inline(1, 2)),
            try scene.audience(scene.inline(0), named: "others"),
        ]
        let plan = try await scene.plan(audiences: audiences, selection: only([], ["all"]))
        #expect(plan.memberships.map(\.scope.audience.rawValue) == ["all"])
        #expect(try plan.memberships.first?.joins == scene.fingerprints(2))
        #expect(plan.memberships.first?.leaves == [])
        #expect(try plan.memberships.first?.forgotten == scene.fingerprints(0))
    }

    @Test func `memberships without an audience are an error only if they are selected`()
        async throws
    {
        try await scene.join(0)
        await #expect(throws: PlanningError.self) { try await scene.plan() }
        let campaign = try scene.campaign()
        #expect(try await scene.plan([campaign], selection: only(["sale"])).campaigns.count == 1)
        let removal = try scene.removal(.unsubscribe)
        let plan = try await scene.plan([campaign], removals: [removal], selection: only(["sale"]))
        #expect(plan.memberships == [])
    }

    @Test func `a renamed campaign is excluded under both names`() async throws {
        try await scene.remember(try await scene.plan([scene.campaign("old")]))
        let plain = try scene.campaign("new")
        let former = try #require(CampaignID("old"))
        let renamed = Campaign(
            id: plain.id,
            about: nil,
            owner: nil,
            target: plain.target,
            audience: nil,
            content: plain.content,
            delivery: plain.delivery,
            schedule: plain.schedule,
            formerID: former
        )
        let campaigns = [renamed, try scene.campaign("sale")]
        let plan = try await scene.plan(campaigns, selection: only(["sale"]))
        #expect(plan.campaigns.map(\.campaign.rawValue) == ["sale"])
        #expect(plan.leftOut == 1)
        let chosen = try await scene.plan(campaigns, selection: only(["new", "old"]))
        #expect(chosen.campaigns.first?.step == .rename(from: former))
    }

    @Test func `a selection of everything has the digest of the whole plan`() async throws {
        let campaigns = [try scene.campaign("a"), try scene.campaign("b")]
        let whole = try await scene.plan(campaigns)
        #expect(
            try await scene.plan(campaigns, selection: only(["a", "b"])).digest == whole.digest
        )
        #expect(try await scene.plan(campaigns, selection: only(["a"])).digest != whole.digest)
        #expect(
            try await scene.plan([campaigns[0]]).digest
                == scene.plan(campaigns, selection: only(["a"])).digest
        )
    }
}
