import CampaignModel
import Planning
import RegistrationLists
import State
import Testing
import Time

struct ChangeGuardTests {
    private var scene: GuardedScene

    init() throws {
        scene = try GuardedScene()
        scene.limit(change: "30%")
    }

    private func all(_ topic: String? = "news") throws -> GuardSubject {
        .audience(try #require(AudienceID("all")), try topic.map(scene.scene.topic))
    }

    private func guards(
        _ list: Range<Int>,
        in topics: [String] = ["news"]
    ) async throws -> [GuardOutcome] {
        let audience = try scene.scene.audience(scene.list(list), in: topics)
        return try await scene.plan(audiences: [audience]).guards
    }

    // MARK: - Memberships

    @Test(
        arguments: [
            (10, 0..<13, 0, 0), (10, 0..<14, 4, 0), (10, 3..<10, 0, 0), (10, 4..<10, 0, 4),
            (10, 2..<12, 2, 2), (10, 1..<11, 0, 0), (10, 1..<12, 0, 0), (9, 0..<18, 0, 0),
            (1_000, 0..<1_300, 0, 0), (1_000, 0..<1_301, 301, 0),
        ] as [(Int, Range<Int>, Int, Int)]
    )
    func `limits the share of joins and leaves if there are at least 10 members`(
        members: Int,
        list: Range<Int>,
        joins: Int,
        leaves: Int
    ) async throws {
        try await scene.joined(0..<members)
        let expected: [GuardOutcome] =
            joins + leaves == 0
            ? []
            : [
                .refused(
                    .maxChange,
                    try all(),
                    .tooMuchChange(
                        joins: joins,
                        leaves: leaves,
                        members: members,
                        maximum: try #require(Percentage("30%"))
                    )
                )
            ]
        #expect(try await guards(list) == expected)
    }

    @Test(arguments: [("33.33%", 1), ("33.34%", 0)])
    func `is exact to a hundredth of a percent`(maximum: String, refused: Int) async throws {
        var scene = scene
        scene.limit(change: maximum)
        try await scene.joined(0..<12)
        let audience = try scene.scene.audience(scene.list(4..<12))
        #expect(try await scene.plan(audiences: [audience]).refusals.count == refused)
    }

    @Test func `a new membership is not a change`() async throws {
        #expect(try await guards(0..<100) == [])
        try await scene.joined(0..<100)
        #expect(try await guards(0..<100, in: ["news", "sport"]) == [])
    }

    @Test func `all members leave a topic that is no longer subscribed`() async throws {
        try await scene.joined(0..<10)
        #expect(try await guards(0..<10, in: []).map(\.subject) == [all()])
    }

    @Test func `all members of a removed audience leave`() async throws {
        try await scene.joined(0..<10)
        let removal = try scene.scene.removal(.unsubscribe)
        #expect(try await scene.plan(removals: [removal]).refusals.map(\.guard) == [.maxChange])
        let forgetting = try scene.scene.removal(.forget)
        #expect(try await scene.plan(removals: [forgetting]).guards == [])
    }

    @Test(arguments: [(nil, false), (3, false), (4, true), (400, true)] as [(Int?, Bool)])
    func `an audience acknowledges a number of joins and leaves`(
        acknowledged: Int?,
        passes: Bool
    ) async throws {
        try await scene.joined(0..<10)
        let audience = try scene.scene.audience(
            scene.list(2..<12),
            acknowledging: acknowledged
        )
        let refusal = GuardRefusal.tooMuchChange(
            joins: 2,
            leaves: 2,
            members: 10,
            maximum: try #require(Percentage("30%"))
        )
        let plan = try await scene.plan(audiences: [audience])
        #expect(
            plan.guards.map(\.verdict)
                == [passes ? .acknowledged(refusal, reason: "wanted") : .refused(refusal)]
        )
        #expect(plan.refusals.isEmpty == passes)
    }

    @Test(arguments: [(9, 1), (10, 0)])
    func `a removal acknowledges a number of leaves from each topic`(
        acknowledged: Int,
        refused: Int
    ) async throws {
        for topic in ["news", "sport"] { try await scene.joined(0..<10, topic: topic) }
        let removal = try scene.scene.removal(.unsubscribe, acknowledging: acknowledged)
        let plan = try await scene.plan(removals: [removal])
        #expect(plan.guards.map(\.guard) == [.maxChange, .maxChange])
        #expect(plan.refusals.count == refused * 2)
    }

    @Test func `an acknowledgement in the files changes the digest of the plan`() async throws {
        try await scene.joined(0..<10)
        func digest(_ acknowledged: Int?) async throws -> PlanDigest {
            let removal = try scene.scene.removal(.unsubscribe, acknowledging: acknowledged)
            return try await scene.plan(removals: [removal]).digest
        }
        #expect(try await digest(nil) == digest(9))
        #expect(try await digest(nil) != digest(10))
    }

    @Test func `an allowed change continues after an interruption`() async throws {
        let audience = try scene.scene.audience(scene.list(0..<40))
        try await scene.scene.remember(try await scene.plan(audiences: [audience]))
        try await scene.joined(0..<10)
        let rest = try await scene.plan(audiences: [audience])
        #expect(rest.memberships.map(\.joins.count) == [30])
        #expect(rest.guards == [])
        #expect(try await guards(0..<41).map(\.guard) == [.maxChange])
    }

    @Test func `a list counts as shorter even if another audience keeps its members`() async throws
    {
        try await scene.joined(0..<10)
        try await scene.joined(0..<10, audience: "others")
        let others = try scene.scene.audience(
            scene.scene.inline(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
            named: "others"
        )
        func outcomes(_ list: Range<Int>) async throws -> [GuardOutcome] {
            let audience = try scene.scene.audience(scene.list(list))
            return try await scene.plan(audiences: [audience, others]).guards
        }
        #expect(try await outcomes(3..<10) == [])
        let maximum = try #require(Percentage("30%"))
        #expect(
            try await outcomes(4..<10) == [
                .refused(.shrunkList, all(), .shrunkList(from: 10, to: 6, maximum: maximum))
            ]
        )
        let known = try scene.scene.audience(scene.list(4..<10), acknowledging: 4)
        #expect(
            try await scene.plan(audiences: [known, others]).guards.map(\.verdict) == [
                .acknowledged(.shrunkList(from: 10, to: 6, maximum: maximum), reason: "wanted")
            ]
        )
    }

    /// Joins of dead registrations are refused, so they are recorded but not managed.
    @Test func `an audience acknowledges that dead registrations left its list`() async throws {
        try await scene.joined(0..<3)
        try await scene.scene.keep(3, 4, 5, 6, 7, 8, 9, as: .refused)
        func refusals(_ acknowledged: Int?) async throws -> [Guard] {
            let audience = try scene.scene.audience(
                scene.list(0..<3),
                acknowledging: acknowledged
            )
            return try await scene.plan(audiences: [audience]).refusals.map(\.guard)
        }
        #expect(try await refusals(nil) == [.shrunkList])
        #expect(try await refusals(6) == [.shrunkList])
        #expect(try await refusals(7) == [])
    }

    // MARK: - Campaigns with lists

    @Test(arguments: [(7, 0), (6, 1)])
    func `compares a campaign's list with that of its last send`(
        left: Int,
        refused: Int
    ) async throws {
        let audience = try scene.scene.audience(scene.list(0..<10), in: nil)
        let first = try scene.campaign(to: .registrations(audience.list), audience: "all")
        try await scene.scene.remember(try await scene.plan([first], audiences: [audience]))
        _ = try scene.list(0..<left)
        let plan = try await scene.plan([first], audiences: [audience])
        #expect(plan.sends.count == 1)
        #expect(plan.refusals.map(\.guard) == Array(repeating: .shrunkList, count: refused))
    }

    @Test(
        arguments: [
            (nil, nil, true), (3, nil, true), (4, nil, false), (nil, 3, true), (nil, 4, false),
            (3, 4, false),
        ] as [(Int?, Int?, Bool)]
    )
    func `a campaign or its audience acknowledges a shorter list`(
        campaign: Int?,
        audience: Int?,
        isRefused: Bool
    ) async throws {
        let old = try scene.scene.audience(scene.list(0..<10), in: nil)
        let first = try scene.campaign(to: .registrations(old.list), audience: "all")
        try await scene.scene.remember(try await scene.plan([first], audiences: [old]))
        let shorter = try scene.scene.audience(
            scene.list(0..<6),
            in: nil,
            acknowledging: audience
        )
        let again = try scene.campaign(
            to: .registrations(shorter.list),
            audience: "all",
            losing: campaign
        )
        let plan = try await scene.plan([again], audiences: [shorter])
        #expect(plan.guards.map(\.guard) == [.shrunkList])
        #expect(plan.refusals.isEmpty != isRefused)
    }

    @Test func `a different list does not count as a shorter one`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.list(0..<20)))
        try await scene.scene.remember(try await scene.plan([campaign]))
        let other = try scene.campaign(to: .registrations(scene.scene.inline(0, 1)))
        #expect(try await scene.plan([other]).guards == [])
    }

    // MARK: - Scheduled campaigns

    private func scheduled(_ range: Range<Int>) throws -> [Campaign] {
        try range.map {
            try scene.campaign("c\($0)", schedule: .at(PlanScene.moment(3_600)))
        }
    }

    @Test(
        arguments: [(10, 3, nil), (10, 4, 4), (9, 9, nil), (20, 6, nil), (20, 7, 7)]
            as [(Int, Int, Int?)]
    )
    func `limits the share of cancelled sends if there are at least 10 campaigns`(
        count: Int,
        gone: Int,
        refused: Int?
    ) async throws {
        var scene = scene
        scene.limit()
        try await scene.scene.remember(try await scene.plan(scheduled(0..<count)))
        let plan = try await scene.plan(scheduled(gone..<count))
        let maximum = try #require(Percentage("30%"))
        #expect(
            plan.guards
                == (refused.map {
                    [
                        .refused(
                            .maxCancellations,
                            nil,
                            .tooManyCancelled($0, scheduled: count, maximum: maximum)
                        )
                    ]
                } ?? [])
        )
    }

    @Test func `max_change sets the share of sends that may be cancelled`() async throws {
        var scene = scene
        scene.limit(change: "50%")
        try await scene.scene.remember(try await scene.plan(scheduled(0..<10)))
        #expect(try await scene.plan(scheduled(5..<10)).refusals == [])
        #expect(
            try await scene.plan(scheduled(6..<10)).refusals.map(\.guard) == [.maxCancellations]
        )
    }

    @Test func `rescheduled sends do not count as cancelled`() async throws {
        try await scene.scene.remember(try await scene.plan(scheduled(0..<10)))
        let anew = try scheduled(0..<10).map { campaign in
            Campaign(
                id: campaign.id,
                about: nil,
                owner: nil,
                target: campaign.target,
                audience: nil,
                content: campaign.content,
                delivery: campaign.delivery,
                schedule: campaign.schedule,
                revision: 2
            )
        }
        let plan = try await scene.plan(anew)
        #expect(plan.campaigns.count == 20)
        #expect(plan.guards == [])
    }
}
