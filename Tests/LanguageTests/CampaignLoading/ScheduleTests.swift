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

struct ScheduleErrorTests {
    private func findings(_ schedule: String) -> [RuleID] {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { \(schedule) }
                """
        ).findings.map(\.rule)
    }

    @Test func `an unknown zone does not hide other errors, and the reverse`() {
        let schedule = "at: 2037-13-20 07:30, timezone: Europe/Belrin, late: maybe, late_after: 3"
        #expect(
            Set(findings(schedule)) == [.momentSyntax, .timeZone, .unknownValue, .durationSyntax]
        )
    }

    @Test func `bounds and rules are compared in a schedule with another error`() {
        let cron = "cron: 0 7 * * *, from: 2038-01-01 00:00, until: 2037-01-01 00:00, late: maybe"
        #expect(Set(findings(cron)) == [.scheduleBounds, .unknownValue])
        let at = "at: 2038-01-01 07:30, until: 2037-01-01 00:00, timezone: Europe/Belrin"
        #expect(Set(findings(at)) == [.scheduleBounds, .timeZone])
        let rule = "rrule: FREQ=DAILY;COUNT=x, from: 2037-01-01 07:00, late: maybe"
        #expect(Set(findings(rule)) == [.scheduleSyntax, .unknownValue])
    }

    @Test func `every wrong part of a recurrence rule is a finding`() {
        let rule = "rrule: FREQ=DAILY;COUNT=x;BYDAY=XX;BYMONTH=13, from: 2037-01-01 07:00"
        #expect(findings(rule) == [.scheduleSyntax, .scheduleSyntax, .scheduleSyntax])
    }

    @Test func `every wrong field of a cron expression is a finding at its place`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { cron: "«61» «25» «32» «13» «8»" }
                """
        )
        let rule = RuleID.scheduleSyntax
        #expect(files.findings == files.expected(rule, rule, rule, rule, rule))
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

struct QuietHoursTests {
    private func files(_ hours: String) -> LoadedFiles {
        LoadedFiles(
            project: """
                version: 1
                project: harbour
                environments:
                  staging: { emulator: {}, guard: { quiet_hours: { \(hours) } } }
                """
        )
    }

    private func hours(_ text: String) -> QuietHours? {
        let files = files(text)
        #expect(files.findings == [])
        return EnvironmentID("staging")
            .flatMap { files.project?.environment($0)?.settings.guards.quietHours }
    }

    @Test func `the spread is ten minutes unless it is set`() throws {
        let (ten, seven) = (CivilTime(hour: 22, minute: 0), CivilTime(hour: 7, minute: 30))
        let standard = try #require(hours("from: 22:00, to: 07:30"))
        #expect(standard.from == ten)
        #expect(standard.to == seven)
        #expect(standard.spread == 600)
        #expect(hours("from: 22:00, to: 07:30, spread: 1h")?.spread == 3_600)
        #expect(hours("from: 22:00, to: 07:30, spread: 0")?.spread == 0)
    }

    @Test func `hours that begin and end at the same time are an error`() {
        let files = files("from: 22:00, to: «22:00»")
        #expect(files.findings == files.expected(.scheduleBounds))
    }

    @Test(arguments: ["from: 22:00", "to: 22:00"])
    func `hours need a beginning and an end`(hours: String) {
        #expect(files(hours).findings.map(\.rule) == [.missingKey])
    }

    @Test func `a campaign has the jitter of its schedule`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { at: 2037-03-20 07:33, jitter: 5m }
                """
        )
        #expect(files.findings == [])
        #expect(files.campaign?.timeliness.jitter == 300)
        #expect(files.campaign?.timeliness.reasonInQuietHours == nil)
    }

    @Test func `a campaign may be sent in quiet hours with a reason`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { at: 2037-03-20 07:33, during_quiet_hours: send, reason: Boats sink. }
                """
        )
        #expect(files.findings == [])
        #expect(files.campaign?.timeliness.reasonInQuietHours == "Boats sink.")
    }
}
