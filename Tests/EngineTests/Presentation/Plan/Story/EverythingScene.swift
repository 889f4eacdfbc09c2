import CampaignMessages
import CampaignModel
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
        return try PlanOfActions.plan(
            memberships: sample.memberships,
            campaigns: sample.campaigns + [outlived] + nightly(),
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
            ] + quietHours() + [
                .unreadSource(
                    UnreadSource(
                        source: try #require(ListSourceID("vips")),
                        campaigns: [try #require(CampaignID("call"))],
                        audiences: [
                            try #require(AudienceID("crew")), try #require(AudienceID("fans")),
                        ]
                    )
                )
            ]
        )
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
            QuietEffect(.expires, until: until, count: 7),
        ]
        let occurrence = try StoreFixtures.occurrence("nightly")
        return effects.map { .quietHours(occurrence, $0) }
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
        let lowering = DeliveryLowering(try PlanScene().campaign(title: "Good night"))
        return [
            CampaignAction(campaign: campaign, step: .miss(missed)),
            CampaignAction(
                campaign: campaign,
                step: .schedule(occurrence, PlanScene.moment(82_800)),
                audience: .topic(try #require(Topic("news")), reach: nil),
                template: lowering.template.keyed(DeduplicationKey(of: occurrence))
            ),
        ]
    }
}
