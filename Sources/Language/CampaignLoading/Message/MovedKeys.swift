/// Keys of the legacy FCM protocol (Firebase documentation, Migrate from legacy FCM APIs to HTTP
/// v1) and of its SDKs, and keys at a wrong level.
extension MessageFields {
    static let movedFromMessage: [String: MovedKey] = [
        "to": target, "registration_ids": target, "registration_id": target, "token": target,
        "tokens": target, "fid": target, "fids": target, "notification_key": target,
        "topic": target, "topics": target, "condition": target,
        "name": .place("the campaign's name under `campaign`; FCM's answer names the message"),
        "time_to_live": .place("the campaign's `delivery.ttl`, such as `12h`"),
        "ttl": .place("the campaign's `delivery.ttl`, such as `12h`"),
        "priority": .place("the campaign's `delivery.priority`"),
        "collapse_key": .place("the campaign's `delivery.collapse`"),
        "content_available": .place("`apns.payload.aps.content-available: 1`"),
        "mutable_content": .place("`apns.payload.aps.mutable-content: 1`"),
        "restricted_package_name": .place("`android.restricted_package_name`"),
        "direct_boot_ok": .place("`android.direct_boot_ok`"),
        "analytics_label": .place("`fcm_options.analytics_label`"),
        "title": .place("`notification.title`"),
        "body": .place("`notification.body`"),
        "image": .place("`notification.image`"),
        "link": .place("`webpush.fcm_options.link`"),
        "message": .place("its contents one level higher"),
        "dry_run": trial, "validate_only": trial,
        "delay_while_idle": MovedKey(
            help: "remove it: `delivery.priority: normal` waits for a sleeping device",
            replacement: nil
        ),
    ]

    private static let target = MovedKey(
        help: "set the target in the campaign's `audience`, next to `message`",
        replacement: nil
    )

    private static let trial = MovedKey(
        help: "remove it: `herald plan` shows what would be sent and sends nothing",
        replacement: nil
    )

    static let movedFromNotification: [String: MovedKey] = [
        "sound": .place("`android.notification.sound` and `apns.payload.aps.sound`"),
        "badge": .place(
            "`apns.payload.aps.badge` and `android.notification.notification_count`"
        ),
        "icon": .place("`android.notification.icon` and `webpush.notification.icon`"),
        "tag": .place("the campaign's `delivery.collapse`, or `android.notification.tag`"),
        "color": .place("`android.notification.color`"),
        "click_action": .place(
            "`android.notification.click_action`, `apns.payload.aps.category` and "
                + "`webpush.fcm_options.link`"
        ),
        "android_channel_id": .place("`android.notification.channel_id`"),
        "channel_id": .place("`android.notification.channel_id`"),
        "subtitle": .place("`apns.payload.aps.alert.subtitle`"),
        "title_loc_key": localized(android: "title_loc_key", apple: "title-loc-key"),
        "title_loc_args": localized(android: "title_loc_args", apple: "title-loc-args"),
        "body_loc_key": localized(android: "body_loc_key", apple: "loc-key"),
        "body_loc_args": localized(android: "body_loc_args", apple: "loc-args"),
        "image_url": .renamed("image"),
    ]

    private static func localized(android: String, apple: String) -> MovedKey {
        .place("`android.notification.\(android)` and `apns.payload.aps.alert.\(apple)`")
    }

    static let movedFromAndroid: [String: MovedKey] = [
        "time_to_live": .place("`ttl` with its unit, such as `3600s`"),
        "remote_notification": .place("it under `message.android_v2`"),
        "background_sync": .place("it under `message.android_v2`"),
    ].merging(
        ["title", "body", "icon", "color", "sound", "tag", "click_action", "channel_id", "image"]
            .map { ($0, MovedKey.place("it under `notification`")) }
    ) { first, _ in first }

    static let movedFromAndroidNotification: [String: MovedKey] = [
        "android_channel_id": .renamed("channel_id"),
        "image_url": .renamed("image"),
        "event_timestamp": .renamed("event_time"),
        "priority": .place("`notification_priority`, such as `PRIORITY_HIGH`"),
        "badge": .place("`notification_count`"),
        "vibrate_timings_millis": .place("`vibrate_timings` in seconds, such as `[0s, 0.2s]`"),
    ]

    static let movedFromAps: [String: MovedKey] = {
        let ofAlert = ["title", "subtitle", "body", "title-loc-key", "title-loc-args", "loc-key"]
            .map { ($0, MovedKey.place("it under `alert`")) }
        let ofSound = ["critical", "volume"].map { ($0, MovedKey.place("it under `sound`")) }
        return Dictionary(uniqueKeysWithValues: ofAlert + ofSound)
    }()
}
