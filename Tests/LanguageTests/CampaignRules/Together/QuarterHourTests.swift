import Diagnostics
import TestSupport
import Testing
import Text

struct QuarterHourTests {
    private static func files(
        _ schedule: String,
        audience: String = "{ topic: tides }",
        directory: String = "/nonexistent"
    ) -> LoadedFiles {
        TogetherFiles.files(
            [
                TogetherFiles.campaign(
                    "a",
                    audience,
                    "notification: { title: T }",
                    "schedule: { \(schedule) }",
                    "delivery: { ttl: 4h }"
                )
            ],
            directory: directory
        )
    }

    @Test(
        .covers("F1.7-quarters"),
        arguments: ["07:30", "07:28", "07:32", "06:58", "07:00", "07:13", "07:47", "23:59:59"]
    )
    func `a time within two minutes of a quarter hour is a note`(time: String) {
        let files = Self.files("at: «\"2037-03-20 \(time)\"»")
        #expect(files.findings == files.expected(.quarterHour))
        #expect(files.diagnostics.first?.severity == .note)
    }

    @Test(arguments: ["07:33", "07:27:59", "07:32:01", "07:57", "07:03", "07:12", "07:48", "07:42"])
    func `other minutes are accepted`(time: String) {
        #expect(Self.files("at: \"2037-03-20 \(time)\"").findings == [])
    }

    @Test(arguments: [
        ("07:30", "Etc/UTC", "07:33 is quieter than 07:30"),
        ("07:28", "Etc/UTC", "07:33 is quieter than 07:28"),
        ("23:58", "Etc/UTC", "00:03 is quieter than 23:58"),
        ("07:45", "Asia/Kathmandu", "07:48 is quieter than 07:45"),
    ])
    func `the suggested minute is in the same zone`(time: String, zone: String, label: String) {
        let files = Self.files("at: \"2037-03-20 \(time)\", timezone: \(zone)")
        #expect(files.diagnostics.map(\.label) == [label])
    }

    @Test(arguments: [
        ("cron: «30 7 * * *»", true), ("cron: «\"*/20 7 * * *\"»", true),
        ("cron: 33 7 * * *", false),
        ("rrule: «FREQ=DAILY», from: \"2037-01-01 07:30\"", true),
        ("rrule: FREQ=DAILY, from: \"2037-01-01 07:33\"", false),
        ("cron: 30 7 * * *, until: \"2036-12-01 00:00\", from: \"2036-11-01 00:00\"", false),
    ])
    func `a rule with a time close to a quarter hour is a note`(schedule: String, isFound: Bool) {
        let files = Self.files(schedule)
        #expect(files.findings == (isFound ? files.expected(.quarterHour) : []))
    }

    @Test func `a past time is accepted`() {
        #expect(Self.files("at: \"2036-03-20 07:30\"").findings == [])
    }

    @Test(arguments: [
        "{ topic: madeira }", "{ registrations: [x:1] }", "{ group: crew }",
        "{ condition: \"'tides' in topics || 'madeira' in topics\" }",
    ])
    func `small or unknown reach is accepted`(audience: String) {
        #expect(Self.files("at: \"2037-03-20 07:30\"", audience: audience).findings == [])
    }

    @Test(arguments: [(1_000, false), (1_001, true)])
    func `a list is large above 1,000 registrations`(count: Int, isFound: Bool) throws {
        let folder = try TemporaryFolder()
        let lines = (1...count).map { "x:\($0)\n" }.joined()
        try folder.write("list.txt", Array(lines.utf8))
        let files = Self.files(
            "at: \"2037-03-20 07:30\"",
            audience: "{ registrations: list.txt }",
            directory: folder.path
        )
        #expect(files.findings.map(\.rule) == (isFound ? [.quarterHour] : []))
    }
}
