import CampaignModel
import Diagnostics
import JSON
import Testing
import Text

@testable import CampaignLoading

struct MessageFieldTests {
    private static func files(_ message: String) -> LoadedFiles {
        LoadedFiles(
            campaign: "campaign: a\naudience: { topic: tides }\nmessage: \(message)\n"
        )
    }

    @Test func `every field has one sentence for editors`() {
        let fields = Self.fields(of: .object(.message))
        #expect(fields.count > 150)
        let odd = fields.filter { !$0.about.hasSuffix(".") || $0.about.contains(". ") }
        #expect(odd.map(\.name) == [])
    }

    private static func fields(of shape: MessageShape) -> [MessageField] {
        switch shape {
        case .object(let inner), .textOr(let inner):
            inner.fields + inner.fields.flatMap { fields(of: $0.shape) }
        case .list(let element): fields(of: element)
        default: []
        }
    }

    @Test func `values have the types of the FCM API`() {
        let files = Self.files(
            """

              android:
                notification:
                  sticky: true
                  notification_count: 7
                  title_loc_key: k
                  title_loc_args: [7, no, 1.50]
                  vibrate_timings: [0s, 0.25s]
                  light_settings:
                    color: { red: 1, green: 0.5 }
                    light_on_duration: 1s
                    light_off_duration: 2s
              apns:
                headers: { apns-priority: 5, apns-expiration: 2147483647 }
                payload:
                  aps: { badge: 3, relevance-score: 0.25, alert: 12, sound: no }
              webpush:
                headers: { TTL: 60 }
                notification:
                  silent: false
                  vibrate: [200, 100]
                  data: { lot: 12, open: true, none: null }
            """
        )
        #expect(files.errors == [])
        let expected: JSONValue = [
            "android": [
                "notification": [
                    "sticky": true, "notification_count": 7, "title_loc_key": "k",
                    "title_loc_args": ["7", "no", "1.50"], "vibrate_timings": ["0s", "0.25s"],
                    "light_settings": [
                        "color": ["red": 1, "green": .number(0.5)], "light_on_duration": "1s",
                        "light_off_duration": "2s",
                    ],
                ]
            ],
            "apns": [
                "headers": ["apns-priority": "5", "apns-expiration": "2147483647"],
                "payload": [
                    "aps": [
                        "badge": 3, "relevance-score": .number(0.25), "alert": "12", "sound": "no",
                    ]
                ],
            ],
            "webpush": [
                "headers": ["TTL": "60"],
                "notification": [
                    "silent": false, "vibrate": [200, 100],
                    "data": ["lot": 12, "open": true, "none": .null],
                ],
            ],
        ]
        #expect((files.campaign?.content.fields).map(JSONValue.object) == expected)
    }

    @Test func `a deprecated field is a warning and is sent`() {
        let files = Self.files(
            "{ android: { notification: { title: T, «bypass_proxy_notification»: true } } }"
        )
        let found = files.diagnostics.filter { $0.severity != .note }
        #expect(found.map { Finding($0, files.loaded.catalog) } == files.expected(.deprecatedKey))
        #expect(found.map(\.severity) == [.warning])
        #expect(files.errors == [])
        let path = ["android", "notification", "bypass_proxy_notification"]
        #expect(files.campaign?.content.value(at: path) == true)
    }

    @Test func `the help explains that an unquoted colour is a comment`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  android:
                    notification:
                      color:«» #1f6feb
                """
        )
        #expect(files.findings == files.expected(.wrongKind))
        #expect(files.diagnostics.first?.help.first?.contains("quotation marks") == true)
    }

    @Test func `a light's colour is not text and the help shows its form`() {
        let light = "color: «\"#ff0000\"», light_on_duration: 1s, light_off_duration: 1s"
        let files = Self.files(
            "{ android: { notification: { light_settings: { \(light) } } } }"
        )
        #expect(files.findings == files.expected(.wrongKind))
        #expect(files.diagnostics.first?.help.first?.contains("{ red: 1,") == true)
    }

    @Test func `a header value that is nearly right has a fix`() {
        let files = Self.files("{ webpush: { headers: { Urgency: «very_low» } } }")
        #expect(files.findings == files.expected(.invalidHeader))
        #expect(files.diagnostics.first?.fix?.replacement == "very-low")
    }

    @Test func `another number in a header is not a misspelling`() {
        let files = Self.files("{ apns: { headers: { apns-priority: «2» } } }")
        #expect(files.findings == files.expected(.invalidHeader))
        #expect(files.diagnostics.first?.fix == nil)
    }

    @Test func `a secret in a field of another form is not repeated`() {
        let secret = "bo:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx"
        let files = Self.files("{ android: { restricted_package_name: \"«\(secret)»\" } }")
        #expect(files.diagnostics.first?.rule == .invalidName)
        #expect(files.diagnostics.first?.message.contains("APA91b") == false)
    }

    @Test(arguments: [
        "{ apns: { live_activity_token: «\"s3cret token\"» } }",
        "{ apns: { live_activity_tokn: \"s3cret token\" } }", "{ token: s3cret }",
        "{ registration_ids: [s3cret] }", "{ to: s3cret }", "{ fid: s3cret }",
    ])
    func `an address of one device is concealed`(message: String) {
        let files = Self.files(message)
        #expect(!files.diagnostics.isEmpty)
        let shown = files.diagnostics.flatMap { [$0.message, $0.label ?? ""] + $0.help }
        #expect(!shown.contains { $0.contains("s3cret") })
        for place in files.diagnostics.compactMap(\.span) {
            let bytes = files.loaded.catalog[place.source].bytes
            #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cret"))
        }
    }
}
