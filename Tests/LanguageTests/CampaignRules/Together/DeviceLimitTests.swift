import CampaignRules
import Diagnostics
import TestSupport
import Testing

/// Tests `collapsible-burst`, `device-rate` and `too-many-stored`.
struct DeviceLimitTests {
    /// Returns `count` campaigns, the last of them marked.
    private static func documents(
        _ count: Int,
        _ message: String = "data: { a: b }",
        lines: String = "delivery: { ttl: 4h, collapse: k }",
        audience: String = "{ topic: madeira }",
        isMarked: Bool = true
    ) -> [String] {
        (1...count).map { number in
            let place = isMarked && number == count ? "«\(audience)»" : audience
            return TogetherFiles.campaign("c\(number)", place, message, lines)
        }
    }

    private static func call(_ count: Int, isMarked: Bool = true) -> [String] {
        documents(
            count,
            lines: "delivery: { ttl: 0 }",
            audience: "{ registrations: [x:1] }",
            isMarked: isMarked
        )
    }

    @Test(.covers("F4-burst")) func `the 21st collapsible message at once is a warning`() throws {
        let files = TogetherFiles.files(Self.documents(21))
        #expect(files.findings == files.expected(.collapsibleBurst))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(diagnostic.label == "the first delayed message, now")
        #expect(diagnostic.related.count == 4)
        #expect(TogetherFiles.files(Self.documents(20, isMarked: false)).findings == [])
    }

    @Test(.covers("C66")) func `the help and the page name the fix`() throws {
        let files = TogetherFiles.files(Self.documents(21))
        let help = try #require(files.diagnostics.first?.help.first)
        #expect(help.contains("non-collapsible messages with the content inside"))
        let page = RuleID.collapsibleBurst.page.whyIsThisBad
        #expect(page.contains("For high bursts use non-collapsible messages with the content"))
    }

    @Test(.covers("C07")) func `notifications count in a burst`() {
        let message = "notification: { title: T }"
        let files = TogetherFiles.files(Self.documents(21, message))
        #expect(files.findings == files.expected(.collapsibleBurst))
    }

    @Test func `empty messages to a topic count, non-collapsible ones do not`() {
        let lines = "delivery: { ttl: 4h }"
        let pings = TogetherFiles.files(Self.documents(21, "", lines: lines))
        #expect(pings.findings == pings.expected(.collapsibleBurst))
        #expect(
            TogetherFiles.files(Self.documents(21, lines: lines, isMarked: false)).findings == []
        )
    }

    @Test func `now-or-never messages are never throttled`() {
        let now = Self.documents(
            21,
            lines: "delivery: { ttl: 0, collapse: k }",
            audience: "{ registrations: [x:1] }",
            isMarked: false
        )
        #expect(TogetherFiles.files(now).findings == [])
    }

    /// After 20 at midnight, one is added every 3 minutes, so one every 2 minutes is too early.
    @Test(arguments: [("*/3", false), ("*/2", true)])
    func `capacity for one message returns every three minutes`(minutes: String, isFound: Bool) {
        let place = isFound ? "«{ cron: \"\(minutes) * * * *\" }»" : "{ cron: \"*/3 * * * *\" }"
        let repeating = TogetherFiles.campaign(
            "again",
            "{ topic: madeira }",
            "data: { a: b }",
            "schedule: \(place)",
            "delivery: { ttl: 4h, collapse: k }"
        )
        let files = TogetherFiles.files(
            Self.documents(19, isMarked: false) + [repeating]
        )
        #expect(files.findings == (isFound ? files.expected(.collapsibleBurst) : []))
    }

    @Test func `a single campaign may be a burst`() {
        func files(_ minutes: String) -> LoadedFiles {
            TogetherFiles.files([
                TogetherFiles.campaign(
                    "again",
                    "{ topic: madeira }",
                    "data: { a: b }",
                    "schedule: { cron: \"\(minutes) * * * *\" }",
                    "delivery: { ttl: 4h, collapse: k }"
                )
            ])
        }
        #expect(files("*").findings.map(\.rule) == [.collapsibleBurst])
        #expect(files("*/4").findings == [])
    }

    @Test(.covers("F4-android-rate")) func `the 241st message in a minute is a warning`() throws {
        let files = TogetherFiles.files(Self.call(241))
        #expect(files.findings == files.expected(.deviceRate))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        let device = try TogetherFiles.fingerprint("x:1")
        #expect(
            diagnostic.message
                == "registration \(device) would get more than 240 messages per minute"
        )
        #expect(TogetherFiles.files(Self.call(240, isMarked: false)).findings == [])
    }

    @Test(arguments: [("00:00:59", true), ("00:01:00", false)])
    func `a minute is any sixty seconds`(time: String, isFound: Bool) {
        let late = TogetherFiles.campaign(
            "late",
            "{ registrations: [x:1] }",
            "data: { a: b }",
            "schedule: { at: \"2037-01-01 \(time)\" }",
            "delivery: { ttl: 0 }"
        )
        let files = TogetherFiles.files(Self.call(240, isMarked: false) + [late])
        #expect(files.findings.map(\.rule) == (isFound ? [.deviceRate] : []))
    }

    /// 84 campaigns send 5,040 times from 00:00 to 00:59; 83 send 4,980 times.
    @Test(.covers("F4-android-rate"), arguments: [(84, true), (83, false)])
    func `the 5,001st message in an hour is a warning`(count: Int, isFound: Bool) {
        let documents = Self.documents(
            count,
            lines: """
                schedule: { cron: "* * * * *", until: "2037-01-01 02:00" }
                delivery: { ttl: 0, collapse: k }
                """,
            audience: "{ registrations: [x:1] }",
            isMarked: false
        )
        let files = TogetherFiles.files(documents)
        #expect(files.findings.map(\.rule) == (isFound ? [.deviceRate] : []))
        let messages = files.diagnostics.map { $0.message.contains("5,000 messages per hour") }
        #expect(messages == (isFound ? [true] : []))
    }

    @Test func `messages without Android content do not count`() {
        let message = "apns: { payload: { aps: { badge: 1 } } }"
        let apple = Self.documents(
            241,
            message,
            lines: "# herald: allow platform-left-out, no phones\nabout: x",
            audience: "{ registrations: [x:1] }",
            isMarked: false
        )
        #expect(TogetherFiles.files(apple).findings(of: .deviceRate) == [])
    }

    @Test func `the 101st waiting message is a warning`() throws {
        let lines = "delivery: { ttl: 4h }"
        let files = TogetherFiles.files(Self.documents(101, lines: lines))
        #expect(files.findings == files.expected(.tooManyStored))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .warning)
        #expect(
            diagnostic.message
                == "more than 100 messages could wait for a device in `madeira`: FCM "
                + "would discard them all"
        )
        #expect(
            TogetherFiles.files(Self.documents(100, lines: lines, isMarked: false)).findings == []
        )
    }

    @Test(arguments: [("03:59", true), ("04:00", false)])
    func `only messages that wait at the same time add up`(time: String, isFound: Bool) {
        let late = TogetherFiles.campaign(
            "late",
            "{ topic: madeira }",
            "data: { a: b }",
            "schedule: { at: \"2037-01-01 \(time)\" }",
            "delivery: { ttl: 4h }"
        )
        let hundred = Self.documents(100, lines: "delivery: { ttl: 4h }", isMarked: false)
        let files = TogetherFiles.files(hundred + [late])
        #expect(files.findings.map(\.rule) == (isFound ? [.tooManyStored] : []))
    }

    /// 60 messages of each campaign wait, those of the last 60 hours.
    @Test func `repeating campaigns add up, a single one has its own rule`() {
        func document(_ name: String, _ life: String) -> String {
            TogetherFiles.campaign(
                name,
                "{ topic: madeira }",
                "data: { a: b }",
                "schedule: { cron: 3 * * * * }",
                "delivery: { ttl: \(life) }"
            )
        }
        let alone = TogetherFiles.files([document("a", "8d")])
        #expect(alone.findings.map(\.rule) == [.repeatedDataWithoutCollapse])
        let both = TogetherFiles.files([document("a", "60h"), document("b", "60h")])
        #expect(both.findings(of: .tooManyStored).count == 1)
        let few = TogetherFiles.files([document("a", "50h"), document("b", "50h")])
        #expect(few.findings(of: .tooManyStored) == [])
    }
}
