import CampaignMessages
import CampaignModel
import JSON
import TestSupport
import Testing

@Suite(.covers("F4-what-counts"))
struct PayloadSizeTests {
    private static func size(
        of message: JSONObject,
        on platform: Platform,
        collapse: String? = nil
    ) throws -> PayloadSize {
        let campaign = try CampaignFixture.campaign(message, collapse: collapse)
        return PayloadSize(of: EffectiveMessage(DeliveryLowering(campaign), on: platform))
    }

    /// The bytes on Android, on Apple platforms and on the web, counted by hand.
    @Test(arguments: [
        ("{}", [0, 0, 0]),
        // title Tide, body In, a bcd: 9 + 6 + 4;
        // Herald's own tag on notifications for Android and the web: 3 + 16
        (#"{"notification":{"title":"Tide","body":"In"},"data":{"a":"bcd"}}"#, [38, 19, 38]),
        // é has two bytes, 潮 three, 🌊 four
        (#"{"data":{"é":"潮🌊"}}"#, [9, 9, 9]),
        // Android's title replaces the common one, and its data replaces the common data:
        // title T, icon w, body In, xy z: 6 + 5 + 6 + 3
        (
            #"{"notification":{"title":"Tide","body":"In"},"data":{"a":"bcd"},"#
                + #""android":{"notification":{"title":"T","icon":"w"},"data":{"xy":"z"}}}"#,
            [39, 19, 38]
        ),
        (#"{"data":{"a":"bcd"},"android":{"data":{}}}"#, [0, 4, 4]),
        // Apple's keys are added; numbers and Booleans count as JSON:
        // a bcd, n 4.5, t true, s k v l v: 4 + 4 + 5 + 5
        (
            #"{"data":{"a":"bcd"},"apns":{"payload":{"n":4.5,"t":true,"s":{"k":"v","l":"v"}}}}"#,
            [4, 18, 4]
        ),
        // Apple's alert replaces the common title and body:
        // title T, body In, subtitle s, badge 10: 6 + 6 + 9 + 7
        (
            #"{"notification":{"title":"Tide","body":"In"},"#
                + #""apns":{"payload":{"aps":{"alert":{"title":"T","subtitle":"s"},"badge":10}}}}"#,
            [34, 28, 34]
        ),
        // A text is the body: title Tide, body Out: 9 + 7
        (
            #"{"notification":{"title":"Tide","body":"In"},"apns":{"payload":{"aps":{"alert":"Out"}}}}"#,
            [34, 16, 34]
        ),
        // title T, tag u, q r: 6 + 4 + 2
        (
            #"{"notification":{"title":"Tide"},"#
                + #""webpush":{"notification":{"title":"T","tag":"u"},"data":{"q":"r"}}}"#,
            [28, 9, 12]
        ),
        // A list's key counts once: actions a b, title T: 7 + 2 + 6
        (#"{"webpush":{"notification":{"actions":["a","b"],"title":"T"}}}"#, [0, 0, 34]),
        // Delivery settings add nothing.
        (
            #"{"data":{"a":"b"},"android":{"ttl":"60s","collapse_key":"k"},"#
                + #""apns":{"headers":{"apns-priority":"5"}},"webpush":{"headers":{"TTL":"1"}},"#
                + #""fcm_options":{"analytics_label":"l"}}"#,
            [2, 2, 2]
        ),
    ])
    func `adds the sizes of keys and values per platform`(
        message: String,
        bytes: [Int]
    ) throws {
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let found = try [Platform.android, .apple, .web].map {
            try Self.size(of: fields, on: $0).bytes
        }
        #expect(found == bytes)
    }

    @Test func `the tag from delivery counts on Android and the web`() throws {
        // title T: 6; tag tide: 3 + 4
        let shown: JSONObject = ["notification": ["title": "T"]]
        let bytes = try [Platform.android, .apple, .web].map {
            try Self.size(of: shown, on: $0, collapse: "tide").bytes
        }
        #expect(bytes == [13, 6, 13])
        // A collapse key only controls delivery.
        #expect(try Self.size(of: ["data": ["a": "b"]], on: .android, collapse: "t").bytes == 2)
    }

    @Test func `fields are sorted by size and then by order`() throws {
        let message: JSONObject = [
            "notification": ["title": "Tide"], "data": ["a": "bcdefghijk", "b": "c", "d": "e"],
            "apns": ["payload": ["aps": ["alert": ["subtitle": "a longer one"]]]],
        ]
        let weights = try Self.size(of: message, on: .apple).weights
        #expect(
            weights.map { $0.field.path.joined(separator: ".") } == [
                "apns.payload.aps.alert.subtitle", "data.a", "notification.title", "data.b",
                "data.d",
            ]
        )
        #expect(weights.map(\.bytes) == [20, 11, 9, 2, 2])
        #expect(try Self.size(of: [:], on: .web).weights == [])
    }

    @Test func `the limit depends on the audience`() throws {
        let topic = try #require(Topic("tides"))
        #expect(PayloadSize.limit(to: .topic(topic)) == 2_048)
        #expect(
            PayloadSize.limit(to: .condition(try Condition(parsing: "'tides' in topics"))) == 2_048
        )
        #expect(PayloadSize.limit(to: .registrations(.inline([]))) == 4_000)
    }
}
