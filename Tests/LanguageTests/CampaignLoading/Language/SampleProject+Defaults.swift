extension SampleProject {
    static let projectWithDefaults = """
        version: 1
        project: harbour
        topics: { tides: {} }
        defaults:
          owner: duty@harbour.example
          message:
            notification: { title: Harbour, body: News, image: https://harbour.example/n.png }
            data: { from_desk: harbour }
            android:
              collapse_key: harbour
              priority: high
              ttl: 60s
              restricted_package_name: example.harbour
              data: { desk: harbour }
              notification:
                { title: H, body: B, title_loc_key: k, title_loc_args: [a], body_loc_key: k,
                  body_loc_args: [], ticker: T, icon: i, color: "#A0b1C2", sound: s,
                  default_sound: true, tag: t, click_action: C, channel_id: c,
                  image: https://harbour.example/h.png, sticky: false, local_only: true,
                  event_time: "2037-03-20T16:20:00Z", notification_priority: PRIORITY_MIN,
                  visibility: PRIVATE, notification_count: 0, vibrate_timings: [1s],
                  default_vibrate_timings: true, default_light_settings: true,
                  light_settings:
                    { color: { red: 0, green: 0, blue: 1, alpha: 0.5 }, light_on_duration: 1s,
                      light_off_duration: 1s },
                  proxy: ALLOW }
              fcm_options: { analytics_label: harbour }
              direct_boot_ok: false
              bandwidth_constrained_ok: false
              restricted_satellite_ok: false
            android_v2:
              collapse_key: harbour
              ttl: 60s
              restricted_package_name: example.harbour
              data: { desk: harbour }
              fcm_options: { analytics_label: harbour }
              direct_boot_ok: false
              bandwidth_constrained_ok: false
              restricted_satellite_ok: false
              remote_notification:
                mutable_content: false
                use_as_v1_data_message: true
                notification:
                  { title: H, body: B, title_loc_key: k, title_loc_args: [a], body_loc_key: k,
                    body_loc_args: [], ticker: T, icon: i, color: "#A0b1C2", sound: s,
                    default_sound: true, tag: t, click_action: C, channel_id: c,
                    image: https://harbour.example/h.png, sticky: false, local_only: true,
                    event_time: "2037-03-20T16:20:00Z", notification_priority: PRIORITY_MIN,
                    visibility: PRIVATE, notification_count: 0, vibrate_timings: [1s],
                    default_vibrate_timings: true, default_light_settings: true,
                    light_settings:
                      { color: { red: 0, green: 0, blue: 1, alpha: 0.5 }, light_on_duration: 1s,
                        light_off_duration: 1s },
                    id: 0 }
            apns:
              headers:
                { apns-push-type: alert, apns-priority: "5", apns-expiration: 0,
                  apns-collapse-id: h, apns-topic: t,
                  apns-id: "00000000-0000-0000-0000-000000000000" }
              payload:
                aps:
                  { alert:
                      { title: H, subtitle: S, body: B, title-loc-key: k, title-loc-args: [],
                        subtitle-loc-key: k, subtitle-loc-args: [], loc-key: k, loc-args: [],
                        action-loc-key: k, launch-image: w, summary-arg: s,
                        summary-arg-count: 0, action: A },
                    badge: 0, sound: { name: bell, critical: 0, volume: 1 }, category: H,
                    thread-id: h, content-available: 0, mutable-content: 0,
                    target-content-id: h, interruption-level: passive, relevance-score: 0,
                    filter-criteria: h, url-args: [], event: end, timestamp: 0,
                    content-state: {}, stale-date: 0, dismissal-date: 0, attributes-type: H,
                    attributes: {}, input-push-token: 0, input-push-channel: c }
              fcm_options: { analytics_label: harbour, image: https://harbour.example/h.png }
              live_activity_token: harbour
            webpush:
              headers: { TTL: 0, Urgency: high, Topic: h }
              data: { desk: harbour }
              notification:
                { title: H, body: B, icon: i, image: i, badge: b, lang: pt, dir: auto, tag: t,
                  renotify: false, requireInteraction: false, silent: false, vibrate: [],
                  timestamp: 0, data: H, actions: [{ action: a, title: A, icon: i }] }
              fcm_options: { link: https://harbour.example, analytics_label: h }
            fcm_options: { analytics_label: harbour }
          delivery: { ttl: 4h, priority: normal, collapse: harbour }
          labels: { desk: harbour }
          on_unknown: skip
        """

    static let projectWithOtherDefaults = """
        version: 1
        global_holdout: 5%
        recall: { notification: { title: Sorry, body: That was wrong } }
        project: harbour
        topics: { tides: {} }
        defaults:
          message:
            android_v2: { background_sync: {} }
        environments:
          quay:
            emulator: {}
            lists: {}
            only: { names: [tide-alert] }
            except: { labels: {} }
            defaults: { delivery: { ttl: 1h } }
          pier:
            emulator: {}
            only: { labels: {} }
            except: { names: [tide-alert] }
        """
}
