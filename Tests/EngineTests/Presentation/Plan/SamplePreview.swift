import CampaignMessages
import CampaignModel
import JSON
import Planning
import Presentation
import RegistrationLists
import Testing

/// Previews for tests of the views.
enum SamplePreview {
    /// A message with different parts for each platform, and with characters that a terminal must
    /// not get.
    static let message: JSONObject = [
        "notification": ["title": "Hello\u{7}", "body": "you"],
        "data": ["screen\u{1B}": "潮", "long": .string(String(repeating: "long ", count: 10))],
        "android": ["notification": ["title": "Hi"]],
        "apns": ["payload": ["aps": ["alert": "Hey"], "tide": ["height": 4]]],
        "webpush": ["data": ["only": "web"], "notification": ["\u{202E}": true]],
    ]

    static func make(
        _ message: JSONObject = message,
        to target: AudienceTarget? = nil
    ) throws -> CampaignPreview {
        let topic = try #require(Topic("news"))
        let campaign = Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: target ?? .topic(topic),
            audience: nil,
            content: MessageContent(fields: message),
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 90),
                priority: nil,
                collapse: CollapseKey("sale")
            ),
            schedule: .immediate
        )
        let project = Project(
            id: try #require(ProjectID("shop-1")),
            timeZone: "UTC",
            topics: [topic: TopicDescription(about: nil, reach: 12_000)],
            environments: [],
            campaigns: [campaign],
            audiences: [],
            devices: []
        )
        let surveys = ListSurveys(
            of: project.lists,
            directory: "/nonexistent",
            fingerprinter: Fingerprinter(key: FingerprintKey(bytes: Array(repeating: 7, count: 32)))
        )
        return CampaignPreview(of: campaign, in: project, surveys: surveys)
    }
}
