/// Complete documents without errors that contain every key of the language.
///
/// Each campaign file requires only `herald.yaml`.
enum SampleProject {
    static let files: [(path: String, text: String)] = [
        ("herald.yaml", project),
        ("campaigns/answers.yaml", answers),
        ("campaigns/shared.yaml", shared),
        ("campaigns/everything.yaml", everything),
        ("campaigns/lists.yaml", lists),
        ("campaigns/skippers.yaml", skippers),
        ("campaigns/topic.yaml", topic),
        ("campaigns/phones.yaml", phones),
    ]

    /// A project with all possible defaults, merged under one campaign.
    static let filesWithDefaults: [(path: String, text: String)] = [
        ("herald.yaml", projectWithDefaults),
        ("campaigns/plain.yaml", plain),
    ]

    /// Values that contradict some of the other defaults.
    static let filesWithOtherDefaults: [(path: String, text: String)] = [
        ("herald.yaml", projectWithOtherDefaults)
    ]

    /// A valid public key of a recipient.
    private static let key = "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"

    /// The lists that the sample and its mutations name, with their columns.
    static let listFiles: [(path: String, text: String)] = [
        (path: "campaigns/skippers.txt", text: "skipper:1\nskipper:2\n"),
        (path: "campaigns/mates.txt", text: "mate:1\nmate:2\n"),
        (path: "campaigns/guides.txt", text: "guide:1\nmate:2\n"),
        (
            path: "campaigns/pilots.csv",
            text: """
            token,registration,pilot,r,l,z,k,c,next_tide,t
            p:1,p:1,1,p:1,pt,UTC,\(key),3,2037-03-20 07:00,2037-03-20T07:00:00Z

            """
        ),
        (
            path: "campaigns/guests.csv",
            text: "registration,guest,r,language,zone,key,bookings,c\ng:1,1,g:1,pt,UTC,\(key),2,2\n"
        ),
        (path: "campaigns/crew.csv", text: "registration,locale\nc:1,pt\nc:2,pt-BR\n"),
        (
            path: "lists/a.csv",
            text: "token,pilot,l,z,k,c,next_tide\np:1,1,pt,UTC,\(key),3,2037-03-20 07:00\n"
        ),
        (
            path: "a.ndjson",
            text: #"{"token": "p:1", "pilot": 1, "l": "pt", "z": "UTC", "k": "\#(key)", "c": 3, "#
                + #""next_tide": "2037-03-20 07:00"}\#n"#
        ),
    ]

    private static let project = """
        version: 1
        project: harbour
        timezone: UTC
        recall: { silent: true }

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
            emulator: { url: "http://127.0.0.1:9099", ca: harbour-ca.pem, credentials: "env:KEY" }
          production:
            fcm:
              project_id: harbour-b5ae1
              sender_id: "1029384756"
              credentials: "env:KEY"
              endpoint: https://fcm.gateway.example
            state:
              postgres: "${HERALD_STATE_URL}"
              lineage: 7c1d
              retain: 90d
              encryption: { key: "env:HERALD_STATE_KEY", previous: keys/former.key }
            protected: true
            sends: run
            settle: 60s
            max_unknown: 4000
            notify: { webhook: "env:HOOK", secret: "env:HOOK_KEY" }
            upstream: { sender_id: "1029384756", server_key: "env:SERVER_KEY" }
            pace:
              sends_per_minute: 600000
              subscriptions_per_second: 3000
              fan_outs: 1
              fan_out_rate: 10000
            guard:
              max_recipients: 50000
              max_change: 30%
              quiet_hours: { from: "22:00", to: "07:00", spread: 15m }
              per_recipient: { day: 3, week: 10 }
              require_reviewed_plan: true
              max_sends_per_run: 1000000
              allow_test: true
              approvals:
                need: 2
                over: 50000
                signers: approvers/allowed_signers
                revoked: approvers/revoked_keys
                not_author: true
                valid: 24h

        sources:
          vips:
            command: [./export-vips, --format, csv]
            environment: [EXPORT_TOKEN]
            format: csv
            timeout: 60s
            max_drift: 5%
          lapsed:
            postgres: "${HERALD_LISTS_URL}"
            query: SELECT token AS registration FROM app.lapsed

        rules:
          condition-negation: off
        """

    private static let shared = """
        messages:
          harbour:
            notification: { title: Harbour office, body: Please look at the board. }
            data: { desk: harbour }
            android: { restricted_package_name: example.harbour }
            android_v2: { background_sync: {} }
            apns: { payload: { aps: { badge: 1 } } }
            webpush: { headers: { Urgency: low } }
            fcm_options: { analytics_label: harbour }
            owner: duty@harbour.example
            labels: { desk: harbour }
            delivery: { ttl: 4h }
            on_unknown: skip
        about: What the harbour office tells
        ---
        campaign: fog
        extends: harbour
        audience: { topic: tides }
        message: { data: { signal: horn } }
        """

    private static let everything = """
        campaign: spring-tide
        about: "Spring tide: stay off the pier"
        owner: duty@harbour.example
        environments: [local, production]
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
              title_loc_key: tide_title
              title_loc_args: [Horta, 16:42]
              body_loc_key: tide_body
              body_loc_args: [4.20]
              ticker: Spring tide
              icon: wave
              color: "#1f6feb"
              sound: bell
              default_sound: false
              tag: tide
              click_action: OPEN_TIDE
              channel_id: warnings
              image: https://harbour.example/tide.png
              sticky: true
              local_only: false
              event_time: 2037-03-20T17:20:00.5+01:00
              notification_priority: PRIORITY_HIGH
              visibility: PUBLIC
              notification_count: 2
              vibrate_timings: [0s, 0.25s]
              default_vibrate_timings: false
              light_settings:
                color: { red: 1, green: 0.5, blue: 0, alpha: 1.0 }
                light_on_duration: 0.5s
                light_off_duration: 2s
              default_light_settings: false
              proxy: DENY
            fcm_options: { analytics_label: tide-android }
            direct_boot_ok: true
            bandwidth_constrained_ok: true
            restricted_satellite_ok: false
          android_v2:
            collapse_key: tide
            ttl: 60s
            restricted_package_name: example.harbour
            data: { lot: 0126 }
            fcm_options: { analytics_label: tide-android }
            direct_boot_ok: true
            bandwidth_constrained_ok: true
            restricted_satellite_ok: false
            remote_notification:
              mutable_content: true
              use_as_v1_data_message: false
              notification:
                title: Spring tide
                body: Stay off the pier.
                title_loc_key: tide_title
                title_loc_args: [Horta]
                body_loc_key: tide_body
                body_loc_args: [Horta]
                ticker: Spring tide
                icon: wave
                color: "#1f6feb"
                sound: bell
                default_sound: false
                tag: tide
                click_action: OPEN_TIDE
                channel_id: warnings
                image: https://harbour.example/tide.png
                sticky: true
                local_only: false
                event_time: 2037-03-20T16:20:00Z
                notification_priority: PRIORITY_MAX
                visibility: SECRET
                notification_count: 2
                vibrate_timings: []
                default_vibrate_timings: true
                light_settings:
                  color: { red: 0.25, green: 0, blue: 0, alpha: 1 }
                  light_on_duration: 1s
                  light_off_duration: 0s
                default_light_settings: true
                id: 42
          apns:
            headers:
              apns-push-type: alert
              apns-priority: "5"
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
                  title-loc-key: TIDE_TITLE
                  title-loc-args: [Horta, 16:42]
                  subtitle-loc-key: TIDE_DAY
                  subtitle-loc-args: [Saturday]
                  loc-key: TIDE_BODY
                  loc-args: [no]
                  action-loc-key: OPEN
                  launch-image: wave
                  summary-arg: tides
                  summary-arg-count: 2
                  action: Open
                badge: 3
                sound:
                  name: bell
                  critical: 1
                  volume: 0.8
                category: TIDE
                thread-id: tides
                content-available: 1
                mutable-content: 1
                target-content-id: tide-view
                interruption-level: time-sensitive
                relevance-score: 0.5
                filter-criteria: tides
                url-args: [horta]
                event: start
                timestamp: 2120000000
                content-state: { height: 4.2 }
                stale-date: 2120003600
                dismissal-date: 2120007200
                attributes-type: TideAttributes
                attributes: { station: horta }
                input-push-token: 1
                input-push-channel: dHN0LXNyY2gtY2hubA==
              tide: { height: 4.2, high: true }
            fcm_options:
              analytics_label: tide-apple
              image: https://harbour.example/tide.png
            live_activity_token: 80a1b2c3
          webpush:
            headers: { TTL: 3600, Urgency: very-low, Topic: tide }
            data: { lot: 0125 }
            notification:
              title: Spring tide
              body: Stay off the pier.
              icon: /wave.png
              image: https://harbour.example/tide.png
              badge: /small.png
              lang: en
              dir: ltr
              tag: tide
              renotify: true
              requireInteraction: true
              silent: false
              timestamp: 2120000000000
              data: [tide, 3]
              actions:
                - action: open
                  title: Open
                  icon: /open.png
              colour: blue
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
          jitter: 5m
          during_quiet_hours: send
          reason: The tide does not wait.
        revision: 2
        priority: 10
        moved_from: high-tide
        on_unknown: stop
        record: ids
        cap: exempt
        reason: Storms do not count messages.
        acknowledge: { reach: 120000, dead: 40%, change: 600, reason: The board asked for it. }
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
        transport: batch
        test: true
        acknowledge: { change: 40, reason: The beta has ended. }
        columns: { name: { default: angler } }
        ---
        audience: guests
        registrations: [guest:1]
        subscribe: []
        test: true
        ---
        audience: crew
        registrations: campaigns/crew.csv
        ---
        campaign: catch-log
        audience: crew
        message:
          notification: { title: Try the catch log }
          webpush: { notification: { vibrate: [200, 100] } }
        objective: 90% in 2m
        experiment: invitation
        holdout: 10%
        variants:
          plain: { weight: 50 }
          urgent:
            weight: 50
            message:
              notification: { title: Try it now }
        rollout:
          canary: anglers
          stages: [100, 10%, 100%]
          pause: 30m
          stop_when: { rejected: 5%, unknown: 10, held: true }
        recall:
          notification: { title: Sorry, body: Please ignore it }
        ---
        campaign: catch-of-the-day
        audience: crew
        message:
          notification: { title: A big one }
        recall: { silent: true }
        locales:
          pt: { notification: { title: Um grande } }
        ---
        campaign: catch-correction
        corrects: catch-of-the-day
        message:
          notification: { title: Correction, body: It was a small one. }
        ---
        campaign: own-catch
        audience: { registrations: { file: campaigns/pilots.csv, column: token, public_key: k } }
        message:
          notification: { title: Your catch }
          data: { screen: catches }
        encrypt: { placeholder: { title: Your catch is recorded, body: Open the app to see it. } }
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
            locale: language
            timezone: zone
            public_key: key
            covariate: bookings
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
        campaign: own-tide
        audience: { registrations: { file: campaigns/pilots.csv, column: token } }
        message: {}
        schedule: { at_column: next_tide }
        ---
        campaign: ana-calls
        audience: anglers
        message: { data: { call: 7731 }, android_v2: { background_sync: {} } }
        delivery: { ttl: 0, priority: high }
        """

    private static let skippers = """
        audience: skippers
        registrations: campaigns/skippers.txt
        ---
        audience: pilots
        registrations:
          { file: campaigns/pilots.csv, kind: token, column: token, identity: pilot, locale: l,
            timezone: z, public_key: k, covariate: c, read: at_apply }
        ---
        audience: vips
        registrations: { source: vips }
        ---
        campaign: come-back
        audience: { registrations: { source: lapsed } }
        message: {}
        ---
        removed: { audience: divers, members: unsubscribe }
        acknowledge: { change: 1200, reason: The diving school has closed. }
        ---
        removed: { audience: swimmers, members: unsubscribe }
        ---
        audience: mates
        registrations: campaigns/mates.txt
        except: [guides]
        ---
        audience: guides
        registrations: campaigns/guides.txt
        ---
        audience: harbour-crew
        union: [skippers, mates]
        ---
        audience: both
        all_of: [harbour-crew, skippers]
        ---
        campaign: crew-call
        audience: harbour-crew
        exclude: [guides]
        message: {}
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
            doze: false
            force_stopped: false
            topics: [tides, azores]
          - { name: bo, platform: apple, registration: "bo:1", online: false }
          - name: caro
            platform: web
            registration: caro:1
        """

    private static let answers = """
        campaign: question
        audience: { topic: tides }
        message: {}
        ---
        upstream: answer
        about: Keeps the answers to the question
        match: { category: com.example.harbour, data: { action: answer } }
        subscribe: [azores]
        unsubscribe: [beta]
        event: answered
        campaign: question
        append: answers.csv
        reply:
          notification: { title: Thank you, body: Your answer is recorded. }
          data: { action: thanks }
        ---
        upstream: leave-everything
        match: { data: { action: leave } }
        opt_out: true
        append: leavers.ndjson
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
