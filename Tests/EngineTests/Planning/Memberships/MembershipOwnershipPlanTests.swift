import CampaignModel
import Planning
import State
import StoreConformance
import TestSupport
import Testing

/// Tests the owners of subscriptions, and removed audiences.
struct MembershipOwnershipPlanTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func scope(_ audience: String = "all") throws -> MembershipScope {
        try StoreFixtures.scope(audience, "news")
    }

    /// Returns fingerprints in the order of the state.
    private func sorted(_ numbers: Int...) throws -> [Fingerprint] {
        try numbers.flatMap { try scene.fingerprints($0) }.sorted()
    }

    @Test(arguments: [
        (MembershipStatus.joining, true), (.joined, false), (.leaving, true), (.refused, false),
        (.external, false), (.optedOut, false),
    ])
    func `requests only wanted members that need it`(
        status: MembershipStatus,
        joins: Bool
    ) async throws {
        try await scene.keep(0, as: status)
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0))])
        #expect(try plan.memberships.flatMap(\.joins) == (joins ? scene.fingerprints(0) : []))
        #expect(plan.memberships.allSatisfy { $0.leaves.isEmpty && $0.forgotten.isEmpty })
    }

    @Test(arguments: [
        (MembershipStatus.joining, true), (.joined, true), (.leaving, true), (.refused, false),
        (.external, false), (.optedOut, false),
    ])
    func `removes only managed members and forgets the others`(
        status: MembershipStatus,
        leaves: Bool
    ) async throws {
        try await scene.join(1)
        try await scene.keep(0, as: status)
        for audiences in [[try scene.audience(scene.inline(1))], []] {
            let removals = audiences.isEmpty ? [try scene.removal(.unsubscribe)] : []
            let plan = try await scene.plan(audiences: audiences, removals: removals)
            let change = try #require(plan.memberships.first)
            let zero = try scene.fingerprints(0)[0]
            #expect(change.leaves.contains(zero) == leaves)
            #expect(change.forgotten.contains(zero) == !leaves)
        }
    }

    @Test func `reports external and opted-out members`() async throws {
        try await scene.join(0)
        try await scene.keep(1, 2, as: .external)
        try await scene.keep(3, 4, 5, as: .optedOut)
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0, 1, 2, 3, 4, 5))])
        #expect(plan.memberships == [])
        #expect(
            try plan.notices
                == [.externalMembers(scope(), count: 2), .optedOutMembers(scope(), count: 3)]
        )
    }

    @Test func `joins opted-out members again if the audience sets rejoin`() async throws {
        try await scene.keep(0, as: .optedOut)
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0), rejoins: true)])
        #expect(try plan.memberships.map(\.joins) == [scene.fingerprints(0)])
        #expect(plan.memberships.map(\.rejoins) == [true])
        #expect(plan.notices == [])
    }

    @Test func `one audience's record of a registration applies to all audiences`() async throws {
        try await scene.keep(0, as: .external, audience: "more")
        try await scene.keep(1, as: .optedOut, audience: "more")
        try await scene.join(2, audience: "more")
        let more = try scene.audience(scene.inline(0, 1, 2), named: "more")
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0, 1, 2)), more])
        #expect(try plan.memberships.map(\.scope) == [scope()])
        #expect(try plan.memberships[0].joins == scene.fingerprints(2))
        #expect(try plan.memberships[0].noted == sorted(0, 1))
        let rejoining = try await scene.plan(
            audiences: [scene.audience(scene.inline(0, 1, 2), rejoins: true), more]
        )
        #expect(try rejoining.memberships[0].joins == sorted(1, 2))
        #expect(try rejoining.memberships[0].noted == scene.fingerprints(0))
    }

    @Test func `ignores the records of other topics`() async throws {
        try await scene.keep(0, as: .external, audience: "more", topic: "sport")
        let plan = try await scene.plan(audiences: [
            scene.audience(scene.inline(0)),
            scene.audience(scene.inline(0), named: "more", in: ["sport"]),
        ])
        #expect(try plan.memberships.map(\.joins) == [scene.fingerprints(0)])
    }

    @Test func `reports an open leave`() async throws {
        try await scene.join(0, 1)
        _ = try await scene.store.beginLeave(scene.fingerprints(1), in: scope())
        let plan = try await scene.plan(audiences: [scene.audience(scene.inline(0))])
        #expect(
            try plan.notices == [.openLeaves(scope(), count: 1), .mayReturn(scope(), count: 1)]
        )
        #expect(try plan.memberships.map(\.leaves) == [scene.fingerprints(1)])
    }

    @Test(.covers("A16-plan")) func `reports the first use of a topic once`() async throws {
        let both = [
            try scene.audience(scene.inline(0), in: ["news", "sport"]),
            try scene.audience(scene.inline(1), named: "more"),
        ]
        let sport = MembershipScope(audience: both[0].id, topic: try scene.topic("sport"))
        let first = try await scene.plan(audiences: both)
        #expect(try first.notices == [.createsTopic(scope()), .createsTopic(sport)])
        try await scene.join(0)
        #expect(try await scene.plan(audiences: both).notices == [.createsTopic(sport)])
        // Without a join, the apply creates nothing.
        #expect(try await scene.plan(audiences: [scene.audience(scene.inline(0))]).notices == [])
    }

    @Test(.covers("A24")) func `reports that apps may join again after a leave`() async throws {
        try await scene.join(0, 1, 2)
        let fewer = try await scene.plan(audiences: [scene.audience(scene.inline(0))])
        #expect(try fewer.notices == [.mayReturn(scope(), count: 2)])
        let removed = try await scene.plan(removals: [scene.removal(.unsubscribe)])
        #expect(try removed.notices == [.mayReturn(scope(), count: 3)])
        #expect(try await scene.plan(removals: [scene.removal(.forget)]).notices == [])
    }

    // MARK: Removals

    @Test func `a removal with unsubscribe keeps members that another audience wants`() async throws
    {
        try await scene.join(0, 1)
        try await scene.join(1, audience: "more")
        let plan = try await scene.plan(
            audiences: [scene.audience(scene.inline(1), named: "more")],
            removals: [scene.removal(.unsubscribe)]
        )
        #expect(try plan.memberships.map(\.leaves) == [scene.fingerprints(0)])
        #expect(try plan.memberships.map(\.forgotten) == [scene.fingerprints(1)])
    }

    @Test func `a removal with forget makes no request, regardless of status`() async throws {
        try await scene.join(0)
        try await scene.keep(1, as: .leaving)
        try await scene.keep(2, as: .joining)
        try await scene.keep(3, as: .external, topic: "sport")
        let plan = try await scene.plan(removals: [scene.removal(.forget)])
        #expect(plan.memberships.map(\.scope.topic.name) == ["news", "sport"])
        #expect(plan.memberships.allSatisfy { $0.leaves.isEmpty && $0.joins.isEmpty })
        #expect(try plan.memberships[0].forgotten == sorted(0, 1, 2))
        #expect(try plan.memberships[1].forgotten == scene.fingerprints(3))
    }

    @Test func `a removal also covers an audience without subscribe`() async throws {
        try await scene.join(0)
        let plan = try await scene.plan(
            audiences: [scene.audience(scene.inline(0), in: nil)],
            removals: [scene.removal(.unsubscribe)]
        )
        #expect(try plan.memberships.map(\.leaves) == [scene.fingerprints(0)])
    }

    @Test func `a removal without members is complete`() async throws {
        let removal = try scene.removal(.unsubscribe)
        let plan = try await scene.plan(removals: [removal])
        #expect(plan.memberships == [])
        #expect(plan.notices == [.removalIsDone(removal.audience)])
        #expect(!plan.hasChanges)
    }

    // MARK: Findings of a refresh

    @Test func `a plan treats the results of a refresh as if they were recorded`() async throws {
        try await scene.join(0, 1)
        try await scene.keep(2, as: .external)
        try await scene.keep(3, as: .optedOut)
        var findings = MembershipFindings()
        let found = try scene.fingerprints(0, 2, 3)
        findings.add(.leftByHimself, of: found[0], in: try scope())
        findings.add(.externalLeft, of: found[1], in: try scope())
        findings.add(.isBack, of: found[2], in: try scope())
        let plan = try await scene.plan(
            audiences: [scene.audience(scene.inline(0, 1, 2, 3))],
            findings: findings
        )
        #expect(try plan.memberships.map(\.joins) == [scene.fingerprints(2)])
        #expect(
            try plan.notices
                == [.externalMembers(scope(), count: 1), .optedOutMembers(scope(), count: 1)]
        )
        #expect(try await scene.store.memberships(in: scope()).count == 4)
    }
}
