import CampaignModel
import Planning
import Scheduling
import State
import Testing
import Time

@testable import Presentation

struct RuleChangeWordingTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    /// Returns the headlines of a plan in which a rule replaces another, or a single send.
    private func headlines(from old: Campaign, to new: Campaign) async throws -> [String] {
        try await scene.remember(scene.plan([old]))
        let story = PlanDescription(try await scene.plan([new]), zones: PlanGolden.zones)
        return story.groups.flatMap(\.entries).flatMap(\.headlines).map(\.wording)
    }

    private func once() throws -> Campaign {
        try scene.campaign("daily", schedule: .at(PlanScene.moment(3_600)))
    }

    @Test func `a changed rule names the lost weekdays`() async throws {
        let found = try await headlines(
            from: scene.rule("30 7 * * *"),
            to: scene.rule("0 7 * * 1-5")
        )
        #expect(
            found == [
                "now repeats at 07:00 on Monday to Friday instead of at 07:30 every day, to topic "
                    + "news: no longer on Saturday and Sunday, 20 instead of 28 times in 28 days"
            ]
        )
    }

    @Test func `a changed rule names the added weekdays`() async throws {
        let found = try await headlines(
            from: scene.rule("30 7 * * 1"),
            to: scene.rule("30 7 * * 2")
        )
        #expect(
            found == [
                "now repeats at 07:30 on Tuesday instead of at 07:30 on Monday, to topic news: no "
                    + "longer on Monday, also on Tuesday"
            ]
        )
    }

    @Test func `a rule that keeps its next slot is described in words`() async throws {
        let found = try await headlines(
            from: scene.rule("30 7 * * 6"),
            to: scene.rule("30 7 * * 6,0")
        )
        #expect(found.count == 1)
        #expect(found.first?.contains("also on Sunday, 8 instead of 4 times in 28 days") == true)
    }

    @Test func `a new bound is part of the rule`() async throws {
        let found = try await headlines(
            from: scene.rule("30 7 * * *"),
            to: scene.rule("30 7 * * *", until: "2027-01-20 12:00")
        )
        #expect(found.first?.contains("at 07:30 every day, until 2027-01-20 12:00") == true)
        #expect(found.first?.hasSuffix(", to topic news: 5 instead of 28 times in 28 days") == true)
    }

    @Test func `a single send becomes a rule, and a rule a single send`() async throws {
        #expect(
            try await headlines(from: once(), to: scene.rule("30 10 * * *")) == [
                "now repeats at 10:30 every day, to topic news; before, it did not repeat"
            ]
        )
        #expect(
            try await headlines(from: scene.rule("30 10 * * *"), to: once()) == [
                "no longer repeats at 10:30 every day; it is sent once, to topic news"
            ]
        )
    }

    @Test func `a new rule repeats`() async throws {
        let plan = try await scene.plan([scene.rule("30 7 * * 1-5")])
        let entry = PlanDescription(plan, zones: PlanGolden.zones).groups.first?.entries.first
        let headline = try #require(entry?.headlines.first)
        #expect(
            headline.text.hasPrefix(
                "is scheduled to go to topic news and repeats at 07:30 on Monday to Friday – next "
            )
        )
    }

    @Test func `describes a recurrence rule`() throws {
        let start = try #require(CivilDateTime(parsing: "2027-01-04 07:30"))
        let text = "FREQ=WEEKLY;BYDAY=MO"
        let rule = RepeatingSchedule(
            text: text,
            pattern: .recurrence(try RecurrenceRule(parsing: text, start: start)),
            zone: "Europe/Berlin",
            from: start,
            until: nil
        )
        #expect(rule.sentence == "every week at 07:30, on Monday, from 2027-01-04")
    }
}
