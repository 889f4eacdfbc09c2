import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Time

/// Schedules with one occurrence per time zone or time of the recipients.
struct RecipientScheduleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("all.csv", "token,zone,tide\na:1,Asia/Tokyo,2037-07-01 09:00\n")
    }

    private func files(
        _ schedule: String,
        audience: String = "{ registrations: { file: all.csv, column: token, timezone: zone } }"
    ) -> LoadedFiles {
        let project = LoadedFiles.smallProject + "\ntimezone: Europe/Lisbon\n"
        let campaign = """
            campaign: a
            audience: \(audience)
            message: {}
            schedule: \(schedule)
            """
        return LoadedFiles(
            [("herald.yaml", project), ("campaigns/a.yaml", campaign)],
            directory: folder.path
        )
    }

    @Test func `local times of recipients are those of the project for rows without a zone`() throws
    {
        let files = files("{ at: 2037-07-01 09:00, timezone: recipient }")
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.division == .perZone)
        guard case .at(let moment) = campaign.schedule else {
            Issue.record("the schedule has no local time")
            return
        }
        #expect(moment.zone == "Europe/Lisbon")
        #expect(moment.instant.utcText == "2037-07-01T08:00:00Z")
    }

    @Test(arguments: [
        ("{ at_column: tide }", "Europe/Lisbon"),
        ("{ at_column: tide, timezone: recipient }", "Europe/Lisbon"),
        ("{ at_column: tide, timezone: Asia/Tokyo }", "Asia/Tokyo"),
    ])
    func `a column contains the times`(schedule: String, zone: String) throws {
        let files = files(schedule)
        #expect(files.errors == [])
        let campaign = try #require(files.campaign)
        #expect(campaign.division == .perValue(column: "tide", zone: zone))
    }

    @Test(arguments: [
        "{ at: 2037-07-01 09:00, timezone: «recipient» }", "{ at_column: «tide» }",
    ])
    func `a topic has no rows`(schedule: String) {
        let files = files(schedule, audience: "{ topic: tides }")
        #expect(files.errors == files.expected(.needsList))
    }

    @Test func `a list without a column of zones has no local times`() {
        let files = files(
            "{ at: 2037-07-01 09:00, timezone: «recipient» }",
            audience: "{ registrations: { file: all.csv, column: token } }"
        )
        #expect(files.errors == files.expected(.missingKey))
    }

    @Test(arguments: [
        "{ at: 2037-07-01 09:00, timezone: «recipient» }", "{ at_column: «tide» }",
    ])
    func `a list that is read at its send is refused`(schedule: String) {
        let files = files(
            schedule,
            audience:
                "{ registrations: { file: all.csv, column: token, timezone: zone, read: at_send } }"
        )
        #expect(files.errors == files.expected(.conflictingKeys))
    }
}
