import FCMWire
import TestSupport
import Testing

/// What FCM reads and refuses: each limit just kept, and passed.
struct SendRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let message: String
        let field: String
        let text: String

        init(_ message: String, _ field: String, _ text: String) {
            self.message = message
            self.field = field
            self.text = text
        }

        var testDescription: String { String(message.prefix(120)) }
    }

    private static let accents33 = String(repeating: "é", count: 33)
    private static let letters51 = String(repeating: "l", count: 51)
    private static let letters901 = String(repeating: "t", count: 901)
    private static let badTopic = "Topic name contains invalid characters."
    private static let badLife =
        "Invalid time to live: it must be between 0s and 2419200s."
    private static let badLabel =
        "Invalid analytics label: it must match \"^[a-zA-Z0-9-_.~%]{1,50}$\"."
    private static let badPriority = "apns-priority 10 cannot be used for a background push."

    static let targets = [
        Refusal(#""data":{"a":"1"}"#, "message", "Recipient of the message is not set."),
        Refusal(#""topic":"/topics/tides""#, "message", badTopic),
        Refusal(#""topic":"ti des""#, "message", badTopic),
        Refusal(#""topic":"tides\n""#, "message", badTopic),
        Refusal(#""topic":"private/tides""#, "message", badTopic),
        Refusal(#""topic":"""#, "message", badTopic),
        Refusal(#""topic":"\#(letters901)""#, "message", badTopic),
    ]

    static let common = [
        Refusal(
            #""token":"pixel","data":{"x":"1","from":"1"}"#,
            "message.data[1].key",
            "Invalid data payload key: from"
        ),
        Refusal(
            #""token":"pixel","data":{"message_type":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: message_type"
        ),
        Refusal(
            #""token":"pixel","data":{"google.x":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: google.x"
        ),
        Refusal(
            #""token":"pixel","data":{"gcm.notification.x":"1"}"#,
            "message.data[0].key",
            "Invalid data payload key: gcm.notification.x"
        ),
        Refusal(
            #""token":"pixel","fcm_options":{"analytics_label":"spring sale"}"#,
            "message.fcm_options.analytics_label",
            badLabel
        ),
        Refusal(
            #""token":"pixel","fcm_options":{"analytics_label":"\#(letters51)"}"#,
            "message.fcm_options.analytics_label",
            badLabel
        ),
    ]

    static let android = [
        Refusal(
            #""token":"pixel","android":{"data":{"from":"1"}}"#,
            "message.android.data[0].key",
            "Invalid data payload key: from"
        ),
        Refusal(
            #""token":"pixel","android":{"ttl":"2419201s"}"#,
            "message.android.ttl",
            badLife
        ),
        Refusal(#""token":"pixel","android":{"ttl":"-1s"}"#, "message.android.ttl", badLife),
        Refusal(
            #""token":"pixel","android":{"ttl":"-0.000000001s"}"#,
            "message.android.ttl",
            badLife
        ),
        Refusal(
            #""token":"pixel","android":{"fcm_options":{"analytics_label":"a/b"}}"#,
            "message.android.fcm_options.analytics_label",
            badLabel
        ),
        Refusal(
            ##""token":"pixel","android":{"notification":{"color":"#12345"}}"##,
            "message.android.notification.color",
            "Invalid color: it must be in #rrggbb format."
        ),
        Refusal(
            ##""token":"pixel","android":{"notification":{"color":"#12345g"}}"##,
            "message.android.notification.color",
            "Invalid color: it must be in #rrggbb format."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"title_loc_args":["1"]}}"#,
            "message.android.notification.title_loc_args",
            "title_loc_args cannot be set without title_loc_key."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"body_loc_args":["1"],"body_loc_key":""}}"#,
            "message.android.notification.body_loc_args",
            "body_loc_args cannot be set without body_loc_key."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"vibrate_timings":["1s","-0.5s"]}}"#,
            "message.android.notification.vibrate_timings",
            "A vibrate timing cannot be negative."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"light_settings":{}}}"#,
            "message.android.notification.light_settings.color",
            "The color of light settings is required."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"light_settings":{"color":{"red":1.01}}}}"#,
            "message.android.notification.light_settings.color.red",
            "A part of a color must be between 0 and 1."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"light_settings":{"color":{},"light_off_duration":"1s"}}}"#,
            "message.android.notification.light_settings.light_on_duration",
            "light_on_duration is required."
        ),
        Refusal(
            #""token":"pixel","android":{"notification":{"light_settings":{"color":{},"light_on_duration":"1s","lightOffDuration":"-1s"}}}"#,
            "message.android.notification.light_settings.light_off_duration",
            "light_off_duration cannot be negative."
        ),
        Refusal(
            #""token":"pixel","android_v2":{"ttl":"1s"}"#,
            "message.android_v2",
            "Exactly one of remote_notification or background_sync must be set."
        ),
        Refusal(
            #""token":"pixel","android_v2":{"background_sync":{},"ttl":"2419201s"}"#,
            "message.android_v2.ttl",
            badLife
        ),
        Refusal(
            #""token":"pixel","android_v2":{"remote_notification":{"notification":{"color":"red"}}}"#,
            "message.android_v2.remote_notification.notification.color",
            "Invalid color: it must be in #rrggbb format."
        ),
    ]

    static let apns = [
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-expiration":"1h"}}"#,
            "message.apns.headers",
            "apns-expiration is not a UNIX time in seconds."
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-collapse-id":"\#(accents33)"}}"#,
            "message.apns.headers",
            "apns-collapse-id is longer than 64 bytes."
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-priority":"7"}}"#,
            "message.apns.headers",
            "apns-priority must be 10, 5 or 1."
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-push-type":"loud"}}"#,
            "message.apns.headers",
            "apns-push-type is not a push type of APNs."
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-id":"1"}}"#,
            "message.apns.headers",
            "apns-id is not a UUID."
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"apns-priority":"10","apns-push-type":"background"}}"#,
            "message.apns.headers",
            badPriority
        ),
        Refusal(
            #""token":"iphone","data":{"a":"1"},"apns":{"headers":{"apns-priority":"10"}}"#,
            "message.apns.headers",
            badPriority
        ),
        Refusal(
            #""token":"iphone","apns":{"headers":{"Apns-Priority":"10"},"payload":{"aps":{"content-available":1}}}"#,
            "message.apns.headers",
            badPriority
        ),
        Refusal(
            #""token":"iphone","apns":{"live_activity_token":"t","headers":{"apns-priority":"1"},"payload":{"aps":{"event":"update"}}}"#,
            "message.apns.headers",
            "apns-priority of a Live Activity must be 10 or 5."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":"hello"}}"#,
            "message.apns.payload.aps",
            "aps must be an object."
        ),
        Refusal(
            #""token":"iphone","apns":{"fcm_options":{"analytics_label":"a b"}}"#,
            "message.apns.fcm_options.analytics_label",
            badLabel
        ),
    ]

    static let webpush = [
        Refusal(
            #""token":"browser","webpush":{"data":{"from":"1"}}"#,
            "message.webpush.data[0].key",
            "Invalid data payload key: from"
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"TTL":"1h"}}"#,
            "message.webpush.headers.TTL",
            "TTL must be a non-negative integer."
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"TTL":"-1"}}"#,
            "message.webpush.headers.TTL",
            "TTL must be a non-negative integer."
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"ttl":"2419201"}}"#,
            "message.webpush.headers.TTL",
            "TTL must not be above 2419200."
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"Urgency":"urgent"}}"#,
            "message.webpush.headers.Urgency",
            "Urgency must be very-low, low, normal or high."
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"Topic":"\#(String(repeating: "t", count: 33))"}}"#,
            "message.webpush.headers.Topic",
            "Topic must be 1 to 32 characters of the URL-safe base64 alphabet."
        ),
        Refusal(
            #""token":"browser","webpush":{"headers":{"Topic":"a.b"}}"#,
            "message.webpush.headers.Topic",
            "Topic must be 1 to 32 characters of the URL-safe base64 alphabet."
        ),
        Refusal(
            #""token":"browser","webpush":{"fcm_options":{"link":"http://example.com"}}"#,
            "message.webpush.fcm_options.link",
            "The link must be an HTTPS URL."
        ),
        Refusal(
            #""token":"browser","webpush":{"fcm_options":{"analytics_label":"a b"}}"#,
            "message.webpush.fcm_options.analytics_label",
            badLabel
        ),
    ]

    @Test(
        .covers(
            "A42",
            "A60",
            "C09",
            "C49",
            "F1.3-data-reserved",
            "F1.3-data-apple",
            "F1.3-label",
            "F1.3-target",
            "F1.3-topic",
            "F1.4-color",
            "F1.4-light",
            "F1.4-loc",
            "F1.4-ttl",
            "F1.4-v2",
            "F1.5-collapse-id",
            "F1.5-expiration",
            "F1.5-id",
            "F1.5-priority",
            "F1.5-priority-background",
            "F1.5-push-type",
            "F1.6-link",
            "F1.6-topic",
            "F1.6-ttl",
            "F1.6-urgency",
            "F1.7-fcm-error",
            "F2.3-newline"
        ),
        arguments: targets + common + android + apns + webpush
    )
    func `refuses as FCM does`(refusal: Refusal) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(refusal.message)}}"#)
            #expect(answer.status == 400)
            let text = JSONValue.string(refusal.text)
            #expect(
                answer.json == [
                    "error": [
                        "code": 400, "message": text, "status": "INVALID_ARGUMENT",
                        "details": [
                            [
                                "@type": "type.googleapis.com/google.rpc.BadRequest",
                                "fieldViolations": [
                                    ["field": .string(refusal.field), "description": text]
                                ],
                            ],
                            [
                                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                "errorCode": "INVALID_ARGUMENT",
                            ],
                        ],
                    ]
                ]
            )
            #expect(try emulator.inboxes().allSatisfy { $0["received"] == [] })
        }
    }

    @Test(
        .covers("F3-syntax", "F3-max-topics"),
        arguments: [
            "", "tides in topics", "'a' in topics &&", "'a' in topics & 'b' in topics",
            "!('a' in topics)", "'/topics/a' in topics",
            "'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics "
                + "|| 'f' in topics",
        ]
    )
    func `says no more of a condition that it cannot take`(condition: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{"condition":"\#(condition)"}}"#)
            #expect(answer.status == 400)
            #expect(
                answer.json == [
                    "error": [
                        "code": 400, "message": "Request contains an invalid argument.",
                        "status": "INVALID_ARGUMENT",
                    ]
                ]
            )
        }
    }

    private static let color =
        #"{"red":0,"green":0.5,"blue":1,"alpha":1.0}"#

    static let allowed = [
        #""token":"pixel","android":{"ttl":"2419200s"}"#,
        #""token":"pixel","android":{"ttl":"2419200.999999999s"}"#,
        #""token":"pixel","android":{"ttl":"0s"}"#,
        ##""token":"pixel","android":{"notification":{"color":"#Ab09fF","titleLocArgs":["1"],"title_loc_key":"k","body_loc_args":[]}}"##,
        #""token":"pixel","android":{"notification":{"event_time":"2036-02-29T23:59:59.999999999+13:45","notificationCount":"2147483647"}}"#,
        #""token":"pixel","android":{"notification":{"event_time":"2037-03-20T07:30:00Z","notification_count":3.0,"proxy":"deny","visibility":"secret"}}"#,
        #""token":"pixel","android":{"notification":{"vibrate_timings":["0s","0.25s"],"light_settings":{"color":\#(color),"light_on_duration":"0.5s","light_off_duration":"0s"}}}"#,
        #""token":"pixel","android":{"bandwidthConstrainedOk":true,"restricted_satellite_ok":false,"directBootOk":true}"#,
        #""token":"pixel","android_v2":{"remote_notification":{}}"#,
        #""token":"pixel","android_v2":{"remoteNotification":{"mutableContent":true,"use_as_v1_data_message":false,"notification":{"title":"t","id":42}},"collapseKey":"k","ttl":"5s","restricted_satellite_ok":true}"#,
        #""token":"pixel","androidV2":{"backgroundSync":{},"data":{"a":"1"},"fcmOptions":{"analyticsLabel":"x"}}"#,
        #""token":"pixel","data":{"googlex":"1","gcm":"1","collapse_key":"1"}"#,
        #""token":"pixel","fcm_options":{"analytics_label":"\#(String(letters51.dropLast()))"}"#,
        #""token":"pixel","notification":{"title":"t","body":"b","image":"https://example.com/i.png"}"#,
        #""token":"iphone","apns":{"headers":{"apns-collapse-id":"\#(String(accents33.dropLast()))"}}"#,
        #""token":"iphone","apns":{"headers":{"apns-expiration":"0","apns-id":"123e4567-e89b-12d3-A456-426614174000","apns-topic":"com.example.app.voip","apns-push-type":"voip"}}"#,
        #""token":"iphone","data":{"a":"1"},"apns":{"headers":{"apns-priority":"5"}}"#,
        #""token":"iphone","data":{"a":"1"},"notification":{"title":"t"},"apns":{"headers":{"apns-priority":"10"}}"#,
        #""token":"iphone","apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"badge":1}}}"#,
        #""token":"iphone","apns":{"headers":{"apns-priority":"1","apns-push-type":"background"}}"#,
        #""token":"iphone","apns":{"liveActivityToken":"t","headers":{"apns-priority":"10","apns-push-type":"liveactivity"},"payload":{"aps":{"event":"end","timestamp":1}}}"#,
        #""token":"iphone","apns":{"fcm_options":{"image":"https://example.com/i.png"}}"#,
        #""token":"browser","webpush":{"headers":{"TTL":"2419200","Urgency":"very-low","Topic":"\#(String(repeating: "-", count: 32))"}}"#,
        #""token":"browser","webpush":{"headers":{"TTL":"0"},"fcmOptions":{"link":"https://example.com/a"}}"#,
        #""token":"browser","webpush":{"notification":{"dir":"rtl","actions":[{"action":"a"}]}}"#,
        #""topic":"\#(String(letters901.dropLast()))""#,
        #""condition":"'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics || 'a' in topics""#,
        #""condition":"!('a' in topics) && 'b' in topics""#,
    ]

    @Test(
        .covers(
            "C49",
            "F1.3-android-v2",
            "F1.3-data-collapse-key",
            "F1.3-image",
            "F1.3-label",
            "F1.4-color",
            "F1.4-constrained",
            "F1.4-count",
            "F1.4-direct-boot",
            "F1.4-event-time",
            "F1.4-light",
            "F1.4-loc",
            "F1.4-proxy",
            "F1.4-v2",
            "F1.4-vibrate",
            "F1.4-visibility",
            "F1.5-collapse-id",
            "F1.5-id",
            "F1.5-live-activity",
            "F1.5-options",
            "F1.5-priority-background",
            "F1.5-push-type",
            "F1.5-topic",
            "F1.6-link",
            "F1.6-topic",
            "F1.6-ttl",
            "F1.6-urgency",
            "F2.2-topic-name",
            "F3-max-topics"
        ),
        arguments: allowed
    )
    func `takes what is just allowed`(message: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(message)}}"#)
            #expect(answer.status == 200, "\(answer.json?.compactText ?? "")")
        }
    }
}
