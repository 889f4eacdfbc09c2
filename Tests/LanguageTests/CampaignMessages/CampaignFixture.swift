import CampaignModel
import JSON
import Testing
import Time

/// Campaigns for tests of only their message and delivery.
enum CampaignFixture {
    static func campaign(
        _ message: JSONObject,
        ttl: Int64? = nil,
        expires: Instant? = nil,
        priority: Delivery.Priority? = nil,
        collapse: String? = nil,
        localizations: [Localization] = []
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("tide")),
            about: nil,
            owner: nil,
            target: .topic(try #require(Topic("tides"))),
            audience: nil,
            content: MessageContent(fields: message),
            delivery: Delivery(
                timeToLive: ttl.flatMap(TimeToLive.init(seconds:)),
                expires: expires.flatMap { instant in
                    CivilDateTime(parsing: "2033-05-18 03:33").map {
                        ScheduledMoment(local: $0, zone: "UTC", instant: instant)
                    }
                },
                priority: priority,
                collapse: collapse.flatMap(CollapseKey.init)
            ),
            schedule: .immediate,
            localizations: localizations
        )
    }
}
