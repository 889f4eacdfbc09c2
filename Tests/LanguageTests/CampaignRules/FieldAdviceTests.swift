import CampaignModel
import Diagnostics
import JSON
import TestSupport
import Testing
import Text

/// Tests `reserved-data-key-legacy`, `collapse-key-on-notification` and `topic-case`.
struct FieldAdviceTests {
    private static func files(_ message: String) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { \(message) }
                """
        )
    }

    @Test(
        .covers("F1.3-data-reserved-wide"),
        arguments: ["google", "google_lot", "gcm", "gcm.lot", "gcm.notification"]
    )
    func `keys that only some pages reserve are an error in all data`(key: String) {
        let files = Self.files(
            """
            data: { lot: x, «\(key)»: x }, android: { data: { «\(key)»: x } },
              webpush: { data: { «\(key)»: x } }
            """
        )
        #expect(
            files.findings
                == files.expected(
                    .reservedDataKeyLegacy,
                    .reservedDataKeyLegacy,
                    .reservedDataKeyLegacy
                )
        )
        #expect(files.diagnostics.allSatisfy { $0.severity == .error })
    }

    @Test(arguments: ["google_lot", "gcm"])
    func `a comment allows a key that only some pages reserve`(key: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  # herald: allow reserved-data-key-legacy, FCM accepts it
                  data: { \(key): x }
                """
        )
        #expect(files.findings == [])
        #expect(files.campaign?.content.value(at: ["data", key])?.stringValue == "x")
    }

    @Test(.covers("F1.3-data-collapse-key"))
    func `a key that FCM overwrites is a warning`() {
        let files = Self.files("data: { «collapse_key»: x }")
        #expect(files.findings == files.expected(.reservedDataKeyLegacy))
        #expect(files.diagnostics.map(\.severity) == [.warning])
    }

    @Test(arguments: ["goggles", "my_google", "Google", "gc", "collapse_keys", "collapse"])
    func `other keys are accepted`(key: String) {
        #expect(Self.files("data: { \(key): x }").findings == [])
    }

    @Test func `a refused key has no additional warning`() {
        let files = Self.files("data: { «google.x»: a, «gcm.notification.x»: a }")
        #expect(files.findings == files.expected(.reservedDataKey, .reservedDataKey))
    }

    @Test(arguments: [
        "notification: { title: Tides }, android: { collapse_key: «score» }",
        "data: { a: b }, android: { collapse_key: «score», notification: { body: x } }",
    ])
    func `a collapse key without effect on an Android notification is a warning`(message: String) {
        let files = Self.files(message)
        #expect(files.findings == files.expected(.collapseKeyOnNotification))
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test(arguments: [
        "data: { a: b }, android: { collapse_key: score }",
        "notification: { title: Tides }, android: { notification: { tag: score } }",
        "data: { a: b }, android: { collapse_key: score }, "
            + "apns: { payload: { aps: { alert: Tides } } }",
    ])
    func `a collapse key on data and a tag are accepted`(message: String) {
        #expect(Self.files(message).findings == [])
    }

    @Test func `the collapse key from delivery is written into an effective field`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { notification: { title: Tides } }
                delivery: { collapse: score }
                """
        )
        #expect(files.findings == [])
    }

    @Test(.covers("F3-case-warning"))
    func `topics that differ only by case are a warning at the later one`() {
        let files = LoadedFiles(
            project: """
                version: 1
                project: p
                topics: { ‹tides›: {}, azores: {}, «Tides»: {}, tide: {} }
                """
        )
        #expect(files.findings == files.expected(.topicCase))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test func `topics that differ otherwise are accepted`() {
        #expect(
            LoadedFiles(
                project: "version: 1\nproject: p\ntopics: { tides: {}, tides-1: {}, Azores: {} }"
            ).findings == []
        )
    }
}
