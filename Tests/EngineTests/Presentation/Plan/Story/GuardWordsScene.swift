import CampaignModel
import StoreConformance
import Testing

@testable import Planning

/// A plan with every guard, every verdict and every refusal.
///
/// The outcomes are made up, but each of them fits the plan's numbers.
enum GuardWordsScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let all = Array(0..<100)
        try await scene.joining(all, audience: "anglers", topic: "tides")
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members(all)),
            in: StoreFixtures.scope("anglers", "tides")
        )
        let anglers = { (numbers: [Int]) -> Audience in
            let list = RegistrationList.inline(try numbers.map(scene.registration))
            return try scene.audience(list, named: "anglers", in: ["tides"])
        }
        let cancelled = try ["spring", "summer"].map(scene.scheduled)
        let kept = try scene.scheduled("autumn")
        try await scene.remember(
            scene.plan(cancelled + [kept], audiences: [anglers(all)])
        )
        let plan = try await scene.plan(
            [
                scene.campaign("warning"),
                scene.campaign("offer", to: .topic(scene.topic("offers"))),
                scene.campaign("reminder", to: .topic(scene.topic("members"))), trial(scene), kept,
            ],
            audiences: [anglers(Array(0..<60) + [100])],
            topics: [
                scene.topic(): TopicDescription(about: nil, reach: 80_000),
                scene.topic("members"): TopicDescription(about: nil, reach: 60_000),
            ]
        )
        let outcomes = try changes() + sends() + environment()
        return PlanOfActions.plan(
            plan,
            guards: Guard.allCases.flatMap { name in outcomes.filter { $0.guard == name } },
            destination: PlanDestination(
                environment: plan.environment,
                projectID: "tidewatch-test",
                server: .replacement(url: "https://fcm.gateway.example"),
                isProtected: true
            )
        )
    }

    /// A campaign to a test audience of 1,197 registrations.
    private static func trial(_ scene: PlanScene) throws -> Campaign {
        try ReviewedVariations(scene).campaign(
            "trial",
            to: .registrations(scene.file(2_000..<3_197)),
            audience: "beta"
        )
    }

    private static func sends() throws -> [GuardOutcome] {
        func subject(_ name: String) throws -> GuardSubject {
            .campaign(try #require(CampaignID(name)))
        }
        return [
            GuardOutcome(
                .maxRecipients,
                subject: try subject("warning"),
                verdict: .refused(
                    .tooManyRecipients(80_000, maximum: 50_000, acknowledged: 60_000)
                )
            ),
            GuardOutcome(
                .maxRecipients,
                subject: try subject("reminder"),
                verdict: .acknowledged(
                    .tooManyRecipients(60_000, maximum: 50_000, acknowledged: nil),
                    reason: "everyone must know\u{1B}[2J"
                )
            ),
            GuardOutcome(
                .maxRecipients,
                subject: try subject("offer"),
                verdict: .refused(.unknownReach(maximum: 50_000))
            ),
            GuardOutcome(
                .testAudience,
                subject: try subject("trial"),
                verdict: .refused(.testAudience(["beta"]))
            ),
            GuardOutcome(
                .maxSendsPerRun,
                subject: nil,
                verdict: .refused(.tooManySends(1_200, maximum: 1_000))
            ),
        ]
    }

    private static func changes() throws -> [GuardOutcome] {
        let share = try #require(Percentage("30%"))
        return [
            GuardOutcome(
                .maxChange,
                subject: .audience(try #require(AudienceID("anglers")), Topic("tides")),
                verdict: .bypassed(
                    .tooMuchChange(joins: 1, leaves: 40, members: 100, maximum: share)
                )
            ),
            GuardOutcome(
                .maxCancellations,
                subject: nil,
                verdict: .refused(.tooManyCancelled(2, scheduled: 3, maximum: share))
            ),
            GuardOutcome(
                .shrunkList,
                subject: .audience(try #require(AudienceID("beta")), nil),
                verdict: .refused(.shrunkList(from: 4_000, to: 1_197, maximum: share))
            ),
        ]
    }

    private static func environment() -> [GuardOutcome] {
        [
            GuardOutcome(
                .projectID,
                subject: nil,
                verdict: .refused(
                    .otherProject(recorded: "tidewatch-b5ae1", found: "tidewatch-test")
                )
            ),
            GuardOutcome(
                .endpoint,
                subject: nil,
                verdict: .refused(.foreignServer("https://fcm.gateway.example"))
            ),
            GuardOutcome(.clock, subject: nil, verdict: .bypassed(.fixedClock)),
            GuardOutcome(.reviewedPlan, subject: nil, verdict: .refused(.notReviewed)),
            GuardOutcome(.protected, subject: nil, verdict: .refused(.nobodyConfirms)),
        ]
    }
}

extension PlanScene {
    fileprivate func scheduled(_ name: String) throws -> Campaign {
        try campaign(name, title: name, schedule: .at(Self.moment(86_400)))
    }
}
