import CampaignModel
import Foundation
import Planning
import RegistrationLists
import State
import StoreConformance
import TestSupport
import Testing

struct MembershipPlanTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func changes(_ audiences: Audience...) async throws -> [MembershipChange] {
        try await scene.plan(audiences: audiences).memberships
    }

    private func scope(_ audience: String = "all") throws -> MembershipScope {
        try StoreFixtures.scope(audience, "news")
    }

    /// Returns fingerprints in the order of the state.
    private func sorted(_ numbers: Int...) throws -> [Fingerprint] {
        try numbers.flatMap { try scene.fingerprints($0) }.sorted()
    }

    @Test func `all members of a new list join`() async throws {
        let change = try #require(try await changes(scene.audience(scene.inline(0, 3, 1, 2))).first)
        #expect(change.scope == (try scope()))
        #expect(try change.joins == scene.fingerprints(0, 3, 1, 2))
        #expect(change.leaves == [])
        #expect(change.forgotten == [])
    }

    @Test(.covers("M10")) func `only the difference joins and leaves`() async throws {
        try await scene.join(0, 1, 2)
        let change = try #require(try await changes(scene.audience(scene.inline(3, 1))).first)
        #expect(try change.joins == scene.fingerprints(3))
        #expect(try change.leaves == sorted(0, 2))
        #expect(change.forgotten == [])
    }

    @Test func `an unchanged list changes nothing`() async throws {
        try await scene.join(0, 1)
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(1, 0))])
        #expect(plan.memberships == [])
        #expect(!plan.hasChanges)
    }

    @Test func `all members leave a topic without a subscription`() async throws {
        try await scene.join(0, 1)
        let change = try #require(
            try await changes(scene.audience(scene.inline(0, 1), in: [])).first
        )
        #expect(try change.leaves == sorted(0, 1))
        #expect(change.joins == [])
    }

    @Test func `forgets members that another audience wants in the topic`() async throws {
        try await scene.join(0, 1)
        try await scene.join(1, 2, audience: "more")
        let changes = try await changes(
            scene.audience(scene.inline(0)),
            scene.audience(scene.inline(1, 2), named: "more")
        )
        #expect(changes.map(\.scope) == [try scope()])
        #expect(changes[0].leaves == [])
        #expect(try changes[0].forgotten == scene.fingerprints(1))
    }

    @Test func `unsubscribes a member of two audiences once`() async throws {
        try await scene.join(0, 1, 2, 4, 5, 6, 7, 8)
        try await scene.join(0, 1, 2, 3, 4, 5, 6, 7, 8, audience: "more")
        let changes = try await changes(
            scene.audience(scene.inline(0)),
            scene.audience(scene.inline(0), named: "more")
        )
        #expect(changes.map(\.scope) == [try scope(), try scope("more")])
        #expect(try changes[0].leaves == sorted(1, 2, 4, 5, 6, 7, 8))
        #expect(changes[0].forgotten == [])
        #expect(try changes[1].leaves == scene.fingerprints(3))
        #expect(try changes[1].forgotten == sorted(1, 2, 4, 5, 6, 7, 8))
    }

    @Test func `rejected members are reported, and neither joined again nor unsubscribed`()
        async throws
    {
        try await scene.joining([0, 1])
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([0, 1]), .refused("NOT_FOUND")),
            in: scope()
        )
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0, 2))])
        #expect(try plan.memberships.map(\.joins) == [scene.fingerprints(2)])
        #expect(plan.memberships[0].leaves == [])
        #expect(try plan.memberships[0].forgotten == scene.fingerprints(1))
        #expect(plan.notices == [.refusedMembers(try scope(), count: 1)])
    }

    @Test func `repeats changes that a crash interrupted`() async throws {
        try await scene.join(0, 1)
        try await scene.joining([2])
        _ = try await scene.store.beginLeave(scene.fingerprints(0, 1), in: scope())
        let change = try #require(try await changes(scene.audience(scene.inline(1, 2))).first)
        #expect(try change.joins == scene.fingerprints(1, 2))
        #expect(try change.leaves == scene.fingerprints(0))
    }

    @Test func `a joining member that is no longer wanted leaves`() async throws {
        try await scene.join(0)
        try await scene.joining([1])
        let change = try #require(try await changes(scene.audience(scene.inline(0))).first)
        #expect(change.joins == [])
        #expect(try change.leaves == scene.fingerprints(1))
    }

    @Test func `orders topics as written, with removed ones by name at the end`() async throws {
        for topic in ["zoo", "art", "news"] { try await scene.join(0, topic: topic) }
        let changes = try await changes(scene.audience(scene.inline(0, 1), in: ["news", "beer"]))
        #expect(changes.map(\.scope.topic.name) == ["news", "beer", "art", "zoo"])
    }

    @Test func `refuses memberships without an audience`() async throws {
        try await scene.join(0, 1)
        let abandoned = MembershipSummary(
            audience: try scope().audience,
            topic: try scene.topic(),
            counts: [.joined: 2]
        )
        await #expect(throws: PlanningError.abandonedMemberships([abandoned])) {
            try await scene.plan()
        }
        await #expect(throws: PlanningError.abandonedMemberships([abandoned])) {
            try await changes(scene.audience(scene.inline(0, 1), in: nil))
        }
    }
}
