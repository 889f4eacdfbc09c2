/// Refusals of the platform blocks.
extension SendRefusalTests {
    private static let accents33 = String(repeating: "é", count: 33)
    private static let badPriority = "apns-priority 10 cannot be used for a background push."

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
            "Value of [aps] must be a non-empty dictionary."
        ),
        Refusal(
            #""topic":"tides","notification":{"title":"t"},"apns":{"payload":{"aps":{}}}"#,
            "message.apns.payload.aps",
            "Value of [aps] must be a non-empty dictionary."
        ),
        Refusal(
            #""token":"pixel","notification":{"title":"t"},"apns":{"payload":{"sound":"default"}}"#,
            "message.apns.payload",
            "Payload of Apple Push Notification Service must contain an [aps] key."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{}}"#,
            "message.apns.payload",
            "Payload of Apple Push Notification Service must contain an [aps] key."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":{"sound":"s"},"badge":2}}"#,
            "message.apns.payload.badge",
            "Key [badge] must be in the [aps] dictionary."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"alert":{"title":"title"},"badge":2}}"#,
            "message.apns.payload.alert",
            "Key [alert] must be in the [aps] dictionary."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":{"badge":"2"}}}"#,
            "message.apns.payload.aps.badge",
            "Value type for APS key [badge] is a number."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":{"content-available":true}}}"#,
            "message.apns.payload.aps.content-available",
            "Value type for APS key [content-available] is a number."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":{"alert":1}}}"#,
            "message.apns.payload.aps.alert",
            "Value type for APS key [alert] is a string or a dictionary."
        ),
        Refusal(
            #""token":"iphone","apns":{"payload":{"aps":{"badge":1,"thread-id":7}}}"#,
            "message.apns.payload.aps.thread-id",
            "Value type for APS key [thread-id] is a string."
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
}
