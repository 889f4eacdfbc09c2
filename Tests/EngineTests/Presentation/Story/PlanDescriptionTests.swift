import CampaignModel
import Testing
import Time

@testable import Planning
@testable import Presentation

struct PlanStoryTests {
    private func entry(_ name: String, of golden: PlanGolden) throws -> PlanEntry {
        let entries = try golden.story().groups.flatMap(\.entries)
        return try #require(entries.first { $0.name == name })
    }

    @Test func `shows a skipped local time as on the clock, and as written`() throws {
        let moment = try #require(entry("skipped", of: .clocks).headlines.first?.moment)
        #expect(moment.local == "2027-03-28 03:30")
        #expect(
            moment.note
                == "02:30 does not exist that day; it is sent at 03:30 "
                + "(2027-03-28T01:30:00Z)"
        )
        let slot = try #require(entry("daily", of: .clocks).laterMoments.first)
        #expect(slot.local == "2027-03-28 03:00")
        #expect(
            slot.note
                == "02:30 does not exist that day; it is sent at 03:00 "
                + "(2027-03-28T01:00:00Z)"
        )
    }

    @Test func `coming days show clock times`() throws {
        let timeline = PlanTimeline(try PlanGolden.clocks.plan(), zones: PlanGolden.zones)
        let moments = timeline.sendings.filter { $0.moment.utc.hasPrefix("2027-03-28") }
        #expect(moments.map(\.moment.local) == ["2027-03-28 03:00", "2027-03-28 03:30"])
    }

    @Test
    func `a cancelled campaign is not called removed, and a removed one counts once`() throws {
        let scene = try PlanScene()
        let rule = try scene.rule("30 7 * * *")
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(3_600)))
        try scene.remember(scene.plan([rule, later]))
        func summary(_ campaigns: [Campaign]) throws -> String {
            PlanDescription(try scene.plan(campaigns), zones: PlanGolden.zones).summary
        }
        let other = try scene.rule("30 9 * * *")
        #expect(try summary([other, later]).contains(" 1 cancelled. "))
        #expect(try !summary([other, later]).contains("removed"))
        #expect(try summary([rule]).contains(" 1 removed. "))
        #expect(try !summary([rule]).contains("cancelled"))
    }

    @Test func `a change of the schedule's kind or the lifetime replaces the whole field`() throws {
        let scene = try PlanScene()
        let first = try scene.rule("30 7 * * *")
        try scene.remember(scene.plan([first]))
        let moved = try scene.campaign("daily", schedule: .at(PlanScene.moment(3_600)))
        let plan = try scene.plan([moved])
        let changes = PlanDescription(plan, zones: PlanGolden.zones).groups.flatMap(\.entries)
            .flatMap(\.changes)
        let schedule = try #require(changes.first { $0.name == "schedule" })
        #expect(schedule.segments.map(\.kind) == [.removed, .added])
        let tide = try entry("spring-tide", of: .changed)
        let life = try #require(tide.changes.first { $0.name == "kept" })
        #expect(life.segments.map(\.text) == ["up to 12h", "up to 6h"])
        let hour = try #require(tide.changes.first { $0.name == "schedule" })
        #expect(hour.segments.contains { $0.kind == .same })
    }

    @Test func `a count of days has a comma between thousands`() {
        let now = Instant(secondsSince1970: 0)
        let moment = Instant(secondsSince1970: 3_771 * 86_400)
        #expect(MomentText(now: now).distance(moment) == "in 3,771 days")
    }
}
