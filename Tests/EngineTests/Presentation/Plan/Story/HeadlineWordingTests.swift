import CampaignModel
import JSON
import Planning
import State
import Testing
import Time

@testable import Presentation

struct HeadlineWordingTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(
        revision: Int = 1,
        schedule: Schedule = .immediate,
        late: LatePolicy.Late? = nil
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .topic(try scene.topic()),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: schedule,
            timeliness: LatePolicy(
                late: late,
                lateAfter: 600,
                until: nil,
                reasonInQuietHours: nil
            ),
            revision: revision
        )
    }

    /// Returns the headlines of a plan, in order.
    private func headlines(_ campaign: Campaign) async throws -> [String] {
        let plan = try await scene.plan([campaign])
        let story = PlanDescription(plan, zones: PlanGolden.zones)
        return story.groups.flatMap(\.entries).flatMap(\.headlines).map(\.wording)
    }

    @Test func `a raised revision sends again`() async throws {
        let unit = try await scene.begin(try campaign())
        try await scene.record([.accepted], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        let raised =
            "topic news (revision raised from 1 to 2: also to devices that got revision 1)"
        #expect(try await headlines(campaign(revision: 2)) == ["sends again now to " + raised])
        let later = try campaign(revision: 2, schedule: .at(PlanScene.moment(60)))
        #expect(try await headlines(later) == ["is scheduled to go again to " + raised])
    }

    @Test func `the first send of a raised revision does not send again`() async throws {
        #expect(try await headlines(campaign(revision: 2)) == ["sends now to topic news"])
    }

    @Test func `a send after its due time names the key that allows it`() async throws {
        func late(_ seconds: Int64, _ late: LatePolicy.Late? = nil) async throws -> [String] {
            try await headlines(campaign(schedule: .at(PlanScene.moment(-seconds)), late: late))
        }
        let start = "sends now to topic news"
        #expect(try await late(0) == [start])
        #expect(
            try await late(300)
                == [start + ", 5 min after its due time (late_after allows 10 min)"]
        )
        #expect(
            try await late(7_200, .send)
                == [start + ", 2 h after its due time (late: send allows it)"]
        )
    }
}
