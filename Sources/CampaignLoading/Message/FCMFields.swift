import CampaignModel
import FCMWire

extension MessageFields {
    /// The v1 `Message` (Firebase reference, REST resource `projects.messages`), without the
    /// target, which is the campaign's `audience`.
    static let message = MessageFields(
        "`message`",
        [
            ("notification", .object(notification)),
            ("data", .dataMap),
            ("android", .object(android)),
            ("apns", .object(apns)),
            ("webpush", .object(webpush)),
            ("fcm_options", .object(options)),
        ],
        notBuilt: ["android_v2", "name", "token", "fid", "topic", "condition"]
    )

    private static let notification = MessageFields(
        "`notification`",
        [("title", .text(.any)), ("body", .text(.any)), ("image", .text(.any))]
    )

    private static let android = MessageFields(
        "`android`",
        [
            ("collapse_key", .text(.any)),
            ("priority", .choice(["normal", "high", "NORMAL", "HIGH"])),
            ("ttl", .text(.wireDuration)),
            ("restricted_package_name", .text(.any)),
            ("data", .dataMap),
            ("notification", .object(androidNotification)),
            ("fcm_options", .object(options)),
        ],
        notBuilt: ["direct_boot_ok", "bandwidth_constrained_ok", "restricted_satellite_ok"]
    )

    private static let androidNotification = MessageFields(
        "`android.notification`",
        [
            ("title", .text(.any)), ("body", .text(.any)), ("icon", .text(.any)),
            ("sound", .text(.any)), ("tag", .text(.any)), ("click_action", .text(.any)),
            ("channel_id", .text(.any)), ("image", .text(.any)),
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
            ("headers", .object(apnsHeaders)),
            ("payload", .object(apnsPayload)),
            ("fcm_options", .object(options)),
        ],
        notBuilt: ["live_activity_token"]
    )

    /// Apple's request headers (Apple documentation, Sending notification requests to APNs).
    private static let apnsHeaders = MessageFields(
        "`apns.headers`",
        [
            ("apns-priority", .text(.oneOf(["1", "5", "10"]))),
            ("apns-expiration", .text(.epochSeconds)),
            ("apns-collapse-id", .text(.collapseID)),
            ("apns-topic", .text(.any)),
            ("apns-id", .text(.any)),
        ],
        notBuilt: ["apns-push-type"]
    )

    private static let apnsPayload = MessageFields(
        "`apns.payload`",
        [("aps", .object(aps))],
        others: .free
    )

    private static let aps = MessageFields(
        "`aps`",
        [
            ("alert", .textOr(alert)), ("badge", .integer(0...Int64(Int32.max))),
            ("sound", .textOr(sound)),
            ("category", .text(.any)), ("thread-id", .text(.any)),
            ("content-available", .integer(0...1)), ("mutable-content", .integer(0...1)),
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
            ("title", .text(.any)), ("subtitle", .text(.any)), ("body", .text(.any)),
            ("launch-image", .text(.any)),
        ],
        notBuilt: [
            "title-loc-key", "title-loc-args", "subtitle-loc-key", "subtitle-loc-args", "loc-key",
            "loc-args", "action-loc-key", "summary-arg", "summary-arg-count", "action",
        ]
    )

    private static let sound = MessageFields(
        "`aps.sound`",
        [("name", .text(.any)), ("critical", .integer(0...1))],
        notBuilt: ["volume"]
    )

    private static let webpush = MessageFields(
        "`webpush`",
        [
            ("headers", .object(webHeaders)),
            ("data", .dataMap),
            ("notification", .object(webNotification)),
            ("fcm_options", .object(webOptions)),
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
            ("TTL", .text(.webTimeToLive)),
            ("Urgency", .text(.oneOf(["very-low", "low", "normal", "high"]))),
            ("Topic", .text(.webTopic)),
        ]
    )

    private static let options = MessageFields(
        "`fcm_options`",
        [("analytics_label", .text(.analyticsLabel))],
        notBuilt: ["image"]
    )

    private static let webOptions = MessageFields(
        "`webpush.fcm_options`",
        [("link", .text(.secureLink)), ("analytics_label", .text(.analyticsLabel))]
    )
}
