import CampaignMessages
import CampaignModel
import FCMWire
import TestSupport
import Testing

@Suite(.covers("F4-what-counts"))
struct PayloadSizeTests {
    /// The bytes on Android, on Apple platforms and on the web, counted by hand.
    @Test(arguments: [
        ("{}", [0, 0, 0]),
        // title Tide, body In, a bcd: 9 + 6 + 4
        (#"{"notification":{"title":"Tide","body":"In"},"data":{"a":"bcd"}}"#, [19, 19, 19]),
        // é has two bytes, 潮 three, 🌊 four
        (#"{"data":{"é":"潮🌊"}}"#, [9, 9, 9]),
        // Android's title takes the place of the common one, its data that of the common data:
        // title T, icon w, body In, xy z: 6 + 5 + 6 + 3
        (
            #"{"notification":{"title":"Tide","body":"In"},"data":{"a":"bcd"},"#
                + #""android":{"notification":{"title":"T","icon":"w"},"data":{"xy":"z"}}}"#,
            [20, 19, 19]
        ),
        (#"{"data":{"a":"bcd"},"android":{"data":{}}}"#, [0, 4, 4]),
        // Apple's keys come in addition; numbers and truth values weigh as JSON:
        // a bcd, n 4.5, t true, k v: 4 + 4 + 5 + 2
        (
            #"{"data":{"a":"bcd"},"apns":{"payload":{"n":4.5,"t":true,"s":{"k":"v"}}}}"#,
            [4, 15, 4]
        ),
        // title T, tag u, q r: 6 + 4 + 2
        (
            #"{"notification":{"title":"Tide"},"#
                + #""webpush":{"notification":{"title":"T","tag":"u"},"data":{"q":"r"}}}"#,
            [9, 9, 12]
        ),
        // What only steers delivery weighs nothing.
        (
            #"{"data":{"a":"b"},"android":{"ttl":"60s","collapse_key":"k"},"#
                + #""apns":{"headers":{"apns-priority":"5"}},"webpush":{"headers":{"TTL":"1"}},"#
                + #""fcm_options":{"analytics_label":"l"}}"#,
            [2, 2, 2]
        ),
    ])
    func `adds up keys and values as each platform gets them`(
        message: String,
        bytes: [Int]
    ) throws {
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let content = MessageContent(fields: fields)
        let found = [Platform.android, .apple, .web].map { PayloadSize(of: content, on: $0).bytes }
        #expect(found == bytes)
    }

    @Test func `names the field that weighs most`() {
        let content = MessageContent(fields: [
            "notification": ["title": "Tide"], "data": ["a": "bcdefghijk", "b": "c"],
            "apns": ["payload": ["aps": ["alert": ["subtitle": "a longer one"]]]],
        ])
        #expect(PayloadSize(of: content, on: .android).heaviestField == ["data", "a"])
        #expect(
            PayloadSize(of: content, on: .apple).heaviestField
                == ["apns", "payload", "aps", "alert", "subtitle"]
        )
        #expect(
            PayloadSize(of: MessageContent(fields: [:]), on: .web).heaviestField == []
        )
    }
}
