import CampaignLoading
import CampaignModel
import Diagnostics
import Testing

struct AnchorsInCampaignsTests {
    @Test func `campaigns share anchored and merged values`() throws {
        let files = LoadedFiles(
            campaign: """
                x-delivery: &urgent { ttl: 1h, priority: high }
                x-title: &title { title: Spring tide }
                campaign: tide
                audience: { topic: tides }
                delivery: { <<: *urgent, priority: normal }
                message:
                  notification: { <<: *title, body: At noon }
                """
        )
        #expect(files.findings == [])
        let plain = LoadedFiles(
            campaign: """
                campaign: tide
                audience: { topic: tides }
                delivery: { priority: normal, ttl: 1h }
                message:
                  notification: { body: At noon, title: Spring tide }
                """
        )
        #expect(files.campaign?.delivery == plain.campaign?.delivery)
    }

    @Test func `a mistake in a shared value is reported once at its definition`() {
        let files = LoadedFiles(
            campaign: """
                campaign: tide
                audience: { topic: tides }
                delivery: &same { ttl: «soon» }
                message: {}
                x-again: *same
                ---
                x-delivery: &same { ttl: «never», «tll»: 1h }
                campaign: storm
                audience: { topic: tides }
                delivery: *same
                message: {}
                ---
                x-delivery: &same { ttl: «late» }
                campaign: calm
                audience: { topic: tides }
                delivery: { <<: *same }
                message: {}
                """
        )
        #expect(
            files.findings
                == files.expected(.durationSyntax, .durationSyntax, .unknownKey, .durationSyntax)
        )
    }

    @Test(arguments: ["*«none»", "{ <<: *«none», ttl: 1h }", "{ <<: «1h» }"])
    func `an unresolved alias or merge causes no further findings`(written: String) {
        let text = written.replacing("*«", with: "«*")
        let files = LoadedFiles(
            campaign: """
                campaign: tide
                audience: { topic: tides }
                delivery: \(text)
                message: {}
                """
        )
        let rule: RuleID = written.contains("none") ? .unknownAnchor : .wrongKind
        #expect(files.findings == files.expected(rule))
    }

    @Test func `a registration behind an alias is concealed at its definition`() {
        let files = LoadedFiles(
            campaign: """
                x-phone: &phone telephone
                x-text: &text { title: Spring tide }
                campaign: tide
                audience: { registrations: [*phone] }
                message: { notification: *text }
                """
        )
        #expect(files.findings == [])
        let shown = files.loaded.catalog[SourceID(index: 1)].bytes
        #expect(
            String(decoding: shown, as: UTF8.self).hasPrefix("x-phone: &phone *********\nx-text")
        )
    }
}
