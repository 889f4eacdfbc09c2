import CampaignModel
import FCMWire
import JSON
import Planning
import State
import TestSupport
import Testing
import Time

struct PlanNoticeTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func notices(_ campaign: Campaign) async throws -> [PlanNotice] {
        try await scene.plan([campaign]).notices
    }

    private func berlin(_ local: String, _ utc: String) throws -> ScheduledMoment {
        ScheduledMoment(
            local: try #require(CivilDateTime(parsing: local)),
            zone: "Europe/Berlin",
            instant: try #require(Instant(rfc3339: utc))
        )
    }

    @Test func `reports a skipped local time`() async throws {
        let moment = try berlin("2027-03-28 02:30", "2027-03-28T01:30:00Z")
        let campaign = try scene.campaign(schedule: .at(moment))
        #expect(
            try await notices(campaign) == [
                .skippedLocalTime(campaign.id, moment, gapSeconds: 3_600)
            ]
        )
    }

    @Test func `reports a repeated local time`() async throws {
        let moment = try berlin("2027-10-31 02:30", "2027-10-31T00:30:00Z")
        let campaign = try scene.campaign(schedule: .at(moment))
        #expect(try await notices(campaign) == [.doubledLocalTime(campaign.id, moment)])
        let plain = try berlin("2027-10-31 03:30", "2027-10-31T02:30:00Z")
        #expect(try await notices(scene.campaign(schedule: .at(plain))) == [])
    }

    @Test(
        .covers("A59-risk"),
        arguments: [
            ("'news' in topics || 'sport' in topics", 2),
            ("'news' in topics && 'sport' in topics", 0),
            ("'news' in topics || 'other' in topics", 0),
            ("('news' in topics || 'sport' in topics) && 'other' in topics", 0),
        ]
    )
    func `counts known registrations that a condition addresses twice`(
        condition: String,
        count: Int
    ) async throws {
        let campaign = try scene.campaign(to: .condition(Condition(parsing: condition)))
        let audiences = [
            try scene.audience(scene.inline(0, 1)),
            try scene.audience(scene.inline(1, 2), named: "sport", in: ["sport"]),
            try scene.audience(scene.inline(3), named: "both", in: ["news", "sport"]),
        ]
        let plan = try await scene.plan([campaign], audiences: audiences)
        let found = plan.notices.filter { if case .mayReceiveTwice = $0 { true } else { false } }
        let topics = [try scene.topic("news"), try scene.topic("sport")]
        #expect(
            found == (count == 0 ? [] : [.mayReceiveTwice(campaign.id, topics, count: count)])
        )
    }

    @Test func `reports fields that the author set directly`() async throws {
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "A"], "android": ["ttl": "5s"]],
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 60),
                priority: nil,
                collapse: nil
            )
        )
        #expect(try await notices(campaign) == [.authorWins(campaign.id, field: "android.ttl")])
    }

    @Test(.covers("C45-apple")) func `reports a lower priority on Apple platforms`()
        async throws
    {
        let campaign = try scene.campaign(
            fields: ["data": ["a": "b"]],
            delivery: Delivery(timeToLive: nil, priority: .high, collapse: nil)
        )
        #expect(try await notices(campaign) == [.dataPriorityOnApple(campaign.id)])
    }

    @Test(.covers("C26")) func `reports platforms that get nothing`() async throws {
        let campaign = try scene.campaign(fields: ["android": ["notification": ["title": "A"]]])
        #expect(try await notices(campaign) == [.leavesOut(campaign.id, [.apple, .web])])
    }

    @Test func `reports nothing about unchanged campaigns`() async throws {
        let campaign = try scene.campaign(
            fields: ["android": ["notification": ["title": "A"]]],
            schedule: .at(PlanScene.moment(60))
        )
        try await scene.remember(scene.plan([campaign]))
        #expect(try await notices(campaign) == [])
    }

    @Test func `reports unknown outcomes as long as they exist`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.unknown, .accepted, .unknown], of: unit)
        #expect(try await notices(campaign) == [.unknownOutcomes(scene.id("sale"), count: 2)])
        try await scene.store.close(scene.id("sale"), as: .finished)
        #expect(try await notices(campaign) == [.unknownOutcomes(scene.id("sale"), count: 2)])
    }
}
