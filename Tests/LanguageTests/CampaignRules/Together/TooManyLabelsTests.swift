import Diagnostics
import TestSupport
import Testing
import Text

struct TooManyLabelsTests {
    private static func campaign(_ name: String, _ message: String, _ lines: String) -> String {
        TogetherFiles.campaign(name, "{ registrations: [x:1] }", message, lines)
    }

    /// Returns `count` campaigns, each with its own label.
    private static func documents(_ count: Int, marked: Int? = nil) -> [String] {
        (1...count).map { number in
            let label = number == marked ? "«l\(number)»" : "l\(number)"
            return campaign(
                "c\(number)",
                "data: { a: b }, fcm_options: { analytics_label: \(label) }",
                "delivery: { ttl: 0 }"
            )
        }
    }

    @Test(.covers("F4-labels")) func `the 101st label of a day is a warning at the label`() throws {
        let files = TogetherFiles.files(Self.documents(120, marked: 101))
        #expect(files.findings == files.expected(.tooManyLabels))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(
            diagnostic.message == "more than 100 different analytics labels on 2037-01-01"
        )
        #expect(TogetherFiles.files(Self.documents(100)).findings == [])
    }

    @Test func `platforms' labels count, and each label counts once`() {
        let more = Self.campaign(
            "more",
            """
            data: { a: b }, android: { fcm_options: { analytics_label: l1 } },
              apns: { fcm_options: { analytics_label: «own» } },
              webpush: { fcm_options: { analytics_label: l3 } }
            """,
            "delivery: { ttl: 0 }"
        )
        let files = TogetherFiles.files(Self.documents(100) + [more])
        #expect(files.findings.map(\.rule) == [.tooManyLabels])
        let known = more.replacing("«own»", with: "l2")
        #expect(TogetherFiles.files(Self.documents(100) + [known]).findings == [])
    }

    @Test(arguments: [("2037-01-01 23:59", true), ("2037-01-02 00:00", false)])
    func `the count restarts on the next day`(moment: String, isFound: Bool) {
        let late = Self.campaign(
            "late",
            "data: { a: b }, fcm_options: { analytics_label: late }",
            "schedule: { at: \"\(moment)\" }\ndelivery: { ttl: 0 }"
        )
        let files = TogetherFiles.files(Self.documents(100) + [late])
        #expect(files.findings.map(\.rule) == (isFound ? [.tooManyLabels] : []))
    }

    @Test func `a repeating campaign counts on each of its days`() {
        let daily = Self.campaign(
            "daily",
            "data: { a: b }, fcm_options: { analytics_label: daily }",
            "schedule: { cron: 33 7 * * * }\ndelivery: { ttl: 0, collapse: k }"
        )
        let later = Self.documents(100).map {
            $0 + "\nschedule: { at: \"2037-01-07 12:33\" }"
        }
        let files = TogetherFiles.files(later + [daily])
        #expect(files.findings.map(\.rule) == [.tooManyLabels])
        #expect(files.diagnostics.first?.message.hasSuffix("2037-01-07") == true)
    }
}
