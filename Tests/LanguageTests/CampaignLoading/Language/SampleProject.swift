/// Complete documents without a mistake, in which every key of the language occurs.
///
/// Each file of campaigns needs `herald.yaml` beside it and no other.
enum SampleProject {
    static let files: [(path: String, text: String)] = [
        ("herald.yaml", project),
        ("campaigns/everything.yaml", everything),
        ("campaigns/lists.yaml", lists),
        ("campaigns/skippers.yaml", skippers),
        ("campaigns/topic.yaml", topic),
        ("campaigns/phones.yaml", phones),
    ]

    /// A project whose defaults say everything that defaults can say; merged under one campaign.
    static let filesWithDefaults: [(path: String, text: String)] = [
        ("herald.yaml", projectWithDefaults),
        ("campaigns/plain.yaml", plain),
    ]

    /// The list that `campaigns/skippers.yaml` names.
    static let listFile = (path: "campaigns/skippers.txt", text: "skipper:1\nskipper:2\n")

    private static let project = """
        version: 1
        project: harbour
        timezone: UTC

        topics:
          tides: { about: Tide tables, reach: 40000 }
          azores:
            about: Lives in the Azores
            reach: 9000
          madeira: {}
          regatta: { test: true }
          beta: {}

        environments:
          local:
            emulator: {}
          workbench:
            emulator: { url: "http://127.0.0.1:9099", ca: harbour-ca.pem }
          production:
            fcm: { project_id: harbour-b5ae1, sender_id: "1029384756", credentials: "env:KEY" }
            state:
              postgres: "${HERALD_STATE_URL}"
              lineage: 7c1d
              encryption: { key: "env:HERALD_STATE_KEY" }
            protected: true
            sends: run
            settle: 60s
            pace: { sends_per_minute: 600000, subscriptions_per_second: 3000, fan_outs: 1 }
            guard:
              max_recipients: 50000
              max_change: 30%
              quiet_hours: { from: "22:00", to: "07:00" }
              per_recipient: { day: 3, week: 10 }
              require_reviewed_plan: true

        rules:
          condition-negation: off
        """

    private static let everything = """
        campaign: spring-tide
        about: "Spring tide: stay off the pier"
        owner: duty@harbour.example
        x-ticket: [HARBOUR-12, { urgent: yes }]
        audience:
          condition: "'tides' in topics && ('azores' in topics || 'madeira' in topics)"
        message:
          notification:
            title: Spring tide
            body: Stay off the pier tonight.
            image: https://harbour.example/tide.png
          data: { lot: 0123, at: 2:45, beta: no }
          android:
            collapse_key: tide
            priority: HIGH
            ttl: 3.5s
            restricted_package_name: example.harbour
            data:
              lot: 0124
            notification:
              title: Spring tide
              body: Stay off the pier.
              icon: wave
              sound: bell
              tag: tide
              click_action: OPEN_TIDE
              channel_id: warnings
              image: https://harbour.example/tide.png
            fcm_options: { analytics_label: tide-android }
          apns:
            headers:
              apns-priority: "10"
              apns-expiration: 2147483647
              apns-collapse-id: tide
              apns-topic: example.harbour
              apns-id: eabeae54-14a8-11e5-b60b-1697f925ec7b
            payload:
              aps:
                alert:
                  title: Spring tide
                  subtitle: Saturday
                  body: Stay off the pier.
                  launch-image: wave
                badge: 3
                sound:
                  name: bell
                  critical: 1
                category: TIDE
                thread-id: tides
                content-available: 1
                mutable-content: 1
              tide: { height: 4.2, high: true }
            fcm_options: { analytics_label: tide-apple }
          webpush:
            headers: { TTL: 3600, Urgency: very-low, Topic: tide }
            data: { lot: 0125 }
            notification:
              title: Spring tide
              actions: [{ action: open, title: Open }]
            fcm_options:
              link: https://harbour.example/tide
              analytics_label: tide-web
          fcm_options: { analytics_label: tide }
        delivery:
          ttl: 4h
          priority: high
          collapse: tide
        schedule:
          at: 2037-03-20 07:30
          timezone: UTC
          until: 2037-03-20 18:00
          late: skip
          late_after: 15m
          during_quiet_hours: send
          reason: The tide does not wait.
        revision: 2
        moved_from: high-tide
        on_unknown: stop
        acknowledge: { reach: 120000, dead: 40%, reason: The board asked for it. }
        labels: { team: harbour, quarter: 2037-1 }
        """

    private static let lists = """
        audience: anglers
        about: Anglers who test the next version
        owner: beta@harbour.example
        labels: { team: beta }
        registrations: [angler:1, angler:2]
        subscribe: [tides, beta]
        rejoin: false
        test: true
        ---
        audience: guests
        registrations: [guest:1]
        subscribe: []
        ---
        campaign: catch-log
        audience: anglers
        message:
          notification: { title: Try the catch log }
        holdout: 10%
        variants:
          plain: { weight: 50 }
          urgent:
            weight: 50
            message:
              notification: { title: Try it now }
        locales:
          pt: { notification: { title: Experimente } }
        rollout:
          stages: [100, 10%, 100%]
          pause: 30m
          stop_when: { rejected: 5%, unknown: 10 }
        ---
        campaign: standing-invitation
        audience: { group: family-7 }
        message: {}
        delivery: { expires: "2037-03-20 18:00" }
        ---
        campaign: every-friday
        audience:
          registrations:
            file: campaigns/guests.csv
            kind: fid
            column: registration
            identity: guest
            read: at_send
        message: {}
        schedule:
          rrule: FREQ=WEEKLY;BYDAY=FR
          from: 2037-01-02 18:00
          except: [2037-04-03 18:00]
        ---
        campaign: every-morning
        audience: { topic: tides }
        message: {}
        schedule: { cron: 30 7 * * MON-FRI }
        ---
        campaign: ana-calls
        audience:
          registrations: ["duarte:1"]
        message: { data: { call: 7731 } }
        delivery: { ttl: 0, priority: high }
        """

    private static let skippers = """
        audience: skippers
        registrations: campaigns/skippers.txt
        ---
        audience: pilots
        registrations:
          { file: campaigns/pilots.csv, kind: token, column: token, identity: pilot,
            read: at_apply }
        ---
        removed: { audience: divers, members: unsubscribe }
        """

    private static let topic = """
        campaign: tide-alert
        audience: { topic: tides }
        message: {}
        schedule: { at: "2037-03-20 07:30" }
        """

    private static let phones = """
        devices: pier
        about: Two phones and a browser
        phones:
          - name: ana
            platform: android
            registration: ana:1
            online: true
            foreground: false
            topics: [tides, azores]
          - { name: bo, platform: apple, registration: "bo:1", online: false }
          - name: caro
            platform: web
            registration: caro:1
        """

    private static let projectWithDefaults = """
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
                { title: H, body: B, icon: i, sound: s, tag: t, click_action: C,
                  channel_id: c, image: https://harbour.example/h.png }
              fcm_options: { analytics_label: harbour }
            apns:
              headers:
                { apns-priority: "5", apns-expiration: 0, apns-collapse-id: h, apns-topic: t,
                  apns-id: 1 }
              payload:
                aps: { alert: { title: H, subtitle: S, body: B, launch-image: w },
                       badge: 0, sound: { name: bell, critical: 0 }, category: H, thread-id: h,
                       content-available: 0, mutable-content: 0 }
              fcm_options: { analytics_label: harbour }
            webpush:
              headers: { TTL: 0, Urgency: high, Topic: h }
              data: { desk: harbour }
              notification: { title: Harbour }
              fcm_options: { link: https://harbour.example, analytics_label: h }
            fcm_options: { analytics_label: harbour }
          delivery: { ttl: 4h, priority: normal, collapse: harbour }
          labels: { desk: harbour }
          on_unknown: skip
        """

    private static let plain = """
        campaign: plain
        audience: { topic: tides }
        message:
          notification: { body: The tide is coming in. }
        ---
        campaign: plainer
        audience: { topic: tides }
        message: { data: { kind: plain } }
        """
}
