import CampaignMessages
import CampaignModel
import JSON
import TestSupport
import Testing

@Suite(.covers("C01", "C02", "C25", "C26"))
struct MessageKindTests {
    /// The kinds on Android, on Apple platforms and on the web.
    @Test(arguments: [
        (#"{}"#, [MessageKind.ping, .ping, .ping]),
        (#"{"notification":{},"data":{}}"#, [.ping, .ping, .ping]),
        (#"{"notification":{"title":"T"}}"#, [.notification, .notification, .notification]),
        (#"{"data":{"a":"b"}}"#, [.data, .data, .data]),
        (
            #"{"notification":{"title":"T"},"data":{"a":"b"}}"#,
            [.notificationAndData, .notificationAndData, .notificationAndData]
        ),
        (#"{"android":{"notification":{"icon":"i"}}}"#, [.notification, .nothing, .nothing]),
        (#"{"android":{"data":{"a":"b"}}}"#, [.data, .nothing, .nothing]),
        (#"{"android":{"ttl":"0s"}}"#, [.ping, .ping, .ping]),
        (#"{"data":{"a":"b"},"android":{"data":{}}}"#, [.nothing, .data, .data]),
        (#"{"apns":{"payload":{"aps":{"alert":"A"}}}}"#, [.nothing, .notification, .nothing]),
        (#"{"apns":{"payload":{"aps":{"badge":0}}}}"#, [.nothing, .notification, .nothing]),
        (#"{"apns":{"payload":{"aps":{"sound":"s"}}}}"#, [.nothing, .notification, .nothing]),
        (#"{"apns":{"payload":{"aps":{"category":"c"}}}}"#, [.ping, .ping, .ping]),
        (#"{"apns":{"payload":{"aps":{"content-available":1}}}}"#, [.nothing, .data, .nothing]),
        (#"{"apns":{"payload":{"tide":{"height":4}}}}"#, [.nothing, .data, .nothing]),
        (
            #"{"apns":{"payload":{"aps":{"alert":"A"},"tide":4}},"data":{"a":"b"}}"#,
            [.data, .notificationAndData, .data]
        ),
        (
            #"{"apns":{"live_activity_token":"x","payload":{"aps":{"alert":"A","event":"end"}}}}"#,
            [.nothing, .liveActivity, .nothing]
        ),
        (
            #"{"notification":{"title":"T"},"apns":{"live_activity_token":"x"}}"#,
            [.notification, .liveActivity, .notification]
        ),
        (#"{"apns":{"payload":{"aps":{"event":"update"}}}}"#, [.nothing, .liveActivity, .nothing]),
        (
            #"{"apns":{"headers":{"apns-push-type":"liveactivity"}}}"#,
            [.nothing, .liveActivity, .nothing]
        ),
        (
            #"{"data":{"a":"b"},"apns":{"headers":{"apns-push-type":"background"}}}"#,
            [.data, .data, .data]
        ),
        (#"{"webpush":{"notification":{"title":"T"}}}"#, [.nothing, .nothing, .notification]),
        (#"{"webpush":{"data":{"a":"b"}}}"#, [.nothing, .nothing, .data]),
    ])
    func `depends on the content for each platform`(
        message: String,
        kinds: [MessageKind]
    ) throws {
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let content = MessageContent(fields: fields)
        #expect([Platform.android, .apple, .web].map { content.kind(on: $0) } == kinds)
    }
}
