import CampaignModel
import JSON
import Testing

@testable import Planning
@testable import Presentation

struct BriefWordingTests {
    private func parts(_ fields: JSONObject, reach: Int? = 90_000) async throws -> [String] {
        let scene = try PlanScene()
        let campaign = try scene.campaign("sale", fields: fields)
        let topic = try scene.topic()
        let topics = [topic: TopicDescription(about: nil, reach: reach)]
        let plan = try await scene.plan([campaign], topics: topics)
        let story = PlanDescription(plan, zones: PlanGolden.zones)
        let entry = try #require(story.groups.flatMap(\.entries).first)
        return BriefWording(entry: entry).parts
    }

    @Test func `names the reach and the displayed title`() async throws {
        let known = try await parts(["notification": ["title": "Hello", "body": "you"]])
        #expect(known == ["90,000 devices", "“Hello”"])
        let unknown = try await parts(["notification": ["body": "you"]], reach: nil)
        #expect(unknown == ["reach unknown", "“you”"])
    }

    @Test func `names the platforms if only some display something`() async throws {
        let blank: JSONObject = [
            "data": ["sync": "1"], "android": ["notification": ["channel_id": "main"]],
        ]
        #expect(try await parts(blank).last == "a notification without text on Android")
        #expect(try await parts(["data": ["sync": "1"]]).last == "displays nothing")
        let two: JSONObject = [
            "notification": ["title": "Hello"], "android": ["notification": ["title": "Hi"]],
        ]
        #expect(try await parts(two).last == "“Hi” on Android, “Hello” on Apple and web")
    }

    @Test func `cuts a long title`() async throws {
        let title = String(repeating: "a", count: 81)
        let long = try await parts(["notification": ["title": .string(title)]])
        #expect(long.last == "“" + title.dropLast() + "…”")
    }

    @Test func `names changes of the schedule first, and fields as phrases`() async throws {
        let entries = try await PlanGolden.changed.story().groups.flatMap(\.entries)
        let tide = try #require(entries.first { $0.name == "spring-tide" })
        #expect(
            BriefWording(entry: tide).parts.last
                == "changes the schedule, the body, data.level, how long FCM keeps it and 1 more"
        )
    }

    @Test func `names further actions that remove something`() async throws {
        let entries = try await PlanGolden.everything.story().groups.flatMap(\.entries)
        let everyone = try #require(entries.first { $0.name == "everyone" })
        #expect(
            BriefWording(entry: everyone).parts.first == "subscribes 2 registrations to topic news"
        )
    }

    @Test func `names the changed fields and counts the rest`() async throws {
        let scene = try PlanScene()
        func campaign(_ value: String, to title: String) throws -> Campaign {
            let keys = ["a", "b", "c", "d", "e"].map {
                JSONObject.Member(key: $0, value: .string(value))
            }
            return try scene.campaign(
                "sale",
                fields: [
                    "notification": ["title": .string(title)], "data": .object(JSONObject(keys)),
                ],
                schedule: .at(PlanScene.moment(3_600))
            )
        }
        try await scene.remember(scene.plan([try campaign("1", to: "Old")]))
        let plan = try await scene.plan([try campaign("2", to: "New")])
        let story = PlanDescription(plan, zones: PlanGolden.zones)
        let entry = try #require(story.groups.flatMap(\.entries).first)
        let changed = BriefWording(entry: entry).parts.last
        #expect(changed == "changes the title, data.a, data.b, data.c and 2 more")
    }
}
