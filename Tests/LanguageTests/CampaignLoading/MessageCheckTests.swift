import Diagnostics
import TestSupport
import Testing

struct MessageCheckTests {
    private static func files(_ message: String, defaults: String = "{}") -> LoadedFiles {
        LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaults: { message: \(defaults) }\n"),
            (
                "campaigns/a.yaml",
                "campaign: a\naudience: { topic: tides }\nmessage: \(message)\n"
            ),
        ])
    }

    @Test(arguments: [
        "{ android: { notification: { «title_loc_args»: [a] } } }",
        "{ android: { notification: { body: b, «body_loc_args»: [] } } }",
        "{ android_v2: { remote_notification: { notification: { «body_loc_args»: [a] } } } }",
        "{ apns: { payload: { aps: { alert: { loc-key: k, «title-loc-args»: [a] } } } } }",
        "{ apns: { payload: { aps: { alert: { title: t, «subtitle-loc-args»: [a] } } } } }",
        "{ apns: { payload: { aps: { alert: { title-loc-key: k, «loc-args»: [a] } } } } }",
        "{ apns: { payload: { aps: { sound: { «critical»: 1 } } } } }",
        "{ apns: { payload: { aps: { sound: «{}» } } } }",
        "{ android_v2: «{}» }", "{ android_v2: { «ttl»: 60s } }",
        "{ android_v2: { remote_notification: { «mutable_content»: true } } }",
        "{ webpush: { notification: { «renotify»: true } } }",
        "{ webpush: { notification: { actions: [{ «action»: a }] } } }",
        "{ webpush: { notification: { actions: [{ «title»: a }] } } }",
        "{ apns: { payload: { aps: { «content-state»: {} } } } }",
        "{ apns: { payload: { aps: { «stale-date»: 0 } } } }",
        "{ apns: { payload: { aps: { «dismissal-date»: 0 } } } }",
        "{ apns: { payload: { aps: { «attributes»: {} } } } }",
        "{ apns: { payload: { aps: { «attributes-type»: A } } } }",
        "{ apns: { payload: { aps: { «input-push-token»: 1 } } } }",
        "{ apns: { payload: { aps: { «input-push-channel»: c } } } }",
        "{ apns: { payload: { aps: { «event»: end } } } }",
        "{ apns: { payload: { aps: { «event»: update, timestamp: 1 } } } }",
        "{ apns: { «live_activity_token»: t } }",
        "{ apns: { «live_activity_token»: t, payload: { aps: { timestamp: 1 } } } }",
    ])
    func `a key without the key that it requires is one finding`(message: String) {
        let files = Self.files(message)
        #expect(files.errors == files.expected(.missingKey))
    }

    @Test func `a light requires all of its three keys`() {
        let light = "light_settings: { «color»: { red: 1 } }"
        let files = Self.files("{ android: { notification: { \(light) } } }")
        let places = files.expected(.missingKey)
        #expect(files.errors == places + places)
        let messages = files.diagnostics.map(\.message)
        #expect(messages.filter { $0.contains("`light_on_duration`") }.count == 1)
        #expect(messages.filter { $0.contains("`light_off_duration`") }.count == 1)
    }

    @Test func `a Live Activity starts with its type, attributes and state`() {
        let files = Self.files(
            "{ apns: { payload: { aps: { «event»: start, timestamp: 1 } } } }"
        )
        let place = files.expected(.missingKey)
        #expect(files.errors == place + place + place)
    }

    @Test(arguments: [
        "{ apns: { payload: { aps: { event: end, timestamp: 1 } } } }",
        "{ apns: { payload: { aps: { event: update, timestamp: 1, content-state: {} } } } }",
        "{ webpush: { notification: { renotify: false } } }",
        "{ webpush: { notification: { silent: false, vibrate: [200] } } }",
        "{ webpush: { notification: { silent: true } } }",
        "{ android_v2: { background_sync: {} } }",
        "{ apns: { payload: { aps: { sound: default } } } }",
        "{ apns: { payload: { aps: { relevance-score: 1 } } } }",
    ])
    func `keys that belong together are accepted`(message: String) {
        #expect(Self.files(message).errors == [])
    }

    @Test(arguments: [
        (
            "{ webpush: { notification: { silent: true, «vibrate»: [200] } } }",
            RuleID.conflictingKeys
        ),
        (
            "{ android_v2: { background_sync: {}, «remote_notification»: "
                + "{ notification: { title: t } } } }",
            .conflictingKeys
        ),
        ("{ apns: { payload: { aps: { relevance-score: «1.5» } } } }", .numberOutOfRange),
        ("{ apns: { payload: { aps: { relevance-score: «2» } } } }", .numberOutOfRange),
    ])
    func `keys that exclude each other are one finding`(message: String, rule: RuleID) {
        let files = Self.files(message)
        #expect(files.errors == files.expected(rule))
    }

    @Test func `the required key may be in the defaults`() {
        let files = Self.files(
            "{ android: { notification: { title_loc_key: k } } }",
            defaults: "{ android: { notification: { title_loc_args: [a] } } }"
        )
        #expect(files.errors == [])
    }

    @Test func `a missing key under a campaign is reported in the defaults`() {
        let files = Self.files(
            "{ notification: { title: t } }",
            defaults: "{ android: { notification: { «title_loc_args»: [a] } } }"
        )
        #expect(files.errors == files.expected(.missingKey))
    }

    @Test func `the content of a list in the defaults is checked as complete`() {
        let files = LoadedFiles([
            (
                "herald.yaml",
                LoadedFiles.smallProject
                    + "\ndefaults: { message: { webpush: { notification: "
                    + "{ renotify: true, actions: [{ «action»: a }] } } } }\n"
            )
        ])
        #expect(files.errors == files.expected(.missingKey))
    }

    @Test func `a variant may inherit the required key from its campaign`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { registrations: ["ana:1", "bo:1"] }
                message: { android: { notification: { title_loc_key: k } } }
                locales:
                  pt: { android: { notification: { title_loc_args: [a] } } }
                """
            ),
        ])
        #expect(files.findings.filter { $0.rule == .missingKey } == [])
    }

    @Test(
        .covers("F1.5-payload-aps"),
        arguments: [
            "{ apns: { payload: «{}» } }",
            "{ notification: { title: t }, apns: { payload: { «station»: horta } } }",
            "{ apns: { payload: { aps: «{}» } } }",
            "{ apns: { payload: { aps: «{ x-note: mine }», station: horta } } }",
            "{ apns: { payload: { «alert»: High tide } } }",
            "{ apns: { payload: { aps: { sound: default }, «badge»: 1 } } }",
            "{ apns: { payload: { «alert»: { title: t }, «badge»: 1 } } }",
        ]
    )
    func `a payload for Apple needs aps with content, and its keys under it`(message: String) {
        let files = Self.files(message)
        #expect(files.errors.map(\.place) == files.places)
        #expect(Set(files.errors.map(\.rule)) == [.apnsPayload])
    }

    @Test(arguments: [
        "{ apns: { payload: { aps: { content-available: 1 } } } }",
        "{ apns: { payload: { aps: { sound: default }, sound: own, station: horta } } }",
        "{ apns: { headers: { apns-priority: 5 } } }",
    ])
    func `a payload with aps, and no payload, are accepted`(message: String) {
        #expect(Self.files(message).errors == [])
    }

    @Test func `aps may be in the defaults`() {
        let files = Self.files(
            "{ apns: { payload: { station: horta } } }",
            defaults: "{ apns: { payload: { aps: { sound: default } } } }"
        )
        #expect(files.errors == [])
    }

    @Test func `a payload without aps in the defaults is an error under each campaign`() {
        let files = Self.files(
            "{ notification: { title: t } }",
            defaults: "{ apns: { payload: { «station»: horta } } }"
        )
        #expect(files.errors == files.expected(.apnsPayload))
    }

    @Test func `a misspelled aps is one finding`() {
        let files = Self.files("{ apns: { payload: { «apss»: { badge: 1 } } } }")
        #expect(files.errors == files.expected(.unknownKey))
    }

    @Test func `a misspelled key counts as the intended one`() {
        let files = Self.files(
            "{ android: { notification: { title_loc_args: [a], «titleLocKey»: k } } }"
        )
        #expect(files.errors == files.expected(.unknownKey))
    }
}
