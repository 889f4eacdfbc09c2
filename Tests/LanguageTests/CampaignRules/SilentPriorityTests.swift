import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import JSON
import RegistrationLists
import TestSupport
import Testing

/// Tests `high-priority-shows-nothing` and `apns-priority-background`.
struct SilentPriorityTests {
    private static func files(
        _ message: String,
        _ delivery: String,
        audience: String = "topic: tides"
    ) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { \(message) }
                delivery: { \(delivery) }
                """
        )
    }

    private static let toOne = "registrations: [angler:1]"

    @Test(
        .covers("C45-silent"),
        arguments: [
            ("data: { a: b }", "topic: tides", Severity.warning),
            ("", "topic: tides", .warning),
            ("", toOne, .warning),
            ("data: { a: b }", toOne, .note),
        ]
    )
    func `high priority without notification is reported at the priority`(
        message: String,
        audience: String,
        severity: Severity
    ) {
        let files = Self.files(message, "ttl: 1s, priority: «high»", audience: audience)
        let found = files.findings.filter { $0.rule == .highPriorityShowsNothing }
        #expect(found == files.expected(.highPriorityShowsNothing))
        #expect(files.diagnostics.map(\.severity).contains(severity))
    }

    @Test func `a call with now-or-never is accepted`() {
        let files = Self.files("data: { a: b }", "ttl: 0, priority: high", audience: Self.toOne)
        #expect(files.findings == [])
    }

    @Test func `Android's own field is reported and takes precedence`() {
        let written = Self.files("data: { a: b }, android: { priority: «high» }", "ttl: 4h")
        #expect(written.findings == written.expected(.highPriorityShowsNothing))
        let normal = Self.files("data: { a: b }, android: { priority: normal }", "priority: high")
        #expect(normal.findings == [])
    }

    @Test func `Apple counts if Android receives nothing`() {
        let files = Self.files(
            "apns: { payload: { aps: { content-available: 1 } } }",
            "ttl: 4h, priority: «high»",
            audience: Self.toOne
        )
        #expect(files.findings == files.expected(.highPriorityShowsNothing))
        #expect(files.diagnostics.first?.label == "Apple allows only 5")
    }

    @Test(arguments: [
        ("notification: { title: Tides }", "priority: high"),
        ("data: { a: b }", "priority: normal"), ("data: { a: b }", "ttl: 4h"),
        (
            "data: { a: b }, apns: { payload: { aps: { alert: Tides } } }",
            "ttl: 4h, priority: high"
        ),
        ("webpush: { data: { a: b } }", "priority: high"),
    ])
    func `visible content or another priority is accepted`(
        message: String,
        delivery: String
    ) {
        #expect(Self.files(message, delivery, audience: Self.toOne).findings == [])
    }

    @Test(
        .covers("F1.5-priority-background"),
        arguments: [
            "data: { a: b }, apns: { ", "apns: { ",
            "apns: { payload: { aps: { content-available: 1 } }, ",
        ]
    )
    func `priority 10 without notification on Apple platforms is an error`(
        content: String
    ) throws {
        let message = content + "headers: { apns-priority: «\"10\"» } }"
        let files = Self.files(message, "ttl: 4h", audience: Self.toOne)
        #expect(files.findings == files.expected(.apnsPriorityBackground))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .error)
        #expect(diagnostic.fix == diagnostic.span.map { Fix(span: $0, replacement: "\"5\"") })
    }

    @Test func `high priority for a Live Activity alone is accepted`() {
        let files = Self.files(
            "apns: { live_activity_token: t, payload: { aps: { event: end, timestamp: 1 } } }",
            "ttl: 4h, priority: high",
            audience: Self.toOne
        )
        #expect(files.findings == [])
    }

    @Test func `priority 1 for a Live Activity is an error without a push type`() {
        let files = Self.files(
            "apns: { live_activity_token: t, headers: { apns-priority: «1» }, "
                + "payload: { aps: { event: end, timestamp: 1 } } }",
            "ttl: 4h",
            audience: Self.toOne
        )
        #expect(files.findings == files.expected(.apnsPriorityBackground))
    }

    @Test(arguments: [
        "data: { a: b }, apns: { headers: { apns-priority: 5 } }",
        "data: { a: b }, apns: { headers: { apns-priority: 1 } }",
        "notification: { title: Tides }, apns: { headers: { apns-priority: 10 } }",
        "data: { a: b }, apns: { headers: { apns-priority: 10 }, payload: { aps: { badge: 1 } } }",
        "android: { data: { a: b } }, apns: { headers: { apns-priority: 10 } }",
        "data: { a: b }, apns: { live_activity_token: t, headers: { apns-priority: 10 }, "
            + "payload: { aps: { event: end, timestamp: 1 } } }",
    ])
    func `priorities that Apple accepts have no findings`(message: String) {
        #expect(Self.files(message, "ttl: 4h", audience: Self.toOne).findings == [])
    }

    @Test(
        .covers("F1.5-priority-background"),
        arguments: [
            ("background", "10", true), ("background", "5", false), ("alert", "10", false),
            ("liveactivity", "1", true), ("liveactivity", "5", false),
            ("liveactivity", "10", false),
            ("alert", "1", false),
        ]
    )
    func `the push type determines the priorities that Apple accepts`(
        type: String,
        priority: String,
        isFound: Bool
    ) throws {
        let message: JSONObject = [
            "notification": ["title": "Tides"],
            "apns": [
                "headers": ["apns-push-type": .string(type), "apns-priority": .string(priority)]
            ],
        ]
        #expect(try Self.rules(message) == (isFound ? [.apnsPriorityBackground] : []))
    }

    @Test(arguments: [("liveactivity", false), ("voip", false), ("alert", true)])
    func `only an alert must show something`(type: String, isFound: Bool) throws {
        let message: JSONObject = [
            "data": ["a": "b"],
            "apns": ["headers": ["apns-push-type": .string(type), "apns-priority": "10"]],
        ]
        #expect(try Self.rules(message) == (isFound ? [.apnsPriorityBackground] : []))
    }

    /// Returns the findings for a message that no file can express yet.
    private static func rules(_ message: JSONObject) throws -> [RuleID] {
        let files = LoadedFiles(campaign: "")
        let project = try #require(files.project)
        let key = FingerprintKey(bytes: [UInt8](repeating: 7, count: 32))
        var log = DiagnosticLog()
        allRules.check(
            RuleContext(
                project: Project(
                    id: project.id,
                    timeZone: project.timeZone,
                    topics: project.topics,
                    environments: [],
                    campaigns: [try CampaignFixture.campaign(message)],
                    audiences: [],
                    devices: []
                ),
                declarations: files.loaded.declarations,
                surveys: ListSurveys(
                    of: [],
                    directory: "/nonexistent",
                    fingerprinter: Fingerprinter(key: key)
                ),
                zones: systemZones,
                now: LoadedFiles.now
            ),
            reportingTo: &log
        )
        return log.sorted(in: files.loaded.catalog).map(\.rule)
    }
}
