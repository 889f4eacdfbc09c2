import CampaignModel
import FCMWire

extension MessageFields {
    /// The v1 `Message` (Firebase reference, REST resource `projects.messages`), without the
    /// target, which is the campaign's `audience`.
    static let message = MessageFields(
        "`message`",
        [
            MessageField("notification", .object(notification)),
            MessageField("data", .dataMap),
            MessageField("android", .object(android)),
            MessageField("apns", .object(apns)),
            MessageField("webpush", .object(webpush)),
            MessageField("fcm_options", .object(options)),
        ],
        notBuilt: ["android_v2", "name", "token", "fid", "topic", "condition"]
    )

    private static let notification = MessageFields(
        "`notification`",
        [
            MessageField("title", .text(.any)), MessageField("body", .text(.any)),
            MessageField("image", .text(.any)),
        ]
    )

    private static let android = MessageFields(
        "`android`",
        [
            MessageField("collapse_key", .text(.any)),
            MessageField("priority", .choice(["normal", "high", "NORMAL", "HIGH"])),
            MessageField("ttl", .text(.wireDuration)),
            MessageField("restricted_package_name", .text(.any)),
            MessageField("data", .dataMap),
            MessageField("notification", .object(androidNotification)),
            MessageField("fcm_options", .object(options)),
        ],
        notBuilt: ["direct_boot_ok", "bandwidth_constrained_ok", "restricted_satellite_ok"]
    )

    private static let androidNotification = MessageFields(
        "`android.notification`",
        [
            MessageField("title", .text(.any)), MessageField("body", .text(.any)),
            MessageField("icon", .text(.any)),
            MessageField("sound", .text(.any)), MessageField("tag", .text(.any)),
            MessageField("click_action", .text(.any)),
            MessageField("channel_id", .text(.any)), MessageField("image", .text(.any)),
        ],
        notBuilt: [
            "color", "ticker", "sticky", "local_only", "default_sound", "event_time",
            "default_vibrate_timings", "default_light_settings", "notification_count",
            "vibrate_timings", "notification_priority", "visibility", "proxy", "light_settings",
            "title_loc_key", "body_loc_key", "title_loc_args", "body_loc_args",
            "bypass_proxy_notification",
        ]
    )

    private static let apns = MessageFields(
        "`apns`",
        [
            MessageField("headers", .object(apnsHeaders)),
            MessageField("payload", .object(apnsPayload)),
            MessageField("fcm_options", .object(options)),
        ],
        notBuilt: ["live_activity_token"]
    )

    /// Apple's request headers (Apple documentation, Sending notification requests to APNs).
    private static let apnsHeaders = MessageFields(
        "`apns.headers`",
        [
            MessageField("apns-priority", .text(.oneOf(["1", "5", "10"]))),
            MessageField("apns-expiration", .text(.epochSeconds)),
            MessageField("apns-collapse-id", .text(.collapseID)),
            MessageField("apns-topic", .text(.any)),
            MessageField("apns-id", .text(.any)),
        ],
        notBuilt: ["apns-push-type"]
    )

    private static let apnsPayload = MessageFields(
        "`apns.payload`",
        [MessageField("aps", .object(aps))],
        others: .free
    )

    private static let aps = MessageFields(
        "`aps`",
        [
            MessageField("alert", .textOr(alert)),
            MessageField("badge", .integer(0...Int64(Int32.max))),
            MessageField("sound", .textOr(sound)),
            MessageField("category", .text(.any)), MessageField("thread-id", .text(.any)),
            MessageField("content-available", .integer(0...1)),
            MessageField("mutable-content", .integer(0...1)),
        ],
        notBuilt: [
            "interruption-level", "relevance-score", "target-content-id", "filter-criteria",
            "url-args", "stale-date", "content-state", "timestamp", "event", "dismissal-date",
            "attributes-type", "attributes",
        ]
    )

    /// Apple documentation, Generating a remote notification.
    private static let alert = MessageFields(
        "`aps.alert`",
        [
            MessageField("title", .text(.any)), MessageField("subtitle", .text(.any)),
            MessageField("body", .text(.any)),
            MessageField("launch-image", .text(.any)),
        ],
        notBuilt: [
            "title-loc-key", "title-loc-args", "subtitle-loc-key", "subtitle-loc-args", "loc-key",
            "loc-args", "action-loc-key", "summary-arg", "summary-arg-count", "action",
        ]
    )

    private static let sound = MessageFields(
        "`aps.sound`",
        [MessageField("name", .text(.any)), MessageField("critical", .integer(0...1))],
        notBuilt: ["volume"]
    )

    private static let webpush = MessageFields(
        "`webpush`",
        [
            MessageField("headers", .object(webHeaders)),
            MessageField("data", .dataMap),
            MessageField("notification", .object(webNotification)),
            MessageField("fcm_options", .object(webOptions)),
        ]
    )

    /// The options of the browser's `showNotification`, as any object (Firebase reference,
    /// WebpushConfig).
    private static let webNotification = MessageFields(
        "`webpush.notification`",
        [],
        others: .free
    )

    /// The web push request headers (RFC 8030, sections 5.2 to 5.4).
    private static let webHeaders = MessageFields(
        "`webpush.headers`",
        [
            MessageField("TTL", .text(.webTimeToLive)),
            MessageField("Urgency", .text(.oneOf(["very-low", "low", "normal", "high"]))),
            MessageField("Topic", .text(.webTopic)),
        ]
    )

    private static let options = MessageFields(
        "`fcm_options`",
        [MessageField("analytics_label", .text(.analyticsLabel))],
        notBuilt: ["image"]
    )

    private static let webOptions = MessageFields(
        "`webpush.fcm_options`",
        [
            MessageField("link", .text(.secureLink)),
            MessageField("analytics_label", .text(.analyticsLabel)),
        ]
    )
}
