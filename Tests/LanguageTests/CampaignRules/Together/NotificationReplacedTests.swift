import Diagnostics
import TestSupport
import Testing

struct NotificationReplacedTests {
    private static func note(
        _ name: String,
        audience: String = "{ topic: madeira }",
        message: String = "notification: { title: T }",
        lines: String = "delivery: { ttl: 2h }"
    ) -> String {
        TogetherFiles.campaign(name, audience, message, lines)
    }

    @Test(.covers("C07")) func `the earlier of two notifications is a note about the later one`()
        throws
    {
        let files = TogetherFiles.files([
            Self.note("old", audience: "«{ topic: madeira }»"),
            Self.note("new", audience: "‹{ topic: madeira }›"),
        ])
        #expect(files.findings == files.expected(.notificationReplaced))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .note)
        #expect(
            diagnostic.message == "if offline, a device in `madeira` may get only `new`, not `old`"
        )
        #expect(diagnostic.label == "sent now, stored for up to 2h")
    }

    @Test(arguments: [
        ("2037-01-01 01:59", "delivery: { ttl: 2h }", true),
        ("2037-01-01 02:00", "delivery: { ttl: 2h }", false),
        ("2037-01-28 23:59", "about: no life", true),
        ("2037-01-29 00:00", "about: no life", false),
        ("2037-01-01 00:01", "delivery: { ttl: 0 }", false),
        ("2037-01-01 00:59", "delivery: { expires: \"2037-01-01 01:00\" }", true),
        ("2037-01-01 01:00", "delivery: { expires: \"2037-01-01 01:00\" }", false),
    ])
    func `is found during the lifetime`(moment: String, delivery: String, isFound: Bool) {
        let files = TogetherFiles.files([
            Self.note("old", lines: delivery),
            Self.note("new", lines: "schedule: { at: \"\(moment)\" }\ndelivery: { ttl: 1h }"),
        ])
        #expect(files.findings(of: .notificationReplaced).isEmpty == !isFound)
    }

    @Test func `each notification is reported once with the next one`() {
        let files = TogetherFiles.files([
            Self.note("a", audience: "«{ topic: madeira }»"),
            Self.note("b", audience: "«{ topic: madeira }»"),
            Self.note("c"),
        ])
        let rules: [RuleID] = [.notificationReplaced, .notificationReplaced]
        #expect(files.findings == files.expected(rules[0], rules[1]))
    }

    @Test(arguments: [
        "delivery: { ttl: 2h, collapse: tide }",
        "delivery: { ttl: 2h, collapse: other }",
    ])
    func `the same tag makes the replacement intentional`(lines: String) {
        let files = TogetherFiles.files([
            Self.note("old", lines: "delivery: { ttl: 2h, collapse: tide }"),
            Self.note("new", lines: lines),
        ])
        #expect(files.findings.isEmpty == lines.contains("tide"))
    }

    @Test func `a tag in the message is a tag`() {
        let message = "notification: { title: T }, android: { notification: { tag: tide } }"
        let files = TogetherFiles.files([
            Self.note("old", message: message),
            Self.note("new", lines: "delivery: { ttl: 2h, collapse: tide }"),
        ])
        #expect(files.findings == [])
    }

    @Test func `a repeating campaign replaces itself intentionally`() {
        let lines = "schedule: { cron: 3 * * * * }\ndelivery: { ttl: 2h }"
        #expect(TogetherFiles.files([Self.note("a", lines: lines)]).findings == [])
        let other = Self.note("b", lines: "schedule: { at: \"2037-01-05 12:33\" }")
        let files = TogetherFiles.files([Self.note("a", lines: lines), other])
        #expect(files.findings.map(\.rule) == [.notificationReplaced, .notificationReplaced])
    }

    @Test(arguments: ["data: { a: b }", "apns: { payload: { aps: { alert: T } } }"])
    func `only Android notifications are replaced`(message: String) {
        let files = TogetherFiles.files([
            Self.note("old", message: message), Self.note("new"),
        ])
        #expect(files.findings(of: .notificationReplaced) == [])
    }

    @Test func `past sends do not count`() {
        let files = TogetherFiles.files([
            Self.note("old", lines: "schedule: { at: \"2036-12-31 23:33\" }"), Self.note("new"),
        ])
        #expect(files.findings == [])
    }

    @Test func `ten findings are shown and the last counts the others`() {
        let documents = (0..<30).map {
            Self.note("n\($0)", lines: "schedule: { at: \"2037-01-05 0\($0 % 9):33\" }")
        }
        let found = TogetherFiles.files(documents).diagnostics(of: .notificationReplaced)
        #expect(found.count == 10)
        let help = Array(found.map(\.help).joined()).filter { $0.hasSuffix("the same problem") }
        #expect(help == ["19 more campaigns have the same problem"])
    }
}
