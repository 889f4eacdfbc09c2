import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import Scheduling
import State
import Testing
import Time

@testable import Planning

/// A realistic project: topics with a reach, lists, conditions and rules.
struct TidewatchScene {
    private let scene: PlanScene
    private let zone: TimeZoneRules

    init() throws {
        scene = try PlanScene()
        zone = try PlanGolden.zones.rules(named: "Atlantic/Azores")
    }

    static let now = Instant(secondsSince1970: 1_800_000_000)

    func first() async throws -> Plan { try await plan(Self.firstWords) }

    func changed() async throws -> Plan {
        try await scene.remember(plan(Self.firstWords))
        return try await plan(Self.secondWords, people: 1_300)
    }

    func nothing() async throws -> Plan {
        let scheduled = try scene.campaign(schedule: .at(PlanScene.moment(60)))
        try await scene.remember(scene.plan([scheduled]))
        return try await scene.plan([scheduled])
    }

    /// The text that the author changes.
    private struct Words {
        let body: String
        let data: JSONObject
        let ttl: Int64
        let hour: String
        let cron: String
        let topic: String
    }

    private static let firstWords = Words(
        body: "Currents up to 4 knots after 09:00. Stay away from the rocks of the south coast.",
        data: ["screen": "tides", "station": "horta"],
        ttl: 43_200,
        hour: "07:30",
        cron: "30 7 * * 1-5",
        topic: "azores"
    )
    private static let secondWords = Words(
        body: "Currents up to 5 knots after 08:30. Stay away from the rocks of the north coast.",
        data: ["screen": "tides", "level": "2.10"],
        ttl: 21_600,
        hour: "06:45",
        cron: "0 7 * * 1-5",
        topic: "madeira"
    )

    private func plan(_ words: Words, people: Int = 1_200) async throws -> Plan {
        let list = try scene.file(0..<people)
        let anglers = Audience(
            id: try #require(AudienceID("beta-anglers")),
            about: nil,
            list: list,
            subscribe: [try scene.topic("tides")]
        )
        let project = Project(
            id: try #require(ProjectID("tidewatch")),
            timeZone: "Atlantic/Azores",
            topics: try topics(),
            environments: [],
            campaigns: try campaigns(words, list: list),
            audiences: [anglers],
            devices: []
        )
        return try await Planner(
            project: project,
            environment: try #require(EnvironmentID("dev")),
            store: scene.store,
            surveys: ListSurveys(
                of: project.lists,
                directory: scene.folder.path,
                fingerprinter: scene.fingerprinter
            ),
            fingerprinter: scene.fingerprinter,
            zones: PlanGolden.zones,
            now: Self.now
        ).plan()
    }

    private func topics() throws -> [Topic: TopicDescription] {
        let reaches = ["tides": 40_000, "azores": 9_000, "madeira": 7_000, "auction": nil]
        var topics: [Topic: TopicDescription] = [:]
        for (name, reach) in reaches {
            topics[try scene.topic(name)] = TopicDescription(about: nil, reach: reach)
        }
        return topics
    }
}

// MARK: - Campaigns

extension TidewatchScene {
    private func campaigns(_ words: Words, list: RegistrationList) throws -> [Campaign] {
        let condition = try Condition(
            parsing: "'tides' in topics && ('azores' in topics || 'madeira' in topics)"
        )
        let shown: JSONObject = ["title": "Spring tide on Saturday", "body": .string(words.body)]
        return [
            try campaign(
                "spring-tide",
                to: .condition(condition),
                fields: [
                    "notification": .object(shown), "data": .object(words.data),
                    "android": ["notification": ["click_action": "OPEN_TIDES"]],
                    "apns": ["payload": ["aps": ["category": "TIDES"]]],
                ],
                delivery: Delivery(
                    timeToLive: TimeToLive(seconds: words.ttl),
                    priority: .high,
                    collapse: CollapseKey("spring-tide")
                ),
                schedule: .at(try moment("2027-01-16 \(words.hour)"))
            ),
            try campaign(
                "tide-alert",
                to: .topic(try scene.topic(words.topic)),
                fields: [
                    "notification": ["title": "High water at 16:42", "body": "Horta, 1.60 m."],
                    "android": ["notification": ["body": "Horta 1.60 m, angling from 15:30"]],
                    "webpush": ["data": ["view": "chart"]],
                ],
                schedule: .at(try moment("2027-01-15 12:00"))
            ),
            try campaign(
                "daily",
                to: .topic(try scene.topic("auction")),
                fields: ["data": ["lot": "0123"]],
                delivery: Delivery(timeToLive: nil, priority: .high, collapse: nil),
                schedule: try rule(words.cron)
            ),
            try campaign(
                "invitation",
                to: .registrations(list),
                fields: ["notification": ["title": "Dinner at the harbour club"]],
                schedule: .at(try moment("2027-01-17 10:00"))
            ),
        ] + (try immediate(list))
    }

    private func immediate(_ list: RegistrationList) throws -> [Campaign] {
        [
            try campaign(
                "beta-catch-log",
                to: .registrations(list),
                fields: ["notification": ["title": "Try the catch log"], "data": ["build": "1"]]
            ),
            try campaign(
                "chat",
                to: .group(try #require(DeviceGroupName("duarte"))),
                fields: ["data": ["text": "The mooring is free."]]
            ),
            try campaign("wake", to: .topic(try scene.topic("tides")), fields: [:]),
        ]
    }

    private func campaign(
        _ name: String,
        to target: AudienceTarget,
        fields: JSONObject,
        delivery: Delivery = .unspecified,
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        try scene.campaign(
            name,
            to: target,
            fields: fields,
            delivery: delivery,
            schedule: schedule
        )
    }

    private func moment(_ text: String) throws -> ScheduledMoment {
        let local = try #require(CivilDateTime(parsing: text))
        return ScheduledMoment(
            local: local,
            zone: zone.name,
            instant: zone.resolve(local).instant
        )
    }

    private func rule(_ cron: String) throws -> Schedule {
        .repeating(
            RepeatingSchedule(
                text: cron,
                pattern: .cron(try CronSchedule(parsing: cron)),
                zone: zone.name,
                from: nil,
                until: nil
            )
        )
    }
}
