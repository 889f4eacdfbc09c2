import Diagnostics
import Testing
import Text

/// Tests that a misspelled key is not also reported as missing.
struct FlawedCampaignTests {
    private static let tonight = """
        campaign: b
        audience: { topic: tides }
        message: { notification: { title: «Tonight» } }
        """

    @Test func `a campaign with an error has no findings about missing parts`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { notification: { title: Tonight } }
                «delivry»: { ttl: 4h }
                ---
                \(Self.tonight)
                """
        )
        #expect(files.findings == files.expected(.unknownKey, .datedContentWithoutTTL))
    }

    @Test(arguments: [
        "«notificaton»: { title: Tides }, apns: { headers: { apns-priority: 10 } }",
        "«dta»: { a: b }, webpush: { notification: { title: Tides } }",
    ])
    func `a campaign with an error has no finding about a missing platform`(message: String) {
        let files = LoadedFiles(
            campaign: "campaign: a\naudience: { topic: tides }\nmessage: { \(message) }\n"
        )
        #expect(files.findings == files.expected(.unknownKey))
    }

    @Test func `an error in the project file also suppresses missing defaults`() {
        let files = LoadedFiles([
            (
                "herald.yaml",
                "version: 1\nproject: p\ntopics: { tides: {} }\n«defalts»: { delivery: { ttl: 4h } }"
            ),
            ("campaigns/a.yaml", Self.tonight),
        ])
        #expect(files.findings.map(\.rule) == [.unknownKey])
    }

    @Test func `present problems are still reported`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { data: { «otp»: 1 } }
                «delivry»: { ttl: 4h }
                """
        )
        #expect(files.findings == files.expected(.privateContentToTopic, .unknownKey))
    }
}
