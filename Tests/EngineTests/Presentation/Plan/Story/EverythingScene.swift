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
            campaigns: sample.campaigns + [outlived],
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
            ]
        )
    }
}
