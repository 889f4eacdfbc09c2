import Diagnostics
import TestSupport
import Testing

@Suite(.covers("C03", "C04", "F4-payload-guide", "F4-payload-reference"))
struct PayloadTooLargeTests {
    private static let topic = "topic: tides"
    private static let condition = "condition: \"'tides' in topics\""
    private static let list = "registrations: [angler:1]"

    /// Returns a campaign with a payload of this size; the key has 4 bytes.
    private static func campaign(
        _ audience: String,
        bytes: Int,
        of letter: String = "x"
    ) -> LoadedFiles {
        let count = (bytes - 4) / letter.utf8.count
        let rest = (bytes - 4) % letter.utf8.count
        let text = String(repeating: letter, count: count) + String(repeating: "x", count: rest)
        return LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { data: { text: «\(text)» } }
                """
        )
    }

    @Test(
        arguments: [
            (topic, 2_048, []), (topic, 2_049, [.payloadOver2048]),
            (condition, 2_048, []), (condition, 2_049, [.payloadOver2048]),
            (list, 2_049, []), (list, 4_000, []), (list, 4_001, [.payloadOver4000]),
            (list, 4_096, [.payloadOver4000]), (list, 4_097, [.payloadTooLarge]),
            (topic, 4_000, [.payloadOver2048]),
            (topic, 4_050, [.payloadOver2048, .payloadOver4000]),
            (topic, 4_096, [.payloadOver2048, .payloadOver4000]),
            (topic, 4_097, [.payloadTooLarge]), (condition, 4_097, [.payloadTooLarge]),
        ] as [(String, Int, [RuleID])]
    )
    func `a payload may reach its limit but not exceed it`(
        audience: String,
        bytes: Int,
        rules: [RuleID]
    ) throws {
        for letter in ["x", "é", "潮", "🌊"] {
            let files = Self.campaign(audience, bytes: bytes, of: letter)
            #expect(files.diagnostics.map(\.rule).sorted() == rules)
            #expect(Set(files.diagnostics.map(\.severity)).isSubset(of: [.error]))
            let places = Set(files.findings.map(\.place))
            #expect(places == Set(files.findings.isEmpty ? [] : [try files.place]))
        }
    }

    @Test func `the finding names the excess and the largest fields`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: [angler:1] }
                message:
                  notification: { title: High water, body: Soon }
                  data: { short: a, text: «\(String(repeating: "x", count: 4_000))» }
                """
        )
        #expect(files.findings == files.expected(.payloadOver4000))
        // title High water, body Soon, short a, text …, Herald's tag: 15 + 8 + 6 + 4,004 + 19
        #expect(
            files.diagnostics.first?.message
                == "the message of `a` is 52 bytes too large for android: 4052 of 4000"
        )
        #expect(
            files.diagnostics.first?.help.first
                == "the largest fields: `data.text` 4004 bytes, `notification.title` 15 bytes, "
                + "`notification.body` 8 bytes"
        )
        #expect(
            Self.campaign(Self.topic, bytes: 2_049).diagnostics.first?.message
                == "the message of `a` is 1 byte too large for android: 2049 of 2048"
        )
    }

    @Test func `checks the platform with the largest payload and marks its largest field`() {
        let long = String(repeating: "x", count: 1_500)
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  notification: { title: \(long) }
                  apns: { payload: { aps: { badge: 1 }, route: «\(long)y» } }
                """
        )
        #expect(files.findings == files.expected(.payloadOver2048))
        #expect(files.diagnostics.first?.message.contains("for apple: 3017 of 2048") == true)
        #expect(
            files.diagnostics.first?.help.first
                == "the largest fields: `apns.payload.route` 1506 bytes, "
                + "`notification.title` 1505 bytes, `apns.payload.aps.badge` 6 bytes"
        )
    }

    @Test(arguments: ["android", "webpush"])
    func `data that a platform replaces are not counted there`(block: String) {
        let text = String(repeating: "x", count: 1_500)
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { data: { a: \(text) }, \(block): { data: { a: \(text) } } }
                """
        )
        #expect(files.findings == [])
    }

    @Test func `fields from delivery count in the notification`() {
        // title …: 5 + 2,036; tag tide: 3 + 4
        for (count, rules) in [(2_036, []), (2_037, [RuleID.payloadOver2048])] {
            let files = LoadedFiles(
                campaign: """
                    campaign: a
                    audience: { topic: tides }
                    message:
                      android:
                        notification: { title: \(String(repeating: "x", count: count)) }
                    delivery: { collapse: tide }
                    """
            )
            let found = files.diagnostics.map(\.rule).filter { $0 != .platformLeftOut }
            #expect(found == rules)
        }
    }

    @Test func `delivery is marked if its field is the largest`() {
        let key = String(repeating: "k", count: 32)
        let data = (0..<100).map { "key-\($0 + 100): \(String(repeating: "v", count: 20))" }
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { notification: { title: T }, data: { \(data.joined(separator: ", ")) } }
                delivery: { collapse: «\(key)» }
                """
        )
        #expect(files.findings == files.expected(.payloadOver2048))
        #expect(
            files.diagnostics.first?.help.first?.contains("`delivery.collapse` 35 bytes") == true
        )
    }

    @Test(
        .covers("C03", "C04", "F4-payload-allow"),
        arguments: [
            (list, 4_001, ["payload-over-4000"], []), (list, 4_096, ["payload-over-4000"], []),
            (list, 4_097, ["payload-over-4000"], [.payloadTooLarge]),
            (topic, 2_049, ["payload-over-2048"], []), (topic, 4_000, ["payload-over-2048"], []),
            (topic, 4_001, ["payload-over-2048"], [.payloadOver4000]),
            (topic, 4_096, ["payload-over-2048", "payload-over-4000"], []),
            (topic, 4_097, ["payload-over-2048"], [.payloadTooLarge]),
        ] as [(String, Int, [String], [RuleID])]
    )
    func `a comment silences a documented limit but never one that FCM enforces`(
        audience: String,
        bytes: Int,
        allowed: [String],
        rules: [RuleID]
    ) {
        let comments = allowed.map { "# herald: allow \($0), the law prescribes the text\n" }
        let text = String(repeating: "x", count: bytes - 4)
        let files = LoadedFiles(
            campaign: comments.joined() + """
                campaign: a
                audience: { \(audience) }
                message: { data: { text: \(text) } }
                """
        )
        #expect(files.diagnostics.map(\.rule).filter { $0 != .unusedAllow } == rules)
    }

    @Test(arguments: ["payload-too-large", "condition-never-true"])
    func `no comment silences a limit that FCM enforces`(rule: String) {
        let files = LoadedFiles(
            campaign: """
                # herald: allow «\(rule)», I insist
                campaign: a
                audience: { topic: tides }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.fixedRule))
    }
}

extension LoadedFiles {
    /// The only marked place.
    fileprivate var place: Finding.Place? {
        get throws { try #require(expected(.payloadTooLarge).first).place }
    }
}
