import CampaignModel
import Diagnostics
import Testing
import Text
import Time

struct ScheduleTests {
    /// Instants by GNU date, such as `TZ=Atlantic/Azores date -d '2037-03-20 07:30' +%s`.
    @Test(arguments: [
        ("UTC", "", "2037-03-20 07:30", Int64(2_121_147_000)),
        ("Europe/Berlin", "", "2037-03-20 07:30", 2_121_143_400),
        ("Europe/Berlin", ", timezone: Atlantic/Azores", "2037-03-20 07:30", 2_121_150_600),
        ("Europe/Berlin", ", timezone: UTC", "2037-03-20 07:30", 2_121_147_000),
    ])
    func `a local time is resolved in its own zone or else in the project's`(
        project: String,
        own: String,
        at: String,
        seconds: Int64
    ) throws {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ntimezone: \(project)\n"),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { at: \(at)\(own) }
                """
            ),
        ])
        #expect(files.findings == [])
        guard case .at(let moment)? = files.campaign?.schedule else {
            Issue.record("the schedule has no local time")
            return
        }
        #expect(moment.instant.secondsSince1970 == seconds)
    }

    @Test func `a campaign without a schedule is sent at once`() {
        let files = LoadedFiles(campaign: "campaign: a\naudience: { topic: tides }\nmessage: {}\n")
        #expect(files.campaign?.schedule == .immediate)
    }

    @Test func `an unknown zone of the project is one finding`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ntimezone: «Europe/Belrin»\n"),
            (
                "campaigns/a.yaml",
                "campaign: a\naudience: { topic: tides }\nmessage: {}\n"
                    + "schedule: { at: 2037-03-20 07:30 }\n"
            ),
        ])
        #expect(files.findings == files.expected(.timeZone))
        #expect(files.diagnostics.first?.fix?.replacement == "Europe/Berlin")
    }
}

struct SchedulePartnerTests {
    @Test(arguments: [
        "«rrule»: FREQ=DAILY", "at: 2037-01-01 07:30, «from»: 2037-01-01 07:00",
        "cron: 0 7 * * *, «except»: [2037-01-02 07:00]",
        "at: 2037-01-01 07:30, «during_quiet_hours»: send",
        "at: 2037-01-01 07:30, «reason»: The tide does not wait.",
    ])
    func `a key without the key that it modifies is one finding on the key`(keys: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { \(keys) }
                """
        )
        #expect(files.findings == files.expected(.missingKey))
    }
}
