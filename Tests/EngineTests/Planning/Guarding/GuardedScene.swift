import CampaignModel
import Planning
import RegistrationLists
import State
import StoreConformance
import Testing

/// The input of guards, which a test changes step by step.
struct GuardSettings {
    var limits = EnvironmentSettings.standard.guards
    var isProtected = false
    var projectID: String?
    var foreignServer: String?
    var hasFixedClock = false
    var bypassed: Set<Guard> = []
    var application: GuardedApplication?

    var basis: GuardBasis {
        GuardBasis(
            limits: limits,
            isProtected: isProtected,
            projectID: projectID,
            foreignServer: foreignServer,
            hasFixedClock: hasFixedClock,
            bypassed: bypassed,
            application: application
        )
    }
}

/// Makes plans with guards, and returns the guards' outcomes.
struct GuardedScene {
    let scene: PlanScene
    var settings = GuardSettings()

    init() throws {
        scene = try PlanScene()
    }

    /// Sets the limits under `guard:` in the environment.
    mutating func limit(
        recipients: Int? = nil,
        change: String? = nil,
        sends: Int? = nil,
        needsReview: Bool = false,
        allowsTest: Bool = false
    ) {
        settings.limits = Guards(
            maximumRecipients: recipients,
            maximumChange: change.flatMap(Percentage.init),
            quietHours: nil,
            cap: nil,
            requiresReviewedPlan: needsReview,
            maximumSends: sends,
            allowsTest: allowsTest
        )
    }

    func plan(
        _ campaigns: [Campaign] = [],
        audiences: [Audience] = [],
        removals: [AudienceRemoval] = [],
        topics: [Topic: TopicDescription] = [:]
    ) async throws -> Plan {
        try await scene.plan(
            campaigns,
            audiences: audiences,
            removals: removals,
            topics: topics,
            guards: settings.basis
        )
    }

    /// Returns a registry's topics by name and declared reach; `beta` is `test: true`.
    func topics(_ reaches: [String: Int?]) throws -> [Topic: TopicDescription] {
        var topics: [Topic: TopicDescription] = [:]
        for (name, reach) in reaches {
            topics[try scene.topic(name)] = TopicDescription(
                about: nil,
                reach: reach,
                isTest: name == "beta"
            )
        }
        return topics
    }

    /// Returns a campaign that acknowledges a reach, or a number of registrations that its list
    /// loses.
    func campaign(
        _ name: String = "sale",
        to target: AudienceTarget? = nil,
        audience: String? = nil,
        acknowledging reach: Int? = nil,
        losing change: Int? = nil,
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        let plain = try scene.campaign(name, to: target, schedule: schedule)
        return Campaign(
            id: plain.id,
            about: nil,
            owner: nil,
            target: plain.target,
            audience: try audience.map { try #require(AudienceID($0)) },
            content: plain.content,
            delivery: plain.delivery,
            schedule: schedule,
            policy: SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: (reach ?? change).map { _ in
                    Acknowledgement(reach: reach, dead: nil, change: change, reason: "wanted")
                },
                holdOut: nil
            )
        )
    }

    /// Returns a list file with registrations by number.
    func list(_ range: Range<Int>) throws -> RegistrationList { try scene.file(range) }

    /// Records joined members.
    func joined(_ range: Range<Int>, audience: String = "all", topic: String = "news") async throws
    {
        try await scene.joining(Array(range), audience: audience, topic: topic)
        let scope = try StoreFixtures.scope(audience, topic)
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members(Array(range))),
            in: scope
        )
    }
}

extension GuardOutcome {
    static func refused(
        _ guard: Guard,
        _ subject: GuardSubject?,
        _ refusal: GuardRefusal
    ) -> GuardOutcome {
        GuardOutcome(`guard`, subject: subject, verdict: .refused(refusal))
    }
}
