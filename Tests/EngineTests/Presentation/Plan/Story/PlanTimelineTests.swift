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

    @Test func `shows deferred sends at the end of quiet hours`() async throws {
        let scene = try PlanScene()
        let sale = try scene.campaign("sale", schedule: .at(PlanScene.moment(55_800)))
        let plan = try await scene.plan(
            [sale, scene.rule("30,45 23 * * *")],
            guards: QuietScene.guards()
        )
        let found = timeline(plan).sendings
        // Of the two slots of a night only the last is sent; of ten minutes, Python computes 180 s.
        #expect(
            found.prefix(2).map(\.moment.utc) == ["2027-01-16T06:03:00Z", QuietScene.end]
        )
        #expect(found.count { $0.campaign == "daily" } == 14)
        #expect(found.count { $0.campaign == "sale" } == 1)
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
