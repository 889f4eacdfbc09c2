import CampaignMessages
import CampaignModel
import JSON
import Scheduling
import StoreConformance
import Testing

@testable import Planning

/// A plan with every step and every notice.
enum EverythingScene {
    static func plan() throws -> Plan {
        let sample = try SamplePlan.make()
        let outlived = CampaignAction(
            campaign: try #require(CampaignID("outlived")),
            step: .outlive(try StoreFixtures.occurrence("outlived"), PlanScene.moment(-1_200)),
            definition: nil,
            changes: []
        )
        let unread = UnreadSource(
            source: try #require(ListSourceID("vips")),
            campaigns: [try #require(CampaignID("call"))],
            audiences: [try #require(AudienceID("crew")), try #require(AudienceID("fans"))]
        )
        return try PlanOfActions.plan(
            memberships: sample.memberships,
            campaigns: sample.campaigns.flatMap(continued) + [outlived] + nightly(),
            notices: sample.notices + [
                .unknownFormerName(
                    try #require(CampaignID("later")),
                    try #require(CampaignID("earlier"))
                ),
                .createsTopic(try StoreFixtures.scope("everyone", "news")),
                .mayReturn(try StoreFixtures.scope("everyone", "news"), count: 1),
                .mayReceiveTwice(
                    try #require(CampaignID("new")),
                    [try #require(Topic("news")), try #require(Topic("sport"))],
                    count: 1_200
                ),
                .capped(try StoreFixtures.occurrence("new"), people: 1_204, of: 8_412),
                .exemptFromCap(try #require(CampaignID("later")), reason: "Boats sink."),
                .countedFanOut(try StoreFixtures.occurrence("resumed"), members: 1),
                .rollout(
                    try StoreFixtures.occurrence("new"),
                    PlannedRollout(
                        [
                            PlannedRollout.Stage(.part(.share(.tenPercent)), count: 820),
                            PlannedRollout.Stage(.rest, count: 7_592),
                        ],
                        pause: 1_800
                    )
                ),
            ] + quietHours() + [.unreadSource(unread), .approvals(approvals)],
            unread: [unread]
        )
    }

    private static var approvals: PlannedApprovals {
        let policy = ApprovalPolicy(
            need: 2,
            over: 50_000,
            excludesAuthors: true,
            valid: 86_400,
            signers: "",
            revoked: nil
        )
        return PlannedApprovals(
            inForce: policy,
            declared: policy,
            reason: .reach(120_000, over: 50_000)
        )
    }

    /// Adds what a planner knows about rules that missed slots: the rule, and the send of the last
    /// slot.
    private static func continued(_ action: CampaignAction) throws -> [CampaignAction] {
        switch action.campaign.rawValue {
        case "daily":
            let rule = try PlanScene().rule("0 7 * * *")
            return [CampaignAction(campaign: action.campaign, step: action.step, source: rule)]
        case "minutes":
            let topic = try #require(Topic("news"))
            let send = CampaignAction(
                campaign: action.campaign,
                step: .send(try SamplePlan.send("minutes", to: .topic(topic))),
                audience: .topic(topic, reach: nil)
            )
            return [action, send]
        default: return [action]
        }
    }

    /// Every effect of quiet hours.
    private static func quietHours() throws -> [PlanNotice] {
        let due = PlanScene.moment(54_000)
        let until = PlanScene.moment(83_066)
        let effects = [
            QuietEffect(.moved, due: due, until: until, mayArriveLater: true),
            QuietEffect(.fanOut, due: due, until: until),
            QuietEffect(.overtaken, due: due, until: until),
            QuietEffect(.interrupted, until: until, count: 1_200, mayArriveLater: true),
            QuietEffect(.rest, until: until, count: 1), QuietEffect(.rest, until: until),
            QuietEffect(.expires, due: due, until: until, count: 7),
            QuietEffect(.expires, until: until, count: 7), zones(until: until),
        ]
        let occurrence = try StoreFixtures.occurrence("nightly")
        return effects.map { .quietHours(occurrence, $0) }
    }

    private static func zones(until: ScheduledMoment) -> QuietEffect {
        QuietEffect(
            .zones,
            until: until,
            count: 1_203,
            zones: [
                QuietEffect.Zone(name: "Europe/Lisbon", until: until, count: 1_200),
                QuietEffect.Zone(name: "Europe/London", until: until, count: 3),
            ],
            leftOut: 2
        )
    }

    /// A rule that missed a slot and continues.
    private static func nightly() throws -> [CampaignAction] {
        let campaign = try #require(CampaignID("nightly"))
        let occurrence = try StoreFixtures.occurrence("nightly")
        let due = PlanScene.moment(-3_600).instant
        let missed = MissedSlots(
            occurrences: [MissedSlots.Slot(occurrence: occurrence, due: due)],
            count: 1,
            first: due,
            last: due,
            isFailure: false,
            isSuperseded: false
        )
        let scene = try PlanScene()
        let rule = try ReviewedVariations(scene).campaign(
            "nightly",
            to: .topic(scene.topic()),
            fields: ["notification": ["title": "Good night"]],
            schedule: .repeating(
                RepeatingSchedule(
                    text: "0 7 * * *",
                    pattern: .cron(try CronSchedule(parsing: "0 7 * * *")),
                    zone: "UTC",
                    from: nil,
                    until: nil
                )
            )
        )
        let lowering = DeliveryLowering(rule)
        return [
            CampaignAction(campaign: campaign, step: .miss(missed), source: rule),
            CampaignAction(
                campaign: campaign,
                step: .schedule(occurrence, PlanScene.moment(82_800)),
                audience: .topic(try scene.topic(), reach: nil),
                template: lowering.template.keyed(DeduplicationKey(of: occurrence)),
                source: rule
            ),
        ]
    }
}
