import CampaignModel
import Testing

@testable import Planning

/// A plan with every guard, every verdict and every refusal.
enum GuardWordsScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let plan = try await scene.plan([scene.campaign("warning"), scene.campaign("offer")])
        return PlanOfActions.plan(plan, guards: try outcomes())
    }

    private static func outcomes() throws -> [GuardOutcome] {
        let warning = GuardSubject.campaign(try #require(CampaignID("warning")))
        let offer = GuardSubject.campaign(try #require(CampaignID("offer")))
        let audience = try #require(AudienceID("anglers"))
        let members = GuardSubject.audience(audience, Topic("tides"))
        let share = try #require(Percentage("30%"))
        let many = GuardRefusal.tooManyRecipients(
            80_000,
            maximum: 50_000,
            acknowledged: 60_000
        )
        return [
            GuardOutcome(.maxRecipients, subject: warning, verdict: .refused(many)),
            GuardOutcome(
                .maxRecipients,
                subject: offer,
                verdict: .acknowledged(
                    .tooManyRecipients(60_000, maximum: 50_000, acknowledged: nil),
                    reason: "everyone must know\u{1B}[2J"
                )
            ),
            GuardOutcome(
                .maxRecipients,
                subject: offer,
                verdict: .refused(.unknownReach(maximum: 50_000))
            ),
            GuardOutcome(
                .maxChange,
                subject: members,
                verdict: .bypassed(
                    .tooMuchChange(joins: 1, leaves: 400, members: 1_000, maximum: share)
                )
            ),
            GuardOutcome(
                .maxCancellations,
                subject: nil,
                verdict: .refused(.tooManyCancelled(12, scheduled: 20, maximum: share))
            ),
            GuardOutcome(
                .shrunkList,
                subject: .audience(audience, nil),
                verdict: .refused(.shrunkList(from: 1_200, to: 0, maximum: share))
            ),
            GuardOutcome(
                .testAudience,
                subject: warning,
                verdict: .refused(.testAudience(["beta", "lab"]))
            ),
            GuardOutcome(
                .maxSendsPerRun,
                subject: nil,
                verdict: .refused(.tooManySends(2_000, maximum: 1_000))
            ),
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
