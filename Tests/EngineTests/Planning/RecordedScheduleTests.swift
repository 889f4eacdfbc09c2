import CampaignModel
import Scheduling
import Testing
import Time

@testable import Planning

struct RecordedScheduleTests {
    private func moment(_ text: String) throws -> CivilDateTime {
        try #require(CivilDateTime(parsing: text))
    }

    @Test func `reads a recorded cron expression with its bounds`() throws {
        let text = "30 7 1,15 * 1-5"
        let rule = RepeatingSchedule(
            text: text,
            pattern: .cron(try CronSchedule(parsing: text)),
            zone: "Europe/Berlin",
            from: try moment("2027-01-01 00:00"),
            until: try moment("2027-03-01 00:00")
        )
        #expect(RepeatingSchedule(recorded: rule.content) == rule)
    }

    @Test func `reads a recorded recurrence rule with its exceptions`() throws {
        let text = "FREQ=WEEKLY;BYDAY=MO,TH"
        let start = try moment("2027-01-04 07:30")
        let rule = RepeatingSchedule(
            text: text,
            pattern: .recurrence(
                try RecurrenceRule(
                    parsing: text,
                    start: start,
                    exceptions: [try moment("2027-01-11 07:30"), try moment("2027-01-14 07:30")]
                )
            ),
            zone: "Atlantic/Azores",
            from: start,
            until: nil
        )
        #expect(RepeatingSchedule(recorded: rule.content) == rule)
    }

    @Test(arguments: ["at the next apply", "2027-01-16 07:30 Atlantic/Azores", "", "x"])
    func `other schedules are not rules`(content: String) {
        #expect(RepeatingSchedule(recorded: content) == nil)
    }
}
