import Diagnostics
import Testing
import Text

struct MovedKeyTests {
    private static func files(_ message: String) -> LoadedFiles {
        LoadedFiles(
            campaign: "campaign: a\naudience: { topic: tides }\nmessage: \(message)\n"
        )
    }

    @Test(arguments: [
        "to", "registration_ids", "registration_id", "token", "tokens", "fid", "fids",
        "notification_key", "topic", "topics", "condition",
    ])
    func `a target in the message is moved to the campaign's audience`(key: String) throws {
        let files = Self.files("{ «\(key)»: a }")
        #expect(files.findings == files.expected(.unknownKey))
        let finding = try #require(files.diagnostics.first)
        #expect(finding.help.first?.contains("the campaign's `audience`") == true)
        #expect(finding.fix == nil)
    }

    @Test(arguments: [
        ("time_to_live", "`delivery.ttl`"), ("ttl", "`delivery.ttl`"),
        ("priority", "`delivery.priority`"), ("collapse_key", "`delivery.collapse`"),
        ("content_available", "`apns.payload.aps.content-available: 1`"),
        ("mutable_content", "`apns.payload.aps.mutable-content: 1`"),
        ("restricted_package_name", "`android.restricted_package_name`"),
        ("direct_boot_ok", "`android.direct_boot_ok`"),
        ("analytics_label", "`fcm_options.analytics_label`"),
        ("delay_while_idle", "`delivery.priority: normal`"), ("dry_run", "`herald plan`"),
        ("validate_only", "`herald plan`"), ("name", "`campaign`"),
        ("title", "`notification.title`"), ("body", "`notification.body`"),
        ("image", "`notification.image`"), ("link", "`webpush.fcm_options.link`"),
        ("message", "one level higher"),
    ])
    func `keys of the legacy protocol show their new place`(key: String, place: String) {
        expectMoved("{ «\(key)»: a }", place)
    }

    @Test(arguments: [
        ("sound", "`apns.payload.aps.sound`"), ("badge", "`apns.payload.aps.badge`"),
        ("icon", "`android.notification.icon`"), ("tag", "`delivery.collapse`"),
        ("color", "`android.notification.color`"),
        ("click_action", "`android.notification.click_action`"),
        ("android_channel_id", "`android.notification.channel_id`"),
        ("channel_id", "`android.notification.channel_id`"),
        ("subtitle", "`apns.payload.aps.alert.subtitle`"),
        ("title_loc_key", "`apns.payload.aps.alert.title-loc-key`"),
        ("title_loc_args", "`apns.payload.aps.alert.title-loc-args`"),
        ("body_loc_key", "`apns.payload.aps.alert.loc-key`"),
        ("body_loc_args", "`apns.payload.aps.alert.loc-args`"),
    ])
    func `keys of legacy notifications show their new place`(key: String, place: String) {
        expectMoved("{ notification: { «\(key)»: a } }", place)
    }

    @Test(arguments: [
        ("{ android: { «time_to_live»: 60 } }", "`ttl`"),
        ("{ android: { «color»: a } }", "under `notification`"),
        ("{ android: { «background_sync»: {} } }", "`message.android_v2`"),
        ("{ android: { notification: { «priority»: high } } }", "`notification_priority`"),
        ("{ android: { notification: { «badge»: 1 } } }", "`notification_count`"),
        (
            "{ android: { notification: { «vibrate_timings_millis»: [1] } } }",
            "`vibrate_timings`"
        ),
        ("{ android_v2: { background_sync: {}, «priority»: high } }", "`background_sync`"),
        ("{ android_v2: { background_sync: { «a»: 1 } } }", "`{}`"),
        ("{ apns: { «aps»: {} } }", "under `payload`"),
        ("{ apns: { payload: { aps: { «title»: a } } } }", "under `alert`"),
        ("{ apns: { payload: { aps: { «volume»: 1 } } } }", "under `sound`"),
        ("{ webpush: { «link»: a } }", "`fcm_options.link`"),
        ("{ webpush: { «ttl»: 60 } }", "`headers.TTL`"),
        ("{ webpush: { notification: { «click_action»: a } } }", "`webpush.fcm_options.link`"),
        ("{ fcm_options: { «image»: a } }", "`notification.image`"),
        ("{ fcm_options: { «link»: a } }", "`webpush.fcm_options.link`"),
    ])
    func `a key at the wrong level shows its right place`(message: String, place: String) {
        expectMoved(message, place)
    }

    @Test(arguments: [
        ("{ notification: { «image_url»: https://a } }", "image"),
        ("{ android: { notification: { «android_channel_id»: a } } }", "channel_id"),
        ("{ android: { notification: { «image_url»: https://a } } }", "image"),
        ("{ android: { notification: { «clickAction»: a } } }", "click_action"),
        ("{ android: { «collapseKey»: a } }", "collapse_key"),
        ("{ «androidV2»: { background_sync: {} } }", "android_v2"),
        ("{ apns: { payload: { aps: { «contentAvailable»: 1 } } } }", "content-available"),
        ("{ apns: { payload: { aps: { «content_available»: 1 } } } }", "content-available"),
        ("{ apns: { payload: { aps: { «threadId»: a } } } }", "thread-id"),
        ("{ apns: { payload: { aps: { alert: { «titleLocKey»: a } } } } }", "title-loc-key"),
        ("{ apns: { payload: { aps: { alert: { «launch_image»: a } } } } }", "launch-image"),
        ("{ apns: { headers: { «APNS-Priority»: 5 } } }", "apns-priority"),
        ("{ apns: { headers: { «apns_push_type»: alert } } }", "apns-push-type"),
        ("{ apns: { «liveActivityToken»: a } }", "live_activity_token"),
        ("{ webpush: { headers: { «ttl»: 60 } } }", "TTL"),
        ("{ webpush: { headers: { «urgency»: low } } }", "Urgency"),
        ("{ webpush: { headers: { «TOPIC»: a } } }", "Topic"),
        (
            "{ webpush: { notification: { «require_interaction»: true } } }",
            "requireInteraction"
        ),
        ("{ webpush: { notification: { actions: [{ action: a, «titel»: t }] } } }", "title"),
    ])
    func `another spelling of a key has a fix`(message: String, key: String) {
        let files = Self.files(message)
        #expect(files.findings == files.expected(.unknownKey))
        #expect(files.diagnostics.first?.help == ["did you mean `\(key)`?"])
        #expect(files.diagnostics.first?.fix?.replacement == key)
    }

    private func expectMoved(_ message: String, _ place: String) {
        let files = Self.files(message)
        #expect(files.findings == files.expected(.unknownKey))
        #expect(files.diagnostics.first?.help.first?.contains(place) == true)
        #expect(files.diagnostics.first?.fix == nil)
    }
}
