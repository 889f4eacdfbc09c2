import JSON
import TestSupport
import Testing

/// Tests of messages that FCM accepts, each exactly at a limit.
struct SendAllowedTests {
    private static let accents32 = String(repeating: "é", count: 32)
    private static let letters50 = String(repeating: "l", count: 50)
    private static let letters900 = String(repeating: "t", count: 900)
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
        #""token":"pixel","android":{"priority":1,"notification":{"proxy":3,"visibility":0,"notification_priority":5}}"#,
        #""token":"pixel","android_v2":{"remote_notification":{}}"#,
        #""token":"pixel","android_v2":{"remoteNotification":{"mutableContent":true,"use_as_v1_data_message":false,"notification":{"title":"t","id":42}},"collapseKey":"k","ttl":"5s","restricted_satellite_ok":true}"#,
        #""token":"pixel","androidV2":{"backgroundSync":{},"data":{"a":"1"},"fcmOptions":{"analyticsLabel":"x"}}"#,
        #""token":"pixel","data":{"googlex":"1","gcm":"1","collapse_key":"1"}"#,
        #""token":"pixel","fcm_options":{"analytics_label":"\#(letters50)"}"#,
        #""token":"pixel","notification":{"title":"t","body":"b","image":"https://example.com/i.png"}"#,
        #""token":"iphone","apns":{"headers":{"apns-collapse-id":"\#(accents32)"}}"#,
        #""token":"iphone","apns":{"headers":{"apns-expiration":"0","apns-id":"123e4567-e89b-12d3-A456-426614174000","apns-topic":"com.example.app.voip","apns-push-type":"voip"}}"#,
        #""token":"iphone","data":{"a":"1"},"apns":{"headers":{"apns-priority":"5"}}"#,
        #""token":"iphone","data":{"a":"1"},"notification":{"title":"t"},"apns":{"headers":{"apns-priority":"10"}}"#,
        #""token":"iphone","apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"badge":1}}}"#,
        #""token":"iphone","apns":{"headers":{"apns-priority":"1","apns-push-type":"background"}}"#,
        #""token":"iphone","apns":{"payload":{"aps":{"sound":{"name":"s","volume":0.5},"alert":{"title":"t"},"own":true,"category":null},"own":[1]}}"#,
        #""token":"iphone","apns":{"liveActivityToken":"t","headers":{"apns-priority":"10","apns-push-type":"liveactivity"},"payload":{"aps":{"event":"end","timestamp":1}}}"#,
        #""token":"iphone","data":{"a":"1"},"apns":{"live_activity_token":"t","headers":{"apns-priority":"10"},"payload":{"aps":{"event":"start","input-push-token":1}}}"#,
        #""token":"iphone","data":{"a":"1"},"apns":{"live_activity_token":"t","headers":{"apns-priority":"10"},"payload":{"aps":{"content-available":1}}}"#,
        #""token":"iphone","apns":{"fcm_options":{"image":"https://example.com/i.png"}}"#,
        #""token":"browser","webpush":{"headers":{"TTL":"2419200","Urgency":"very-low","Topic":"\#(String(repeating: "-", count: 32))"}}"#,
        #""token":"browser","webpush":{"headers":{"TTL":"0"},"fcmOptions":{"link":"https://example.com/a"}}"#,
        #""token":"browser","webpush":{"notification":{"dir":"rtl","actions":[{"action":"a"}]}}"#,
        #""topic":"\#(letters900)""#,
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
    func `accepts messages at the limits`(message: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(#"{"message":{\#(message)}}"#)
            #expect(answer.status == 200, "\(answer.json?.compactText ?? "")")
        }
    }
}
