import Diagnostics
import TestSupport
import Testing
import Text

@Suite(.covers("A06"))
struct UrgentSendToTopicTests {
    private static let shown = "{ notification: { title: Tides } }"

    private static func files(
        _ delivery: String,
        message: String = shown,
        audience: String = "topic: tides"
    ) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: \(message)
                delivery: \(delivery)
                """
        )
    }

    @Test(arguments: [
        "{ ttl: «0» }", "{ ttl: «9m59s», priority: high }", "{ ttl: «0», priority: high }",
    ])
    func `now-or-never is a warning at the time to live`(delivery: String) {
        for audience in ["topic: tides", "condition: \"'tides' in topics\""] {
            let files = Self.files(delivery, audience: audience)
            #expect(files.findings == files.expected(.urgentSendToTopic))
            #expect(files.diagnostics.first?.severity == .warning)
        }
    }

    @Test(arguments: [
        "{ ttl: 10m, priority: high }", "{ ttl: 9m59s, priority: normal }", "{ ttl: 1s }",
        "{ priority: high }",
    ])
    func `a message that can wait is accepted`(delivery: String) {
        #expect(Self.files(delivery).findings == [])
    }

    @Test(arguments: [
        "android: { ttl: «0.9s» }", "webpush: { headers: { TTL: «0» } }",
        "apns: { headers: { apns-expiration: «0» } }",
        "android: { ttl: «599s», priority: HIGH }",
        "webpush: { headers: { TTL: «599», Urgency: high } }",
    ])
    func `a platform's own fields count`(block: String) {
        let files = Self.files("{}", message: "{ notification: { title: Tides }, \(block) }")
        #expect(files.findings == files.expected(.urgentSendToTopic))
    }

    @Test(arguments: [
        "android: { ttl: 599s }, webpush: { headers: { Urgency: high } }",
        "android: { ttl: 600s, priority: HIGH }",
    ])
    func `a short TTL on one platform and high priority on another are not urgent`(block: String) {
        #expect(
            Self.files("{}", message: "{ notification: { title: Tides }, \(block) }").findings == []
        )
    }

    @Test func `a platform without content is not urgent`() {
        let message = "{ data: { a: b }, apns: { headers: { apns-expiration: 0 } } }"
        #expect(Self.files("{}", message: message).findings.count == 1)
        let android = "{ android: { data: { a: b } }, webpush: { headers: { TTL: 0 } } }"
        #expect(
            Self.files("{}", message: android).diagnostics.map(\.rule) == [.platformLeftOut]
        )
    }

    /// The current time is 2037-01-01 00:00:00 UTC.
    @Test(arguments: ["«\"2037-01-01 00:01\"»", "«\"2037-01-01 00:09\"»"])
    func `an expires soon after the send time counts like a short ttl`(expiry: String) {
        let files = Self.files("{ expires: \(expiry), priority: high }")
        #expect(files.findings == files.expected(.urgentSendToTopic))
    }

    @Test(arguments: [
        "{ expires: \"2037-01-01 00:10\", priority: high }",
        "{ expires: \"2037-01-01 00:01\", priority: normal }",
    ])
    func `a distant expires is accepted`(delivery: String) {
        #expect(Self.files(delivery).findings == [])
    }

    @Test func `an expires is relative to the due time of a scheduled message`() {
        let schedule = "\nschedule: { at: \"2037-03-20 07:30\" }"
        let soon = "{ expires: «\"2037-03-20 07:31\"», priority: high }\(schedule)"
        let files = Self.files(soon)
        #expect(files.findings == files.expected(.urgentSendToTopic))
        let late = "{ expires: \"2037-03-20 07:40\", priority: high }\(schedule)"
        #expect(Self.files(late).findings == [])
    }

    @Test func `a platform's own field wins over expires`() {
        let files = Self.files(
            "{ expires: \"2037-01-01 00:01\" }",
            message: "{ android: { notification: { title: T }, ttl: 3600s, priority: HIGH } }"
        )
        #expect(files.diagnostics.map(\.rule) == [.platformLeftOut])
    }

    @Test(arguments: ["call_id", "callId", "caller_id", "incoming_call", "sdp"])
    func `call data is a warning at its name`(key: String) {
        let files = Self.files("{ ttl: 1h }", message: "{ data: { station: x, «\(key)»: x } }")
        #expect(files.findings == files.expected(.urgentSendToTopic))
    }

    @Test func `an urgent call is one finding`() {
        let files = Self.files("{ ttl: «0» }", message: "{ data: { call_id: x } }")
        #expect(files.findings == files.expected(.urgentSendToTopic))
    }

    @Test(arguments: ["recall_id", "room", "offer", "called"])
    func `data under other names is not a call`(key: String) {
        #expect(Self.files("{ ttl: 1h }", message: "{ data: { \(key): x } }").findings == [])
    }

    @Test func `an urgent message to registrations is accepted`() {
        let files = Self.files(
            "{ ttl: 0, priority: high }",
            message: "{ data: { call_id: x } }",
            audience: "registrations: [angler:1]"
        )
        #expect(files.findings == [])
    }
}
