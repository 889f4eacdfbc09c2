import CampaignModel
import TestSupport
import Testing
import Time

@testable import Planning
@testable import Presentation

struct PlanTimelineTests {
    private func timeline(_ plan: Plan) -> PlanTimeline {
        PlanTimeline(plan, zones: PlanGolden.zones)
    }

    @Test func `shows the sends of the next 14 days, changed or not`() async throws {
        let scene = try PlanScene()
        let day: Int64 = 86_400
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(3 * day)))
        let beyond = try scene.campaign("beyond", schedule: .at(PlanScene.moment(15 * day)))
        try await scene.remember(scene.plan([later, beyond]))
        let plan = try await scene.plan([
            later, beyond, scene.rule("30 7 * * 1"), scene.campaign("now"),
        ])
        let found = timeline(plan).sendings
        #expect(found.map(\.campaign) == ["now", "daily", "later", "daily"])
        #expect(found.map(\.isPlanned) == [true, true, false, true])
        // Mondays at 07:30 in Berlin are 06:30 in UTC, in January.
        #expect(found[1].moment.utc == "2027-01-18T06:30:00Z")
        #expect(timeline(plan).more == 0)
    }

    @Test func `counts the omitted sends`() async throws {
        let scene = try PlanScene()
        let each = try scene.rule("* * * * *")
        let both = [each, try scene.campaign("one", schedule: .at(PlanScene.moment(30)))]
        let timeline = timeline(try await scene.plan(both))
        #expect(timeline.sendings.count == PlanTimeline.maximumCount)
        #expect(timeline.sendings.first?.campaign == "one")
        #expect(timeline.more == 1)
    }
}
