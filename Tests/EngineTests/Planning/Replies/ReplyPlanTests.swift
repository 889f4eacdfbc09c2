import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import Testing
import Time

@Suite(.timeLimit(.minutes(5)))
struct ReplyPlanTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    @Test func `a reply is recorded by an apply, and then unchanged`() async throws {
        let rule = try scene.reply()
        let plan = try await scene.plan(upstream: [rule])
        #expect(plan.campaigns.map(\.step) == [.answer(rule)])
        #expect(plan.hasChanges)
        #expect(plan.sends.isEmpty)
        let part = plan.reviewed.campaigns[try #require(rule.replies)]
        #expect(part?["definition"]?["message"]?["notification"]?["title"] == "Thank you")
        #expect(part?["definition"]?["match"]?["data"]?["action"] == "answer")
        try await scene.remember(plan)
        let later = try await scene.plan(upstream: [rule])
        #expect(!later.hasChanges)
        let definition = try await scene.store.definition(of: try #require(rule.replies))
        let applied = try #require(definition.flatMap { UpstreamRule(replyDefinition: $0.content) })
        #expect(applied.match == rule.match)
        #expect(applied.actions == rule.actions)
    }

    @Test func `another text is a change that the digest covers`() async throws {
        let first = try await scene.plan(upstream: [scene.reply()])
        try await scene.remember(first)
        let other = try scene.reply(saying: "Thanks a lot")
        let plan = try await scene.plan(upstream: [other])
        #expect(plan.campaigns.map(\.step) == [.answer(other)])
        #expect(plan.campaigns.first?.changes.map(\.path) == ["message.notification.title"])
        #expect(plan.digest.hash != first.digest.hash)
    }

    @Test(arguments: [true, false])
    func `a reply that was removed ends`(withRule isGone: Bool) async throws {
        try await scene.remember(scene.plan(upstream: [scene.reply()]))
        let rules = isGone ? [] : [try scene.reply(saying: nil)]
        let plan = try await scene.plan(upstream: rules)
        #expect(plan.campaigns.map(\.step) == [.retire])
        try await scene.remember(plan)
        let id = try #require(CampaignID("thanks"))
        #expect(try await scene.store.definition(of: id) == nil)
    }

    @Test func `replies that wait are notices, and no part of the digest`() async throws {
        let rule = try scene.reply()
        try await scene.remember(scene.plan(upstream: [rule]))
        let id = try #require(rule.replies)
        let waiting = RequestedReplies(
            OccurrenceID(campaign: id, slot: .reply(to: 1, in: "0123456789abcdef"), revision: 1),
            due: PlanScene.now,
            message: [:],
            deduplicationKey: nil,
            list: ListID(text: "aa"),
            registrations: try StoreFixtures.registrations(0..<3)
        )
        let quiet = try await scene.plan(upstream: [rule])
        let plan = try await scene.plan(upstream: [rule], pending: [.reply(waiting)])
        #expect(plan.notices == [.replies(id, count: 3)])
        #expect(!plan.hasChanges)
        #expect(plan.digest.hash == quiet.digest.hash)
    }

    @Test func `a name whose campaign still sends is not taken over`() async throws {
        let sale = try scene.campaign(to: .registrations(scene.inline(0, 1)))
        _ = try await scene.begin(sale)
        let plan = try await scene.plan(upstream: [scene.reply("sale")])
        guard case .cancel? = plan.campaigns.map(\.step).first else {
            Issue.record("\(plan.campaigns.map(\.step))")
            return
        }
        #expect(plan.campaigns.count == 1)
    }

    @Test func `a reply is stored with the environment`() throws {
        let rule = try scene.reply()
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("local")),
            endpoint: .embeddedEmulator,
            settings: .standard
        )
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [:],
            environments: [environment],
            campaigns: [],
            audiences: [],
            devices: [],
            upstream: [rule]
        )
        let stored = AppliedEnvironment(environment, of: project).stored
        let read = try #require(AppliedEnvironment(stored: stored)?.upstream.first)
        #expect(read.actions == rule.actions)
    }
}
