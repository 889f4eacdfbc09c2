import CampaignLoading
import Diagnostics
import TestSupport
import Testing

// The fields of the v1 message: an accepted value for each, and one out of range.
extension LimitTests {
    private func onAndroid(_ field: String) -> String { "{ android: { \(field): ¶ } }" }

    private func inNotification(_ field: String) -> String {
        "{ android: { notification: { \(field): ¶ } } }"
    }

    private func inAps(_ field: String) -> String {
        "{ apns: { payload: { aps: { \(field): ¶ } } } }"
    }

    private func inHeaders(_ field: String) -> String { "{ apns: { headers: { \(field): ¶ } } }" }

    @Test(.covers("F1.3-name"))
    func `a message accepts data but no name`() {
        expect("data", not: "name", .unknownKey, inField: "{ ¶: {} }")
    }

    @Test(arguments: ["-1", "99999999999999999999", "-99999999999999999999"])
    func `a very large integer is out of range, not of the wrong kind`(number: String) {
        let reach = LoadedFiles(
            project: "version: 1\nproject: p\ntopics: { tides: { reach: «\(number)» } }\n"
        )
        #expect(reach.findings == reach.expected(.numberOutOfRange))
        #expect(reach.diagnostics.first?.message == "\(number) is out of range")
        #expect(reach.diagnostics.first?.label == "should be from 0 to 1000000000000")
    }

    @Test(arguments: ["99999999999999999999", "-99999999999999999999"])
    func `an integer in a message is also out of range`(number: String) {
        expect("3", not: number, .numberOutOfRange, inField: inAps("badge"))
    }

    @Test(.covers("F1.3-image"), arguments: ["https://a.example/b.png", "http://a.example/b"])
    func `an image must be an address`(address: String) {
        let field = "{ notification: { image: ¶ } }"
        expect("\"\(address)\"", not: "tide.png", .invalidURL, inField: field)
        expect("\"\(address)\"", not: "ftp://a.example/b", .invalidURL, inField: field)
    }

    @Test(
        .covers("F1.4-direct-boot", "F1.4-constrained"),
        arguments: ["direct_boot_ok", "bandwidth_constrained_ok", "restricted_satellite_ok"]
    )
    func `Android's permissions are true or false`(field: String) {
        expect("true", not: "1", .wrongKind, inField: onAndroid(field))
        expect("false", not: "yes", .wrongKind, inField: onAndroid(field))
    }

    @Test(
        .covers("F1.4-texts", "C15"),
        arguments: [
            "title", "body", "icon", "sound", "tag", "click_action", "channel_id", "ticker",
        ]
    )
    func `Android's texts accept any text and nothing else`(field: String) {
        expect("\"\"", not: "[a]", .wrongKind, inField: inNotification(field))
        expect("0123", not: "{ a: b }", .wrongKind, inField: inNotification(field))
    }

    @Test(.covers("F1.4-color")) func `a colour has six hexadecimal digits`() {
        let field = inNotification("color")
        expect("\"#09afAF\"", not: "\"#09afAFF\"", .invalidColour, inField: field)
        expect("\"#000000\"", not: "\"#00000g\"", .invalidColour, inField: field)
    }

    @Test(.covers("F1.4-loc"), arguments: ["title", "body"])
    func `arguments of a text require the text's key`(text: String) {
        let notification = "android: { notification: { \(text)_loc_key: k, ¶: [a, \"1\"] } }"
        expect(
            "\(text)_loc_args",
            not: "\(text)_loc_arg",
            .unknownKey,
            inField: "{ \(notification) }"
        )
        expect(
            "x-note",
            not: "\(text)_loc_args",
            .missingKey,
            inField: "{ android: { notification: { ¶: [a] } } }"
        )
    }

    @Test(
        .covers("F1.4-notification-priority"),
        arguments: ["UNSPECIFIED", "MIN", "LOW", "DEFAULT", "HIGH", "MAX"]
    )
    func `Android's notification priority has six values`(word: String) {
        let field = inNotification("notification_priority")
        expect("PRIORITY_\(word)", not: "PRIORITY_URGENT", .unknownValue, inField: field)
        expect("PRIORITY_\(word)", not: "priority_max", .unknownValue, inField: field)
    }

    @Test(
        .covers("F1.4-proxy"),
        arguments: ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]
    )
    func `a proxy is allowed, denied, or left to the priority`(word: String) {
        expect(word, not: "allow", .unknownValue, inField: inNotification("proxy"))
    }

    @Test(
        .covers("F1.4-visibility"),
        arguments: ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]
    )
    func `the lock screen visibility has four values`(word: String) {
        expect(word, not: "HIDDEN", .unknownValue, inField: inNotification("visibility"))
    }

    @Test(.covers("F1.4-bypass")) func `a deprecated field is a warning at its key`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { android: { notification: { «bypass_proxy_notification»: true } } }
                """
        )
        let found = files.diagnostics.filter { $0.rule == .deprecatedKey }
        #expect(found.map(\.severity) == [.warning])
        #expect(found.map { Finding($0, files.loaded.catalog).place } == files.places)
    }

    @Test(
        .covers("F1.4-flags"),
        arguments: [
            "sticky", "local_only", "default_sound", "default_vibrate_timings",
            "default_light_settings",
        ]
    )
    func `Android's switches are true or false`(field: String) {
        expect("true", not: "on", .wrongKind, inField: inNotification(field))
        expect("false", not: "0", .wrongKind, inField: inNotification(field))
    }

    @Test(.covers("F1.4-event-time")) func `an event's time is a timestamp with a zone`() {
        let field = inNotification("event_time")
        expect(
            "\"2037-03-20T07:30:00Z\"",
            not: "\"2037-03-20T07:30:00\"",
            .momentSyntax,
            inField: field
        )
        expect(
            "\"2037-03-20T07:30:00.123456789+01:00\"",
            not: "\"2037-03-20\"",
            .momentSyntax,
            inField: field
        )
    }

    @Test(.covers("F1.4-count")) func `a notification count is at most 2,147,483,647`() {
        let field = inNotification("notification_count")
        expect("2147483647", not: "2147483648", .numberOutOfRange, inField: field)
        expect("0", not: "-1", .numberOutOfRange, inField: field)
    }

    @Test(.covers("F1.4-vibrate")) func `a vibration is a list of durations`() {
        let field = "{ android: { notification: { vibrate_timings: [0s, ¶] } } }"
        expect("0.25s", not: "250", .durationSyntax, inField: field)
        expect("1.123456789s", not: "1.1234567891s", .durationSyntax, inField: field)
    }

    @Test(.covers("F1.4-light"), arguments: ["red", "green", "blue", "alpha"])
    func `a light's colour components are from 0 to 1`(part: String) {
        let field =
            "{ android: { notification: { light_settings: { color: { \(part): ¶ }, "
            + "light_on_duration: 1s, light_off_duration: 2s } } } }"
        expect("1", not: "1.01", .numberOutOfRange, inField: field)
        expect("0.0", not: "-0.01", .numberOutOfRange, inField: field)
    }

    @Test(.covers("F1.4-light"), arguments: ["color", "light_on_duration", "light_off_duration"])
    func `a light requires a colour and both durations`(key: String) {
        let all = ["color": "{ red: 1 }", "light_on_duration": "1s", "light_off_duration": "2s"]
        let rest = all.filter { $0.key != key }.sorted { $0.key < $1.key }
        let text = rest.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { android: { notification: { light_settings: { \(text) } } } }
                """
        )
        #expect(files.errors.map(\.rule) == [.missingKey])
        #expect(files.diagnostics.contains { $0.message.contains("`\(key)`") })
    }

    @Test(.covers("F1.4-v2")) func `the preview form has one of two kinds and no priority`() {
        let kind = "{ android_v2: { ¶: {} } }"
        expect("background_sync", not: "background_snyc", .unknownKey, inField: kind)
        let shown = "{ android_v2: { ¶: { notification: { title: T } } } }"
        expect("remote_notification", not: "remote_notificatoin", .unknownKey, inField: shown)
        let more = "{ android_v2: { background_sync: {}, ¶: high } }"
        expect("x-note", not: "priority", .unknownKey, inField: more)
        let both = "{ android_v2: { background_sync: {}, ¶: { notification: { title: T } } } }"
        expect("x-note", not: "remote_notification", .conflictingKeys, inField: both)
    }

    @Test(.covers("F1.5-options")) func `Apple's options have a label and an image`() {
        let field = "{ apns: { fcm_options: { analytics_label: a, image: ¶ } } }"
        expect("\"https://a.example/b.png\"", not: "b.png", .invalidURL, inField: field)
    }

    @Test(
        .covers("F1.5-push-type"),
        arguments: [
            "alert", "background", "complication", "controls", "fileprovider", "liveactivity",
            "location", "mdm", "pushtotalk", "voip", "widgets",
        ]
    )
    func `Apple's push type has eleven values`(type: String) {
        expect(type, not: "silent", .invalidHeader, inField: inHeaders("apns-push-type"))
    }

    @Test(
        .covers("F1.5-topic"),
        arguments: ["com.example.Tides", "com.example.tides.push-type.liveactivity"]
    )
    func `Apple's topic is a bundle ID with or without a suffix`(id: String) {
        expect(id, not: "\"com example\"", .invalidHeader, inField: inHeaders("apns-topic"))
    }

    @Test(.covers("F1.5-id")) func `Apple's message ID is a UUID`() {
        let uuid = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        let field = inHeaders("apns-id")
        expect(uuid, not: String(uuid.dropLast()), .invalidHeader, inField: field)
        expect(uuid.uppercased(), not: uuid + "0", .invalidHeader, inField: field)
    }

    @Test(.covers("F1.5-sound")) func `a sound's volume is from 0 to 1`() {
        let field = inAps("sound").replacing("¶", with: "{ name: bell, volume: ¶ }")
        expect("1", not: "1.1", .numberOutOfRange, inField: field)
        expect("0", not: "-0.1", .numberOutOfRange, inField: field)
        expect("bell", not: "[bell]", .wrongKind, inField: inAps("sound"))
    }

    @Test(.covers("F1.5-loc"), arguments: ["", "title-", "subtitle-"])
    func `arguments of an alert require its key`(part: String) {
        expect(
            "x-note",
            not: "\(part)loc-args",
            .missingKey,
            inField: "{ apns: { payload: { aps: { alert: { ¶: [a] } } } } }"
        )
        expect(
            "\(part)loc-args",
            not: "\(part)loc-arg",
            .unknownKey,
            inField:
                "{ apns: { payload: { aps: { alert: { \(part)loc-key: k, ¶: [a] } } } } }"
        )
    }

    @Test(.covers("F1.5-size")) func `Apple's payload has at most 4,096 bytes`() {
        let allow = "# herald: allow payload-over-4000, a test of the limit\n"
        for (count, rules) in [(4_092, []), (4_093, [RuleID.payloadTooLarge])] {
            // The text is the body, which adds 4 bytes.
            let files = LoadedFiles(
                campaign: allow + """
                    campaign: a
                    audience: { registrations: [a] }
                    message: { apns: { payload: { aps: { alert: \(letters(count)) } } } }
                    """
            )
            #expect(files.errors.map(\.rule) == rules)
        }
    }

    @Test(.covers("F1.6-dir"), arguments: ["auto", "ltr", "rtl"])
    func `the text direction has three values`(direction: String) {
        expect(
            direction,
            not: "up",
            .unknownValue,
            inField: "{ webpush: { notification: { dir: ¶ } } }"
        )
    }
}
