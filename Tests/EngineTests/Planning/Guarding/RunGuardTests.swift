import CampaignModel
import Planning
import State
import Testing

struct RunGuardTests {
    private var scene: GuardedScene

    init() throws {
        scene = try GuardedScene()
    }

    private func apply(isReviewed: Bool = false, isConfirmable: Bool = true) -> GuardedApplication {
        GuardedApplication(isReviewed: isReviewed, isConfirmable: isConfirmable)
    }

    // MARK: - Test audiences

    @Test(arguments: [
        ("'beta' in topics", ["beta"]), ("'beta' in topics || 'news' in topics", ["beta"]),
        ("'news' in topics || 'beta' in topics", ["beta"]),
        ("'news' in topics && 'local' in topics && 'beta' in topics", ["beta"]),
        ("'news' in topics", []),
    ])
    func `a protected environment must not address a test topic`(
        text: String,
        names: [String]
    ) async throws {
        var scene = scene
        let topics = try scene.topics(["beta": 3, "news": 40, "local": 8])
        let campaign = try scene.campaign(to: .condition(Condition(parsing: text)))
        #expect(try await scene.plan([campaign], topics: topics).guards == [])
        scene.settings.isProtected = true
        let expected: [GuardOutcome] =
            names.isEmpty
            ? [] : [.refused(.testAudience, .campaign(campaign.id), .testAudience(names))]
        #expect(try await scene.plan([campaign], topics: topics).guards == expected)
        scene.limit(allowsTest: true)
        #expect(try await scene.plan([campaign], topics: topics).guards == [])
    }

    @Test(arguments: [true, false])
    func `a protected environment must not address a test audience`(isTest: Bool) async throws {
        var scene = scene
        scene.settings.isProtected = true
        let list = try scene.scene.inline(0)
        let audience = Audience(
            id: try #require(AudienceID("friends")),
            about: nil,
            list: list,
            subscribe: nil,
            isTest: isTest
        )
        let campaign = try scene.campaign(to: .registrations(list), audience: "friends")
        let plan = try await scene.plan([campaign], audiences: [audience])
        #expect(
            plan.guards.map(\.verdict) == (isTest ? [.refused(.testAudience(["friends"]))] : [])
        )
    }

    @Test(arguments: [true, false])
    func `a protected environment must not address a set with a test audience`(
        isExcluded: Bool
    ) async throws {
        var scene = scene
        scene.settings.isProtected = true
        let friends = Audience(
            id: try #require(AudienceID("friends")),
            about: nil,
            list: try scene.scene.inline(0),
            subscribe: nil,
            isTest: true
        )
        let part = ListSet.Part(friends.id, list: friends.list)
        let all = ListSet.Part(AudienceID("all"), list: try scene.scene.inline(0, 1))
        let set = isExcluded ? ListSet(of: [all], except: [part]) : ListSet(of: [all, part])
        let campaign = try scene.campaign(to: .registrations(.set(set)), audience: "crew")
        let plan = try await scene.plan([campaign], audiences: [friends])
        #expect(
            plan.guards.map(\.verdict)
                == (isExcluded ? [] : [.refused(.testAudience(["friends"]))])
        )
    }

    // MARK: - The run

    @Test(arguments: [(3, 0), (2, 1)])
    func `limits the messages per apply`(maximum: Int, refused: Int) async throws {
        var scene = scene
        scene.limit(sends: maximum)
        let list = AudienceTarget.registrations(try scene.scene.inline(0, 1))
        let plan = try await scene.plan([scene.campaign(), scene.campaign("list", to: list)])
        #expect(
            plan.guards.map(\.verdict)
                == Array(repeating: .refused(.tooManySends(3, maximum: 2)), count: refused)
        )
    }

    @Test func `a state belongs to one project`() async throws {
        var scene = scene
        scene.settings.projectID = "shop-1"
        let first = try await scene.plan([scene.campaign()])
        #expect(first.guards == [])
        try await scene.scene.remember(first)
        #expect(try await scene.scene.store.appliedState().guards.projectID == "shop-1")
        #expect(try await scene.plan([scene.campaign("second")]).guards == [])
        scene.settings.projectID = "shop-2"
        let other = try await scene.plan([scene.campaign("second")])
        let refusal = GuardRefusal.otherProject(recorded: "shop-1", found: "shop-2")
        #expect(other.guards == [.refused(.projectID, nil, refusal)])
        scene.settings.bypassed = [.projectID]
        try await scene.scene.remember(try await scene.plan([scene.campaign("second")]))
        #expect(try await scene.scene.store.appliedState().guards.projectID == "shop-2")
    }

    @Test(arguments: [true, false], [true, false])
    func `a protected environment uses the real clock`(
        isProtected: Bool,
        isFixed: Bool
    ) async throws {
        var scene = scene
        scene.settings.isProtected = isProtected
        scene.settings.hasFixedClock = isFixed
        let plan = try await scene.plan()
        #expect(plan.refusals.map(\.guard) == (isProtected && isFixed ? [.clock] : []))
    }

    @Test func `refuses servers that are neither Google's nor on this machine`() async throws {
        var scene = scene
        let campaign = try scene.campaign()
        scene.settings.foreignServer = "https://fcm.gateway.example"
        let refusal = GuardRefusal.foreignServer("https://fcm.gateway.example")
        #expect(try await scene.plan([campaign]).guards == [.refused(.endpoint, nil, refusal)])
        #expect(try await scene.plan().guards == [])
        scene.settings.bypassed = [.endpoint]
        #expect(try await scene.plan([campaign]).refusals == [])
    }

    @Test func `requires confirmation for an apply, but not for a plan`() async throws {
        var scene = scene
        scene.settings.isProtected = true
        scene.limit(needsReview: true)
        let campaign = try scene.campaign()
        #expect(try await scene.plan([campaign]).guards == [])
        scene.settings.application = apply(isConfirmable: false)
        #expect(
            try await scene.plan([campaign]).guards == [
                .refused(.reviewedPlan, nil, .notReviewed),
                .refused(.protected, nil, .nobodyConfirms),
            ]
        )
        #expect(try await scene.plan().guards == [])
        scene.settings.application = apply(isReviewed: true)
        #expect(try await scene.plan([campaign]).guards == [])
        scene.limit()
        scene.settings.application = apply()
        #expect(try await scene.plan([campaign]).guards == [])
    }

    // MARK: - Review

    @Test func `switched-off guards and guards about the run do not change the digest`()
        async throws
    {
        var scene = scene
        scene.limit(recipients: 10)
        let campaign = try scene.campaign()
        let reviewed = try await scene.plan([campaign])
        #expect(reviewed.refusals.count == 1)
        scene.settings.bypassed = [.maxRecipients]
        scene.settings.isProtected = true
        scene.settings.hasFixedClock = true
        scene.settings.application = apply(isConfirmable: false)
        let applied = try await scene.plan([campaign])
        #expect(applied.guards.count == 3)
        #expect(applied.digest == reviewed.digest)
    }

    @Test func `a guard with another outcome changes the digest`() async throws {
        var scene = scene
        let campaign = try scene.campaign()
        scene.limit(recipients: 10)
        let refused = try await scene.plan([campaign])
        scene.limit()
        #expect(try await scene.plan([campaign]).digest != refused.digest)
    }

    @Test func `options are named after their guards`() {
        #expect(
            Guard.allCases.map(\.option) == [
                "--dangerous-max-recipients", "--dangerous-max-change",
                "--dangerous-max-cancellations", "--dangerous-shrunk-list",
                "--dangerous-test-audience", "--dangerous-max-sends-per-run",
                "--dangerous-project-id", "--dangerous-endpoint", "--dangerous-clock",
                "--dangerous-reviewed-plan",
                "--dangerous-protected",
            ]
        )
    }
}
