import Diagnostics
import TestSupport
import Testing
import Text

/// Tests `platform-left-out` and `tap-target-one-sided`: content that only some platforms have.
struct ContentByPlatformTests {
    private static func files(
        _ message: String,
        audience: String = "topic: tides"
    ) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { \(message) }
                """
        )
    }

    @Test(
        .covers("C24"),
        arguments: [
            (
                "«webpush»: { notification: { title: Tides } }", "Android and Apple platforms",
                "the web"
            ),
            (
                "webpush: { data: { a: b } }, «android»: { data: { a: b } }", "Apple platforms",
                "Android and the web"
            ),
            (
                "«apns»: { payload: { aps: { content-available: 1 } } }, android: { priority: normal }",
                "Android and the web",
                "Apple platforms"
            ),
        ]
    )
    func `a platform without content is a note at the first other content`(
        message: String,
        without: String,
        with: String
    ) {
        for audience in ["topic: tides", "condition: \"'tides' in topics\""] {
            let files = Self.files(message, audience: audience)
            #expect(files.findings == files.expected(.platformLeftOut))
            let note = files.diagnostics.first
            #expect(note?.severity == .note)
            #expect(note?.message == "the message has no content for \(without)")
            #expect(note?.label == "content for \(with) only")
        }
    }

    @Test(arguments: [
        "data: { a: b }", "notification: { title: Tides }, android: { data: { a: b } }", "",
        "android: { data: { a: b } }, webpush: { data: { a: b } }, "
            + "apns: { payload: { aps: { content-available: 1 } } }",
    ])
    func `a message for every platform is accepted`(message: String) {
        #expect(Self.files(message).findings == [])
    }

    @Test func `a message to chosen registrations may omit platforms`() {
        let message = "webpush: { notification: { title: Tides } }"
        #expect(Self.files(message, audience: "registrations: [angler:1]").findings == [])
    }

    @Test(
        .covers("C29-target"),
        arguments: [
            ("android: { notification: { click_action: «OPEN» } }", "Apple platforms and the web"),
            ("apns: { payload: { aps: { category: «OPEN» } } }", "Android and the web"),
            (
                "webpush: { fcm_options: { link: «\"https://a.example\"» } }",
                "Android and Apple platforms"
            ),
            ("webpush: { notification: { data: «{ a: b }» } }", "Android and Apple platforms"),
            ("data: { a: b }, android: { notification: { click_action: «OPEN» } }", "the web"),
            (
                "android: { notification: { click_action: «OPEN» } }, "
                    + "apns: { payload: { aps: { category: TIDES } } }", "the web"
            ),
        ]
    )
    func `a tap target on one platform only is a note at the first`(
        message: String,
        without: String
    ) {
        let files = Self.files("notification: { title: Tides }, " + message)
        #expect(files.findings == files.expected(.tapTargetOneSided))
        let note = files.diagnostics.first
        #expect(note?.severity == .note)
        #expect(note?.message == "the notification has no tap target on \(without)")
    }

    @Test(arguments: [
        "notification: { title: Tides }",
        "notification: { title: Tides }, data: { a: b }",
        "notification: { title: Tides }, data: { a: b }, "
            + "webpush: { fcm_options: { link: \"https://a.example\" } }",
        "data: { a: b }, android: { notification: { title: Tides, click_action: OPEN } }",
        "data: { a: b }, android: { notification: {} }, apns: { payload: { aps: { category: A } } }",
    ])
    func `tap targets on all, none, or invisible platforms are accepted`(message: String) {
        #expect(Self.files(message).findings == [])
    }
}
