// swift-format-ignore-file
// Scripts/embed-rule-pages.py writes this file from Rules/*/*.md.

import Diagnostics

extension RuleID {
    /// The page of the rule.
    var markdown: String {
        switch self {
        case .allowSyntax:
            #"""
            # allow-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses `herald:` comments that are not of the form `# herald: allow RULE, reason`.

            Herald reads every comment that begins with `herald:` as an instruction. Each comment names one rule. The reason after the comma is required.

            ## Why is this bad

            A malformed comment silences nothing but looks as if it did. The reason lets the next reader judge whether the exception
            still applies.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out
            message:
              apns: { payload: { aps: { alert: Add the tides to your lock screen. } } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out, the widget is for Apple devices only
            message:
              apns: { payload: { aps: { alert: Add the tides to your lock screen. } } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Findings

            """#
        case .apnsExpirationInPast:
            #"""
            # apns-expiration-in-past

            Warning. `rules: { apns-expiration-in-past: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow apns-expiration-in-past, REASON`

            ## What it does

            Reports an `apns-expiration` that has passed by the time the message is sent.

            The value 0 is not reported: it means "now or never".

            ## Why is this bad

            Apple tries to deliver an expired message once and does not store it. The field is a point in time, not a duration. A value that is copied from an example is therefore usually in the past.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns: { headers: { apns-expiration: "1604750400" } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            delivery: { ttl: 4h }
            ```

            ## Source

            Apple documentation, Sending notification requests to APNs

            """#
        case .apnsPayload:
            #"""
            # apns-payload

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses an `apns.payload` in which `aps` is missing or empty, or has its keys next to it.

            `alert` and `badge` belong under `aps`. Other keys next to `aps` are the app's own. A payload under `defaults` is checked in each campaign, after Herald has merged the defaults.

            ## Why is this bad

            FCM refuses the whole message with INVALID_ARGUMENT, for Android and the web, too. The common `notification` does not replace `aps`.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns: { payload: { station: horta } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns: { payload: { aps: { sound: default }, station: horta } }
            ```

            ## Source

            Answers of FCM recorded in firebase/firebase-admin-dotnet, issues 39 and 323, and in vincedevendra/firebase_cloud_messenger, issue 6; Firebase reference, REST resource projects.messages

            """#
        case .apnsPriorityBackground:
            #"""
            # apns-priority-background

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses values of `apns-priority` that Apple does not accept.

            Priority 10 is refused if the message shows nothing or has the push type `background`. Priority 1 is refused for a Live Activity.

            ## Why is this bad

            Apple treats 10 as an error for background notifications. FCM data messages to Apple devices must use 5, and Live Activities must use 5 or 10.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
              apns: { headers: { apns-priority: "10" } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
              apns: { headers: { apns-priority: "5" } }
            ```

            ## Source

            Firebase reference, REST resource projects.messages; Apple documentation, Sending notification requests to APNs; Apple documentation, Starting and updating Live Activities with ActivityKit push notifications

            """#
        case .brokenListLine:
            #"""
            # broken-list-line

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses lines of a registration list that are not valid registrations.

            A text file contains one registration per line: 1 to 4,096 printable ASCII characters except spaces, quotation marks, commas, semicolons and backslashes. Empty lines and lines that begin with `#` are skipped.

            In all formats, Herald refuses bytes that are not UTF-8, the character NUL, and rows of more than 1 MiB. In CSV and NDJSON files, it also refuses rows with too few or too many fields, quotation marks that do not match, a name or key that is used twice, rows without a registration or `identity`, and numbers that can be spelt in several ways, such as `1.0`. It refuses malformed locales, such as `nb_NO`, if the list names their column as `locale` or a campaign with `locales` uses the list.

            Herald reports the first ten lines with column and byte, and the number of the others. Lines and bytes count from 1, in the uncompressed file.

            ## Why is this bad

            The intended recipient would receive nothing. Herald would also send to the header line of a table that was saved under the wrong name.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002,Bo
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            # Bo
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience

            """#
        case .collapseIDTooLong:
            #"""
            # collapse-id-too-long

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses an `apns-collapse-id` that is empty or longer than 64 bytes.

            The limit counts bytes of UTF-8, not characters: `é` has two bytes. `delivery.collapse` writes this header. It takes at most 32 characters, because web push allows no more.

            ## Why is this bad

            Apple refuses the request, and no Apple device receives the message.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              apns:
                headers:
                  apns-collapse-id: maré-viva-do-equinócio-no-grupo-central-das-ilhas-dos-açores-37
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              apns:
                headers:
                  apns-collapse-id: maré-viva-açores-37
            delivery: { ttl: 4h }
            ```

            ## Source

            Apple documentation, Sending notification requests to APNs

            """#
        case .collapseKeyOnNotification:
            #"""
            # collapse-key-on-notification

            Warning. `rules: { collapse-key-on-notification: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow collapse-key-on-notification, REASON`

            ## What it does

            Reports `android.collapse_key` on a message that shows a notification on Android.

            ## Why is this bad

            Notification messages are always collapsible and ignore the key. The `tag` replaces an older notification on the screen, and `delivery.collapse` sets it.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: azores }
            message:
              notification: { title: Harbour regatta, body: The blue gig leads }
              android: { collapse_key: score }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: azores }
            message:
              notification: { title: Harbour regatta, body: The blue gig leads }
            delivery: { collapse: score }
            ```

            ## Source

            Firebase documentation, About FCM messages, Collapsible messages

            """#
        case .collapsibleBurst:
            #"""
            # collapsible-burst

            Warning. `rules: { collapsible-burst: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow collapsible-burst, REASON`

            ## What it does

            Reports more collapsible messages to one device than FCM delivers without delay.

            Notifications, data messages with a collapse key, and topic messages without content are collapsible. A device receives 20 collapsible messages of an app at once, and one more every 3 minutes. Messages with a `ttl` of 0 do not count.

            Campaigns count together if they are known to reach the same devices: they address the same topic, or lists with common registrations. A list counts together with each topic to which its members are kept subscribed, and a condition with each topic that adds devices to it. Two different topics never count together. A campaign without a schedule counts as sent now. A repeating campaign is checked for the next 28 days.

            ## Why is this bad

            FCM delays the messages above the limit. They are not lost, but a newer message may replace a delayed one. For high bursts use non-collapsible messages with the content inside.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            ⟨---
            campaign: lap-#
            audience: { topic: azores }
            message: { data: { lap: "#" } }
            delivery: { ttl: 30m, collapse: laps }
            ×21⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            ⟨---
            campaign: lap-#
            audience: { topic: azores }
            message: { data: { lap: "#", boat: Brisa, time: 2:45 } }
            delivery: { ttl: 30m }
            ×21⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Firebase documentation, About FCM messages, Collapsible message throttling; Firebase documentation, Throttling and quotas

            """#
        case .conditionMixedOperators:
            #"""
            # condition-mixed-operators

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses `&&` mixed with `||` without parentheses if the order changes the audience.

            ## Why is this bad

            FCM evaluates conditions from left to right. Programming languages evaluate `&&` first.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: island-ferries
            audience:
              condition: "'azores' in topics || 'madeira' in topics && 'tides' in topics"
            message:
              notification: { title: Ferries, body: No boats between the islands }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: island-ferries
            audience:
              condition: "('azores' in topics || 'madeira' in topics) && 'tides' in topics"
            message:
              notification: { title: Ferries, body: No boats between the islands }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionNegation:
            #"""
            # condition-negation

            Warning. `rules: { condition-negation: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow condition-negation, REASON`

            ## What it does

            Reports `!` in a condition.

            ## Why is this bad

            Older editions of the FCM documentation describe `!`. The current ones describe only `&&`, `||` and parentheses.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              condition: "'tides' in topics && !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionNegationsOnly:
            #"""
            # condition-negations-only

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions in which every topic is negated.

            ## Why is this bad

            FCM refuses such a condition with 400 INVALID_ARGUMENT.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "!('azores' in topics || 'madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "'tides' in topics && !('azores' in topics || 'madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionNeverTrue:
            #"""
            # condition-never-true

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions that are false for every combination of subscriptions.

            ## Why is this bad

            Such a condition reaches no device, and FCM accepts it without an error.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "'tides' in topics && !('tides' in topics || 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "'tides' in topics && !('madeira' in topics || 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionReachesEverybody:
            #"""
            # condition-reaches-everybody

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions that are true for an app instance without any of their topics.

            ## Why is this bad

            `!` matches app instances that never subscribed to anything. Such a condition reaches almost every device that has the app.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "'tides' in topics || !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: mainland-tides
            audience:
              # herald: allow condition-negation, no topic covers the mainland
              condition: "'tides' in topics && !('madeira' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionSyntax:
            #"""
            # condition-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions that cannot be parsed.

            A condition joins `'NAME' in topics` with `&&`, `||` and parentheses. `!` negates the operand after it. A condition is also refused if a parenthesis is not closed. Parentheses and `!` may be nested at most 64 levels deep, and a condition may name topics at most 1,000 times.

            ## Why is this bad

            FCM answers such a condition with INVALID_ARGUMENT, and no device receives the message.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { condition: "'tides' in topics & 'azores' in topics" }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { condition: "'tides' in topics && 'azores' in topics" }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionTooManyMentions:
            #"""
            # condition-too-many-mentions

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions that name topics more than five times.

            Repeated topics count each time. If a shorter condition has the same meaning, the finding shows it.

            ## Why is this bad

            FCM accepts five topics in a condition. Its documentation does not say whether a repeated topic counts once, so only five mentions are certain to be accepted.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: lagoon-tides
            audience:
              condition: >-
                ('tides' in topics && 'azores' in topics)
                || ('tides' in topics && 'madeira' in topics)
                || ('tides' in topics && 'algarve' in topics)
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, azores: {}, madeira: {}, algarve: {} }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: lagoon-tides
            audience:
              condition: >-
                'tides' in topics
                && ('azores' in topics || 'madeira' in topics || 'algarve' in topics)
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, azores: {}, madeira: {}, algarve: {} }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionTopics:
            #"""
            # condition-topics

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses conditions that name more than five different topics.

            A repeated topic counts once here.

            ## Why is this bad

            FCM refuses a condition with more than five topics. Let the app join one more topic that covers several of them, or split the campaign into several campaigns whose conditions exclude each other.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience:
              condition: >-
                'corvo' in topics || 'flores' in topics || 'faial' in topics
                || 'pico' in topics || 'graciosa' in topics || 'terceira' in topics
            message: { notification: { title: Spring tide, body: Currents up to 4 knots. } }
            delivery: { ttl: 4h }
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { azores: {}, corvo: {}, flores: {}, faial: {}, pico: {},
                      graciosa: {}, terceira: {} }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: azores }
            message: { notification: { title: Spring tide, body: Currents up to 4 knots. } }
            delivery: { ttl: 4h }
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { azores: {}, corvo: {}, flores: {}, faial: {}, pico: {},
                      graciosa: {}, terceira: {} }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conditionUselessTopic:
            #"""
            # condition-useless-topic

            Warning. `rules: { condition-useless-topic: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow condition-useless-topic, REASON`

            ## What it does

            Reports topics that have no effect on a condition.

            ## Why is this bad

            The author probably expected these topics to narrow or widen the audience.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience:
              condition: "'tides' in topics || ('tides' in topics && 'azores' in topics)"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .conflictingKeys:
            #"""
            # conflicting-keys

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses keys that exclude each other.

            An audience takes one of `topic`, `condition`, `registrations` and `group`, and an `audience:` document one of `registrations`, `union` and `all_of`. A delivery takes one of `ttl` and `expires`. A schedule takes one of `at`, `cron` and `rrule`. An environment takes one of `emulator` and `fcm`.

            An `android_v2` message takes one of `remote_notification` and `background_sync`. A browser notification cannot combine `silent: true` with `vibrate`. `expires` cannot be combined with a repeating schedule, nor `removed` with a `subscribe` of the same audience. A plain-text list has no `column`, `identity` or `locale`. Under `locales`, `"*"` stands for the campaign's own text and has no fields.

            If one of the keys comes from `defaults`, write `KEY: ~` in the campaign to remove it.

            ## Why is this bad

            The two keys contradict each other. Herald does not guess which one the author meant.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience:
              topic: tides
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages

            """#
        case .credentialInFile:
            #"""
            # credential-in-file

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses credentials in `herald.yaml` and in any file below `campaigns/`.

            Herald recognises credentials by their form in values, keys, comments and `x-` keys. It finds API keys (`AIza…`); the keys of Android apps, Apple apps, browsers and servers all have this form. It finds private keys (PEM, as in the key file of a service account, or a bare `private_key`) and server keys of the legacy FCM protocols. It finds Google OAuth tokens and client secrets (`ya29.…`, `1//0…`, `GOCSPX-…`), and the tokens of GitHub, Slack and AWS. A key in `credentials` is refused, too.

            Findings never show the credential.

            ## Why is this bad

            Anyone who reads the files or receives the message can use the credential. The history of the files keeps it even after its removal. With a private key or a server key, an attacker can send to every device of the project.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: harbour-map
            about: The map needs the key AIza⟨x×35⟩
            audience: { topic: tides }
            message: { notification: { title: A new map } }
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: harbour-map
            about: The map's key is that of the app
            audience: { topic: tides }
            message: { notification: { title: A new map } }
            ```

            ## Source

            Firebase documentation, About FCM messages, Credentials; Google Cloud documentation, Best practices for managing service account keys; RFC 7468

            """#
        case .dataValue:
            #"""
            # data-value

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses lists, mappings and empty values in `data`.

            Every value of `data`, `android.data` and `webpush.data` is text. A value that YAML reads as a number, a date or `true` is sent exactly as written. Write an empty text as `""`, and a list or mapping as JSON in a string.

            ## Why is this bad

            FCM accepts only strings and answers other values with INVALID_ARGUMENT.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              data: { station: horta, heights: [1.60, 0.40] }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              data: { station: horta, heights: "[1.60, 0.40]" }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages

            """#
        case .datedContentWithoutTTL:
            #"""
            # dated-content-without-ttl

            Note. `rules: { dated-content-without-ttl: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow dated-content-without-ttl, REASON`

            ## What it does

            Reports a notification that names a day or a time but has no time to live or expiry.

            Herald recognises weekdays, dates such as `20 March` and `2037-03-20`, times such as `09:00` and `5 pm`, and `today`, `tonight`, `tomorrow`. A time to live for any platform is enough to avoid the finding.

            ## Why is this bad

            FCM keeps the message for four weeks, and for 30 days on Apple platforms. A device that reconnects during that time shows outdated news.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide on Saturday
                body: Currents up to 4 knots at the harbour mouth
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide on Saturday
                body: Currents up to 4 knots at the harbour mouth
            delivery: { ttl: 12h }
            ```

            ## Source

            Firebase documentation, About FCM messages, Setting the lifespan of a message; Firebase reference, REST resource projects.messages

            """#
        case .deprecatedKey:
            #"""
            # deprecated-key

            Warning. `rules: { deprecated-key: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow deprecated-key, REASON`

            ## What it does

            Reports keys that FCM no longer documents.

            The only such key is `bypass_proxy_notification` in an Android notification. Herald still sends it.

            ## Why is this bad

            The key is no longer in the reference, so FCM may refuse or ignore it in the future.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { bypass_proxy_notification: true } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { proxy: DENY } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages, AndroidNotification

            """#
        case .deviceGroupFits:
            #"""
            # device-group-fits

            Note. `rules: { device-group-fits: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow device-group-fits, REASON`

            ## What it does

            Reports lists in which a person has several registrations.

            Herald counts the people in the `identity` column of each list who have 2 to 20 registrations. A device group has at most 20.

            ## Why is this bad

            Each registration gets its own message. If a person dismisses one, the others stay. A device group gets one message, and an app can share its state among the devices of the group.

            ## Example

            `campaigns/crew.yaml`

            ```yaml
            audience: crew
            registrations: { file: campaigns/registrations/crew.csv, column: registration, identity: user }
            ```

            `campaigns/registrations/crew.csv`

            ```text
            user,registration
            ana,ana-phone:1
            ana,ana-tablet:1
            rui,rui-phone:1
            ```

            ## Use instead

            `campaigns/crew.yaml`

            ```yaml
            campaign: crew-change
            audience: { group: ana }
            message: { notification: { title: Crew change at 09:00 } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, Topic messaging on Apple platforms, and Send messages to device groups

            """#
        case .deviceRate:
            #"""
            # device-rate

            Warning. `rules: { device-rate: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow device-rate, REASON`

            ## What it does

            Reports more than 240 messages a minute, or 5,000 an hour, to one Android device.

            Every message that Android receives counts, even one with a `ttl` of 0.

            Campaigns count together if they are known to reach the same devices: they address the same topic, or lists with common registrations. A list counts together with each topic to which its members are kept subscribed, and a condition with each topic that adds devices to it. Two different topics never count together. A campaign without a schedule counts as sent now. A repeating campaign is checked for the next 28 days.

            ## Why is this bad

            FCM delivers no more than this to one device, which protects the battery from a faulty server. No reader can follow four messages per second either.

            ## Example

            `campaigns/positions.yaml`

            ```yaml
            ⟨---
            campaign: position-#
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { position: "#" } }
            delivery: { ttl: 0 }
            ×241⟩
            ```

            `campaigns/registrations/ana.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/positions.yaml`

            ```yaml
            campaign: positions
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { first: "1", last: "241" } }
            delivery: { ttl: 0 }
            ```

            `campaigns/registrations/ana.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Firebase documentation, About FCM messages, Maximum message rate to a single device; Firebase documentation, Throttling and quotas

            """#
        case .duplicateKey:
            #"""
            # duplicate-key

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses keys that appear twice in one mapping.

            The merge key `<<` counts, too. To merge several mappings, write one `<<` with a list: `<<: [*first, *second]`. A merged key does not count as a duplicate: the mapping's own key wins.

            ## Why is this bad

            YAML requires unique keys, and parsers differ in which duplicate they keep. A reviewer might approve one value while the other is sent.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                title: Low water
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
            delivery: { ttl: 4h }
            ```

            ## Source

            YAML 1.2.2, section 3.2.1.3

            """#
        case .duplicateName:
            #"""
            # duplicate-name

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses names that are used twice in a project.

            Each campaign needs a unique name, even across files. The same applies to audiences, shared messages, devices and device groups. The registry contains each topic once, with or without `/topics/`. Tags under `locales` that differ only in case are the same name. Two devices cannot have the same registration.

            ## Why is this bad

            Herald records what was sent under the campaign's name. It would read the second campaign as a change of the first.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: azores }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert-azores
            audience: { topic: azores }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert-madeira
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign

            """#
        case .duplicateRegistration:
            #"""
            # duplicate-registration

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses registrations that appear twice in one list.

            The finding shows the line, or the position in an inline list. It never shows the registration, which is a secret. Herald compares the whole file regardless of its size.

            ## Why is this bad

            The recipient would get the same message twice, because FCM does not recognise a repeated request.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience

            """#
        case .durationSyntax:
            #"""
            # duration-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses durations that are not written in the expected form.

            Herald's own keys (`ttl` of a delivery, `late_after`, `pause`, `settle`, the time of an `objective`) take days, hours, minutes and seconds in this order, each at most once and without spaces: `4d`, `1h30m`, `90s`. `0` needs no unit. Android lights and vibration take seconds in FCM's form, with at most nine decimals: `0.2s`.

            ## Why is this bad

            A number without a unit is ambiguous. If hours are read as seconds, a warning with a day's notice expires after half a minute.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4 hours }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Delivery; Firebase reference, REST resource projects.messages

            """#
        case .emptyList:
            #"""
            # empty-list

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses lists that contain no registrations.

            A file with only empty lines and comments is an empty list, and so are empty brackets. A set of lists is empty if `all_of` has nothing in common, or if `except` or a campaign's `exclude` leaves nothing. A list with `read: at_send` may be empty until its send begins, unless it is kept subscribed.

            ## Why is this bad

            A campaign without recipients usually results from a failed export. For an audience with `subscribe`, an empty list would unsubscribe every member. To do so on purpose, write `subscribe: []`.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            # members of the harbour club
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            # members of the harbour club
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience and Sets

            """#
        case .emptyTitle:
            #"""
            # empty-title

            Warning. `rules: { empty-title: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow empty-title, REASON`

            ## What it does

            Reports notifications that show no readable text.

            Herald reports a `title`, `body` or alert that consists only of spaces and invisible characters and has no `…loc_key` next to it. It also reports a notification with neither title nor body on a platform that shows it.

            The rule runs only if the campaign's document and `herald.yaml` have no errors.

            ## Why is this bad

            The phone rings and shows an empty line or only the app's name. To wake an app without showing anything, send a data message.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: " ", body: Stay off the pier. }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Stay off the pier. }
            ```

            ## Source

            Firebase documentation, About FCM messages, Message types; Apple documentation, Generating a remote notification

            """#
        case .encryptedMessage:
            #"""
            # encrypted-message

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses parts of a campaign with `encrypt` that would be readable, and lists without keys.

            `encrypt` encrypts the common `data` and `notification` of a message. Herald refuses the following:

            - a list without `public_key`
            - a `notification` without `encrypt: { placeholder: … }`, and a placeholder without a `notification`
            - data and texts in the blocks of a platform: `android.data`, `webpush.data`, the app's keys in `apns.payload`, an alert, titles, bodies and images
            - `{{column}}` outside of `data` and `notification`, and in the placeholder
            - a message with neither `data` nor `notification`

            ## Why is this bad

            FCM, Apple and the browsers' push services can read all parts of a message that are not encrypted. If a part of a message is encrypted, its author expects that none of its text is readable.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-of-the-day
            audience:
              registrations: { file: campaigns/registrations/anglers.csv, public_key: key }
            message:
              notification: { title: "Your catch: {{catch}}" }
              data: { screen: catches }
            delivery: { ttl: 4h }
            encrypt: {}
            ```

            `campaigns/registrations/anglers.csv`

            ```text
            registration,key,catch
            ana-pixel:APA91b-tidewatch-0001,3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08,bass
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-of-the-day
            audience:
              registrations: { file: campaigns/registrations/anglers.csv, public_key: key }
            message:
              notification: { title: "Your catch: {{catch}}" }
              data: { screen: catches }
            delivery: { ttl: 4h }
            encrypt: { placeholder: { title: Your catch is recorded } }
            ```

            `campaigns/registrations/anglers.csv`

            ```text
            registration,key,catch
            ana-pixel:APA91b-tidewatch-0001,3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08,bass
            ```

            ## Source

            Firebase documentation, About FCM messages, Encryption for data messages; RFC 9180; Herald, Documentation/Guide/EncryptedMessages.md

            """#
        case .environmentList:
            #"""
            # environment-list

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses a list that an environment with `lists` does not name.

            An environment with `lists` needs an entry for every audience. An audience with `union` or `all_of` has no entry, because its registrations are those of other audiences. A campaign that belongs to it cannot name a list itself. `plan` and `apply` report only the selected environment. `validate` reports all environments.

            ## Why is this bad

            The audience's own list may contain registrations of another environment. Registrations of testers would then be sent to the production app, or the reverse.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: { about: Tide tables, reach: 40000 } }
            environments:
              staging:
                emulator: {}
                lists: {}
            ```

            `campaigns/example.yaml`

            ```yaml
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            subscribe: [tides]
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: { about: Tide tables, reach: 40000 } }
            environments:
              staging:
                emulator: {}
                lists: { beta-anglers: campaigns/registrations/staging.txt }
            ```

            `campaigns/example.yaml`

            ```yaml
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            subscribe: [tides]
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            `campaigns/registrations/staging.txt`

            ```text
            test-pixel:APA91b-tidewatch-0002
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Several environments

            """#
        case .environmentVariable:
            #"""
            # environment-variable

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses environment variables that are not set or are not allowed in their place.

            In a string below `environments`, `${NAME}` is replaced with the value of the variable. Only commands that use the environment look the variable up. In this example, `herald plan -e workbench` fails if the variable is not set; without `-e`, Herald reports nothing.

            Elsewhere in `herald.yaml`, Herald refuses variables. It also refuses `${` without `NAME}` after it. `$${` writes a literal `${`. Campaigns are sent as written: Herald neither replaces nor reports variables there.

            ## Why is this bad

            An address with a missing part leads to the wrong server. Outside `environments`, a variable would make the plan depend on the machine that creates it.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              workbench:
                emulator: { url: "${TIDEWATCH_EMULATOR_URL}" }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              workbench:
                emulator: { url: "http://127.0.0.1:9099" }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, herald.yaml

            """#
        case .expiresBeyondLife:
            #"""
            # expires-beyond-life

            Warning. `rules: { expires-beyond-life: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow expires-beyond-life, REASON`

            ## What it does

            Reports a `delivery.expires` that is more than 28 days after the due time.

            ## Why is this bad

            FCM stores messages for Android and the web for at most 28 days. A device that is offline for longer misses the message, even if the message has not expired. If the news is relevant for longer, send a second message later.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: eel-season
            audience: { topic: tides }
            message:
              notification: { title: Eel season, body: Licences at the harbour office }
            schedule: { at: "2037-03-20 07:37" }
            delivery: { expires: "2037-06-01 12:00" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: eel-season
            audience: { topic: tides }
            message:
              notification: { title: Eel season, body: Licences at the harbour office }
            schedule: { at: "2037-03-20 07:37" }
            delivery: { expires: "2037-04-15 12:00" }
            ```

            ## Source

            Firebase documentation, About FCM messages, Setting the lifespan of a message

            """#
        case .expiresInPast:
            #"""
            # expires-in-past

            Warning. `rules: { expires-in-past: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow expires-in-past, REASON`

            ## What it does

            Reports a `delivery.expires` in the past if the campaign has no schedule.

            An expiry before the scheduled time is an error, which `schedule-bounds` reports.

            ## Why is this bad

            Herald sends nothing after the expiry. It records the campaign as expired, and no device receives the message.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: lock-closed
            audience: { topic: tides }
            message:
              notification: { title: Lock closed, body: Wait at the outer pier }
            delivery: { expires: "2036-12-31 12:00" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: lock-closed
            audience: { topic: tides }
            message:
              notification: { title: Lock closed, body: Wait at the outer pier }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, About FCM messages, Setting the lifespan of a message

            """#
        case .fanOutsOverlap:
            #"""
            # fan-outs-overlap

            Warning. `rules: { fan-outs-overlap: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow fan-outs-overlap, REASON`

            ## What it does

            Reports a scheduled topic or condition send that starts during another fan-out.

            FCM delivers to about 10,000 devices a second. Herald therefore estimates the length of a fan-out as the declared `reach` divided by 10,000, in seconds. A condition reaches at most the smallest of the topics joined by `&&`, and at most the sum of the topics joined by `||`.

            Sends without a declared `reach` are not checked. Campaigns without a schedule are not checked either, because Herald sends them one after the other. The rule does not apply if the project has `fcm` environments and all of them set `fan_outs` in `pace` to more than one.

            ## Why is this bad

            All fan-outs of a project share one rate. Two fan-outs at once slow each other down, and the last devices of both receive their message late. Herald therefore starts one at a time by default, and the second send starts after its due time.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ---
            campaign: ferry-times
            audience: { topic: azores }
            message: { notification: { title: The new ferry times } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ---
            campaign: ferry-times
            audience: { topic: azores }
            message: { notification: { title: The new ferry times } }
            schedule: { at: "2037-01-05 07:38" }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, About FCM messages, Fanout throttling; Firebase documentation, Topic messaging

            """#
        case .fcmVerdict:
            #"""
            # fcm-verdict

            Error. It cannot be silenced or downgraded.

            ## What it does

            Reports messages that FCM refuses when it validates them.

            Only `herald validate --online` and `herald apply --dry-run` query FCM. They send each distinct message once, with `validate_only`, to the topic, the condition or the first registration of the list. FCM delivers nothing, and Herald records nothing. A refused message is an error at the field that FCM names. If FCM refuses the registration and does not check the message, as in this example, the finding is a warning.

            Without `--online`, this example has no finding. With `--online`, the emulator answers UNREGISTERED, because the registration does not belong to any of its devices.

            ## Why is this bad

            FCM detects problems that the files do not show: registrations of uninstalled apps or of other projects, and limits that are not documented.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            devices: harbour
            phones:
              - { name: ana, platform: android, registration: "ana-pixel:APA91b-tidewatch-0001" }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-nexus:APA91b-tidewatch-0000
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            devices: harbour
            phones:
              - { name: ana, platform: android, registration: "ana-pixel:APA91b-tidewatch-0001" }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Firebase reference, Method projects.messages.send; Firebase reference, ErrorCode

            """#
        case .fixedRule:
            #"""
            # fixed-rule

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses settings and comments that silence or downgrade a fixed error.

            Herald checks the values `off` and `warn` in `rules` of `herald.yaml`, and `herald: allow` comments. Warnings, notes, the payload limits `payload-over-4000` and `payload-over-2048`, and `unrendered-placeholder` can be silenced. Any rule can be set to `error`.

            ## Why is this bad

            A campaign with such an error does not work, or reaches the wrong recipients. If the error were silenced, the failure would occur later, at a higher cost.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { unknown-topic: off }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, regatta: {} }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Findings

            """#
        case .highPriorityShowsNothing:
            #"""
            # high-priority-shows-nothing

            Warning. `rules: { high-priority-shows-nothing: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow high-priority-shows-nothing, REASON`

            ## What it does

            Reports high priority on messages that show nothing.

            The finding is a warning for a ping and for data messages to topics and conditions. For data messages to registrations it is a note, because the app may display the data itself, as chat apps do. Herald reports nothing if the time to live is 0, because a call must wake the phone immediately.

            ## Why is this bad

            High priority is intended for visible messages. Android lowers the priority of an app whose messages do not result in notifications. On Apple platforms, a data message must use priority 5.

            Use a notification message with high priority for content that users must see, such as a storm alert. FCM displays it without the app. Use a data message with normal priority for work that the app does, such as a sync; it waits until the phone is awake. A chat app that decrypts and shows data at once may use high priority.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
            delivery: { priority: high }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
            delivery: { priority: normal }
            ```

            ## Source

            Firebase documentation, Set and manage Android message priority; Firebase documentation, About FCM messages, Message types; Firebase reference, REST resource projects.messages

            """#
        case .inconsistentPerson:
            #"""
            # inconsistent-person

            Warning. `rules: { inconsistent-person: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow inconsistent-person, REASON`

            ## What it does

            Reports lists in which rows of one person have different time zones or locales.

            Herald compares the columns that the list names as `timezone` and `locale`, for rows with the same value in the column `identity`. An empty value differs from others. Upper and lower case of locales are the same. In a set, rows of all lists that have the column are compared. The finding shows the number of people and the first two lines, and never a value.

            ## Why is this bad

            The devices of one person would get messages in different languages, or at different times. Usually one of the rows is outdated.

            ## Example

            `campaigns/crew.yaml`

            ```yaml
            campaign: crew-change
            audience:
              # herald: allow device-group-fits, each device gets its own message
              registrations: { file: campaigns/registrations/crew.csv, identity: user, locale: locale }
            message: { notification: { title: Crew change at 09:00 } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/crew.csv`

            ```text
            user,registration,locale
            ana,ana-phone:1,pt
            rui,rui-phone:1,pt
            ana,ana-tablet:1,en
            ```

            ## Use instead

            `campaigns/crew.yaml`

            ```yaml
            campaign: crew-change
            audience:
              # herald: allow device-group-fits, each device gets its own message
              registrations: { file: campaigns/registrations/crew.csv, identity: user, locale: locale }
            message: { notification: { title: Crew change at 09:00 } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/crew.csv`

            ```text
            user,registration,locale
            ana,ana-phone:1,pt
            rui,rui-phone:1,pt
            ana,ana-tablet:1,pt
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience and Sets

            """#
        case .invalidColour:
            #"""
            # invalid-colour

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses colours that are not written as `"#rrggbb"`.

            A colour is `#` and six hexadecimal digits, in quotation marks. Without quotation marks, YAML reads `#` as the start of a comment, and the value is missing. The `color` of `light_settings` has another form: a mapping with red, green and blue shares from 0 to 1.

            ## Why is this bad

            FCM accepts only this form for the colour of a notification and answers others with INVALID_ARGUMENT.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { color: blue } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { color: "#1f6feb" } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages, AndroidNotification

            """#
        case .invalidHeader:
            #"""
            # invalid-header

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses invalid values of APNs and web push headers.

            `apns-priority` is 1, 5 or 10. `apns-push-type` is one of eleven types that Apple defines. `apns-expiration` is a UNIX time in seconds of at most 11 digits; 0 means "now or never". `apns-topic` is a bundle ID, and `apns-id` is a UUID. The web push header `Urgency` is `very-low`, `low`, `normal` or `high`.

            ## Why is this bad

            FCM passes headers on, and Apple or the push service refuses the request. A message that FCM accepted is then never delivered.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              webpush: { headers: { Urgency: urgent } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              webpush: { headers: { Urgency: high } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Apple documentation, Sending notification requests to APNs; RFC 8030, section 5.3

            """#
        case .invalidName:
            #"""
            # invalid-name

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses names that have the wrong form for their key.

            The name of a project, campaign, audience, environment, device, label or variant has 1 to 64 letters, digits, `-`, `_` and `.`. It starts with a letter or digit.

            FCM and Google names have their own rules. An `analytics_label` has 1 to 50 of `a-z A-Z 0-9 - _ . ~ %`. A package name has at least two segments, and each starts with a letter. A Firebase project ID has 6 to 30 of `a-z 0-9 -`; it starts with a letter and does not end with `-`. A sender ID has up to 20 digits. The name of a device group has 1 to 256 printable ASCII characters without spaces.

            The source of a credential or key is `env:NAME` or a path.

            ## Why is this bad

            Names appear in the history, in commands and in file names, and valid names need no quotation marks there. With an invalid FCM name, FCM refuses the message or does not find the project.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, herald.yaml; Firebase reference, REST resource projects.messages; Google Cloud documentation, Creating and managing projects; Android documentation, Set the application ID

            """#
        case .invalidRegistration:
            #"""
            # invalid-registration

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses registrations in YAML that cannot be valid.

            A registration has 1 to 4,096 printable ASCII characters except spaces, quotation marks, commas, semicolons and backslashes. A `live_activity_token` may contain these punctuation characters, but no spaces. Findings never show the value, because it is a secret. In list files, `broken-list-line` reports invalid registrations.

            ## Why is this bad

            FCM refuses the request, and the recipient gets nothing.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            devices: harbour
            phones:
              - name: ana-pixel
                platform: android
                registration: the phone of Ana
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            devices: harbour
            phones:
              - name: ana-pixel
                platform: android
                registration: ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Firebase reference, ErrorCode, INVALID_ARGUMENT; Herald, Documentation/Reference/Language.md, Devices

            """#
        case .invalidURL:
            #"""
            # invalid-url

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses URLs that have the wrong form for their key.

            An `image` starts with `http://` or `https://`, and a web push `link` starts with `https://`. Neither may contain spaces. The `url` of an emulator is on this machine, such as `http://127.0.0.1:9099`; the host may also be `localhost` or `[::1]`. The `postgres` of a state starts with `postgresql://` or `postgres://`.

            ## Why is this bad

            A device cannot load a picture from a path without a server, and FCM refuses a link that does not use `https://`. An emulator on another host might be a production system.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                image: charts/horta.png
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                image: https://tidewatch.example/charts/horta.png
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages; Herald, Documentation/Reference/Language.md, herald.yaml

            """#
        case .lifetimesDisagree:
            #"""
            # lifetimes-disagree

            Warning. `rules: { lifetimes-disagree: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow lifetimes-disagree, REASON`

            ## What it does

            Reports different lifetimes in the platforms' own fields.

            Herald compares `android.ttl`, the web push `TTL`, and `apns-expiration`. It compares `apns-expiration` if the value is 0, or to the minute if the schedule uses `at`. A field next to `delivery.ttl` is a deliberate exception and is not reported.

            ## Why is this bad

            A message usually becomes outdated at the same time on all platforms. The three notations (a duration, seconds, a point
            in time) easily differ by mistake.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: storm-warning
            audience: { topic: tides }
            message:
              notification: { title: Storm warning, body: Stay in the harbour }
              android: { ttl: 86400s }
              webpush: { headers: { TTL: "4500" } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: storm-warning
            audience: { topic: tides }
            message:
              notification: { title: Storm warning, body: Stay in the harbour }
            delivery: { ttl: 1d }
            ```

            ## Source

            Firebase documentation, About FCM messages, Setting the lifespan of a message

            """#
        case .listSet:
            #"""
            # list-set

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses sets of lists that contain themselves, mix kinds, or are too large.

            A set is an audience with `union`, `all_of` or `except`, or a campaign's list with `exclude`. The lists of a set are all of `kind: token` or all of `kind: fid`. A set has at most 100 lists, including those of the sets in it, and at most 8 sets are in each other.

            ## Why is this bad

            The registrations of a set that contains itself are undefined. FCM addresses registration tokens and installation IDs in different fields, and Herald sends to a list in one of them.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            audience: crew
            union: [skippers, mates]
            ---
            audience: skippers
            union: [crew, mates]
            ---
            audience: mates
            registrations: campaigns/registrations/mates.txt
            ```

            `campaigns/registrations/mates.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            audience: crew
            union: [skippers, mates]
            ---
            audience: skippers
            registrations: campaigns/registrations/skippers.txt
            ---
            audience: mates
            registrations: campaigns/registrations/mates.txt
            ```

            `campaigns/registrations/skippers.txt`

            ```text
            rui-pixel:APA91b-tidewatch-0002
            ```

            `campaigns/registrations/mates.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Sets

            """#
        case .localeTag:
            #"""
            # locale-tag

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses names under `locales` that are not language tags.

            A tag has the syntax of BCP 47: a language, then optional subtags such as a script or a region, each after a `-`: `pt`, `pt-BR`, `zh-Hant-TW`. Herald compares tags with the locales of the list. For another notation, such as `pt_BR`, the finding suggests the tag. The name `"*"` stands for all other locales. A default for rows without a locale must be a tag, too.

            ## Why is this bad

            A tag of another form matches no row of the list, and its recipients get the text in the wrong language.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.csv }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt_PT: { notification: { title: Experimenta, body: Regista uma captura. } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            registration,locale
            ana-pixel:APA91b-tidewatch-0001,pt-PT
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.csv }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt-PT: { notification: { title: Experimenta, body: Regista uma captura. } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            registration,locale
            ana-pixel:APA91b-tidewatch-0001,pt-PT
            ```

            ## Source

            BCP 47 (RFC 5646, section 2.1); Herald, Documentation/Reference/Language.md, Locales

            """#
        case .missingColumn:
            #"""
            # missing-column

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses lists that lack a column that the project uses.

            The columns are those that the list's description names (`column`, `identity`, `locale`, `timezone` and `public_key`), those that a message names as `{{column}}`, `locale` if a campaign has `locales` and the list names no other column, and that of `at_column`. A row without a value in a column that a message names is an error, too, unless the audience declares a default: `columns: { name: { default: angler } }`. Herald reads the column names from the header line of a CSV file, or from the first object of an NDJSON file.

            ## Why is this bad

            Without `column` or `identity`, Herald cannot read the list. Without `locale`, it cannot choose a language for any recipient. A recipient of "Hello {{name}}" without a name would read "Hello ".

            ## Example

            `campaigns/example.yaml`

            ```yaml
            audience: beta-anglers
            registrations: { file: campaigns/registrations/beta.csv, column: registration }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            name,registrations
            Ana,angler:1
            Rui,angler:2
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            audience: beta-anglers
            registrations: { file: campaigns/registrations/beta.csv, column: registration }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            name,registration
            Ana,angler:1
            Rui,angler:2
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience

            """#
        case .missingKey:
            #"""
            # missing-key

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses mappings that lack a required key.

            Some keys are always required, such as `audience` and `message` in a campaign. Some mappings require exactly one of several keys, such as `emulator` or `fcm` in an environment. Some keys require another key, as `title_loc_args` requires `title_loc_key`. Herald checks a message as it would be sent, with the defaults merged in. It also refuses an empty `herald.yaml` and a single variant.

            ## Why is this bad

            Without the key, the mapping has no meaning, or FCM or the device refuses the result.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages

            """#
        case .missingMutableContent:
            #"""
            # missing-mutable-content

            Warning. `rules: { missing-mutable-content: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow missing-mutable-content, REASON`

            ## What it does

            Reports content for a notification service extension of an Apple app without `mutable-content: 1`.

            Such content is `apns.fcm_options.image`, and text next to `aps` that is the address of a picture, sound or video.

            ## Why is this bad

            Apple devices run the extension only if `aps` has `mutable-content: 1` and an alert. Otherwise, they show the alert without the picture.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-chart
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns: { fcm_options: { image: https://tidewatch.example/chart.png } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-chart
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns:
                payload: { aps: { mutable-content: 1 } }
                fcm_options: { image: https://tidewatch.example/chart.png }
            ```

            ## Source

            Firebase documentation, Send an image in the notification payload; Apple documentation, Modifying content in newly delivered notifications

            """#
        case .momentSyntax:
            #"""
            # moment-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses dates and times that have the wrong form for their key.

            Schedules and `delivery.expires` take a local time, such as `"2037-03-20 07:33"`. Seconds are optional. The time has no zone, because `timezone` sets it. Quiet hours take a time of day, such as `"22:00"`. The `event_time` of an Android notification is an RFC 3339 timestamp with a zone: `2037-03-20T08:30:00Z`.

            ## Why is this bad

            Countries read other forms differently: 03/04 is a day in March or in April.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "20.03.2037 07:33" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33" }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign; Firebase reference, REST resource projects.messages, AndroidNotification; RFC 3339, section 5.6

            """#
        case .movedFrom:
            #"""
            # moved-from

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses a `moved_from` that names an existing campaign.

            `moved_from` is the previous name of this campaign. Herald also refuses two campaigns with the same `moved_from`.

            ## Why is this bad

            The history of a name belongs to one campaign. With two campaigns, Herald cannot determine which one was already sent. It might send again, or not at all.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: high-water
            moved_from: tide-alert
            audience: { topic: tides }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: high-water
            moved_from: tide-alert
            audience: { topic: tides }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign

            """#
        case .needsList:
            #"""
            # needs-list

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses keys that treat recipients differently for audiences that are not lists.

            The keys are `variants`, `holdout`, `locales`, `rollout`, `exclude`, `encrypt`, `timezone: recipient` and `at_column`. They treat the recipients of one audience differently, so they need a list of registrations. Topics, conditions and device groups are refused.

            ## Why is this bad

            Herald sends one request to a topic, a condition or a group, and FCM selects the devices. All of them get the same message, and none can be left out.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { topic: tides }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign; Firebase documentation, Topic messaging

            """#
        case .notBuiltYet:
            #"""
            # not-built-yet

            Error. It cannot be silenced or downgraded.

            ## What it does

            Reports keys and texts that this version of Herald does not support yet.

            A key whose value is already checked results in a note from `validate`, and in an error from `plan` and `apply`. A key in an environment is refused only if that environment is used. A key that is known only by name is always an error, and so is text that a later version would replace. Documentation/Reference/Language.md marks unsupported keys with ◌.

            ## Why is this bad

            An ignored key looks as if it worked. Herald refuses keys that it does not support instead of ignoring them.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: crew-call
            audience: { registrations: campaigns/registrations/crew-of-brisa.txt }
            message:
              notification: { title: The crew meets, body: All hands to the harbour. }
              android_v2: { remote_notification: { notification: { tag: crew } } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/crew-of-brisa.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: crew-call
            audience: { registrations: campaigns/registrations/crew-of-brisa.txt }
            message:
              notification: { title: The crew meets, body: All hands to the harbour. }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/crew-of-brisa.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Documents

            """#
        case .notUTF8:
            #"""
            # not-utf8

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses YAML files that are not encoded in UTF-8.

            YAML would also allow UTF-16 and UTF-32, but FCM accepts only UTF-8. A UTF-8 byte order mark at the beginning is skipped. Herald recognises UTF-16 and UTF-32 by their byte order marks and by the zero bytes next to the first character. It refuses any other file at the first byte that is not part of a character. For registration lists, `broken-list-line` reports such lines.

            ## Why is this bad

            FCM accepts only UTF-8. In another encoding, the same bytes are different letters, and recipients would read a text that the author never saw.

            ## Example

            `campaigns/example.yaml`, in ISO 8859-1

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Marés vivas, body: Correntes até quatro nós. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Marés vivas, body: Correntes até quatro nós. }
            delivery: { ttl: 4h }
            ```

            ## Source

            YAML 1.2.2, section 5.2; Firebase reference, REST resource projects.messages

            """#
        case .notificationReplaced:
            #"""
            # notification-replaced

            Note. `rules: { notification-replaced: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow notification-replaced, REASON`

            ## What it does

            Reports notifications that may be replaced while an Android device is offline.

            Herald reports a campaign if another campaign sends a notification to the same devices within the lifetime of the first one. The lifetime is four weeks by default. Each campaign is reported once, with the next one that replaces it. Herald reports nothing if both have the same `delivery.collapse` or `tag`, or if a repeating campaign replaces itself.

            Campaigns count together if they are known to reach the same devices: they address the same topic, or lists with common registrations. A list counts together with each topic to which its members are kept subscribed, and a condition with each topic that adds devices to it. Two different topics never count together. A campaign without a schedule counts as sent now.

            ## Why is this bad

            Notifications are always collapsible, and all notifications of an app share one key. If two wait for the same device, FCM may deliver only the later one.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: high-water
            audience: { topic: tides }
            message: { notification: { title: High water at Horta } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: tides }
            message: { notification: { title: Low water at Flores } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: high-water
            audience: { topic: tides }
            message: { notification: { title: High water at Horta } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: tides }
            message: { notification: { title: Low water at Flores } }
            schedule: { at: "2037-01-02 07:33" }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages

            """#
        case .numberOutOfRange:
            #"""
            # number-out-of-range

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses numbers outside the range of their key.

            The rule also refuses lists that are too short, and a `holdout` of 0% or 100%. In fields that accept any JSON, it refuses numbers that JSON cannot represent as written: `007` would be sent as 7, and integers must be between -2^63 and 2^63 - 1. In quotation marks, such a value is text. In `data`, every value is text, and nothing is lost.

            ## Why is this bad

            FCM or the device refuses the number or truncates it. A number that changes on its way is hard to notice.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              apns: { payload: { aps: { badge: -1 } } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              apns: { payload: { aps: { badge: 1 } } }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages; Apple documentation, Generating a remote notification; Herald, Documentation/Reference/Language.md

            """#
        case .payloadOver2048:
            #"""
            # payload-over-2048

            Error. `rules: { payload-over-2048: off }` in `herald.yaml` turns the rule off, and `warn` makes it a warning.
            To silence one finding: `# herald: allow payload-over-2048, REASON`

            ## What it does

            Reports topic and condition messages of 2,049 to 4,096 bytes on any platform.

            Larger messages are refused for every audience: see `payload-too-large`.

            ## Why is this bad

            The FCM error reference limits topic messages to 2,048 bytes, half the limit for registrations. FCM answers larger ones with INVALID_ARGUMENT.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-notes
            audience: { topic: tides }
            message:
              notification:
                title: Notes on the tides
                body: ⟨Slack water, then ebb. ×100⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-notes
            audience: { topic: tides }
            message:
              notification: { title: Notes on the tides, body: Slack water comes early }
              data: { notes: spring }
            ```

            ## Source

            Firebase reference, ErrorCode, INVALID_ARGUMENT

            """#
        case .payloadOver4000:
            #"""
            # payload-over-4000

            Error. `rules: { payload-over-4000: off }` in `herald.yaml` turns the rule off, and `warn` makes it a warning.
            To silence one finding: `# herald: allow payload-over-4000, REASON`

            ## What it does

            Reports messages of 4,001 to 4,096 bytes on any platform.

            ## Why is this bad

            The FCM guide states a limit of 4,000 bytes, and the error reference states 4,096. FCM may also count more bytes than Herald. The limit of 1,024 characters in the Firebase console does not apply, because Herald does not use the console.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification:
                title: Notes for pilots
                body: ⟨Slack water, then ebb. ×175⟩
            ```

            `lists/pilots.txt`

            ```text
            pilot-phone:1
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification: { title: Notes for pilots, body: Slack water comes early }
              data: { notes: spring }
            ```

            `lists/pilots.txt`

            ```text
            pilot-phone:1
            ```

            ## Source

            Firebase documentation, About FCM messages

            """#
        case .payloadTooLarge:
            #"""
            # payload-too-large

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses messages of more than 4,096 bytes on any platform.

            Herald adds up the notification and data that each platform receives.

            ## Why is this bad

            FCM refuses such a message, so this error cannot be silenced. Send the content that users need at a glance, and an ID that the app uses to fetch the rest. The limit of 1,024 characters in the Firebase console does not apply, because Herald does not use the console.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification:
                title: Notes for pilots
                body: ⟨Slack water, then ebb. ×200⟩
            ```

            `lists/pilots.txt`

            ```text
            pilot-phone:1
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification: { title: Notes for pilots, body: Slack water comes early }
              data: { notes: spring }
            ```

            `lists/pilots.txt`

            ```text
            pilot-phone:1
            ```

            ## Source

            Firebase reference, ErrorCode, INVALID_ARGUMENT

            """#
        case .percentage:
            #"""
            # percentage

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses shares that are not written as `30%`.

            A share is between `0%` and `100%`, with at most two decimals: `0.25%`. The stages of a rollout and the limits of `stop_when` also take a whole number of registrations, at least 1. An `objective` begins with a share: `90% in 2m`.

            ## Why is this bad

            Without the sign, a number may mean a share or a count: `10` could be a tenth of the list or ten registrations.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 0.1
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign

            """#
        case .platformLeftOut:
            #"""
            # platform-left-out

            Note. `rules: { platform-left-out: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow platform-left-out, REASON`

            ## What it does

            Reports topic and condition messages without content for one of the platforms.

            Such a message has content only in platform blocks, and no common `notification` or `data`.

            ## Why is this bad

            A topic has subscribers on all platforms. Subscribers on the other platforms do not receive the message.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: storm-warning
            audience: { topic: tides }
            message:
              webpush:
                notification: { title: Storm warning, body: Stay in the harbour }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: storm-warning
            audience: { topic: tides }
            message:
              notification: { title: Storm warning, body: Stay in the harbour }
            ```

            ## Source

            Firebase reference, REST resource projects.messages

            """#
        case .privateContentToTopic:
            #"""
            # private-content-to-topic

            Warning. `rules: { private-content-to-topic: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow private-content-to-topic, REASON`

            ## What it does

            Reports personal content in a message to a topic or condition.

            Herald recognises email addresses, telephone numbers, one-time codes, tokens, and data keys such as `email`, `first_name` or `iban`. A telephone number has a `+`, or at least 9 digits in groups.

            Contact details of the sender are not reported: addresses of the owner's domain, names such as `info@`, and data keys that begin with `support`, `sender` or `office`.

            ## Why is this bad

            Any client can subscribe to any topic, so topics are suitable only for public content.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: berth-confirmed
            audience: { topic: azores }
            message:
              notification: { title: Your berth, body: Show this code at the gate }
              data: { otp: "482913" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: berth-confirmed
            audience: { registrations: lists/skipper.txt }
            message:
              notification: { title: Your berth, body: Show this code at the gate }
              data: { otp: "482913" }
            ```

            `lists/skipper.txt`

            ```text
            skipper-phone:1
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .quarterHour:
            #"""
            # quarter-hour

            Note. `rules: { quarter-hour: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow quarter-hour, REASON`

            ## What it does

            Reports large sends that are scheduled within two minutes of a quarter hour.

            A send is large if the declared `reach` of its topic or condition exceeds 1,000, or if its list has more than 1,000 registrations. Herald defines this number; FCM does not. Time zones differ by multiples of 15 minutes, so a quarter hour in one zone is a quarter hour in all zones. For a repeating schedule, Herald checks the next 28 days.

            ## Why is this bad

            Most senders schedule for :00, :15, :30 and :45. FCM is busiest in the two minutes before and after these times, and its documentation advises large senders to avoid them. A send at such a time adds to the peak and is slowed down by it.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:30" }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, Best practices when sending FCM messages at scale

            """#
        case .reachedTwiceAtOnce:
            #"""
            # reached-twice-at-once

            Warning. `rules: { reached-twice-at-once: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow reached-twice-at-once, REASON`

            ## What it does

            Reports recipients who get notifications of two campaigns at the same time.

            Two sends are at the same time if they are at most ten minutes apart. All campaigns without a schedule count as sent
            now. The audiences are two lists that share recipients, or a list and a topic or condition. Herald assumes that a
            registration belongs to a topic or condition only if a list that contains it is kept subscribed. If a list has an
            `identity` column, Herald compares people instead of registrations. Two campaigns to the same list are not reported, and
            neither are messages that show nothing on any platform, or campaigns that share no environment.

            ## Why is this bad

            Neither file shows that the other has the same recipients. They get two notifications in a row, and some of them then turn off all notifications.

            ## Example

            `campaigns/invitations.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/members.txt }
            message: { notification: { title: Dinner at the harbour club } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 5m }
            ---
            campaign: regatta
            audience: { registrations: campaigns/registrations/skippers.txt }
            message: { notification: { title: The regatta begins } }
            schedule: { at: "2037-01-05 07:40" }
            delivery: { ttl: 5m }
            ```

            `campaigns/registrations/members.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            `campaigns/registrations/skippers.txt`

            ```text
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Use instead

            `campaigns/invitations.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/members.txt }
            message: { notification: { title: Dinner at the harbour club } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 5m }
            ---
            campaign: regatta
            audience: { registrations: campaigns/registrations/skippers.txt }
            message: { notification: { title: The regatta begins } }
            schedule: { at: "2037-01-06 07:33" }
            delivery: { ttl: 5m }
            ```

            `campaigns/registrations/members.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            `campaigns/registrations/skippers.txt`

            ```text
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Source

            Herald's own rule: an overlap of two lists is visible only if both lists are read

            """#
        case .registrationInFile:
            #"""
            # registration-in-file

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses registrations in the files of a project that has an `fcm` environment.

            Herald refuses inline lists (`registrations: [ … ]`), unless they are in an `audience:` document with `test: true`. It also refuses any text in values, keys and comments that has the form of a registration token (`…:APA91b…`). The `devices:` of the emulator are allowed. If all environments are emulators, everything is allowed.

            The rule skips a file that has another error, because a misspelt key may be the one that allows the list.

            ## Why is this bad

            Registrations are secrets: anyone who has one and can send for the project can send to that device. Files are reviewed, copied and kept forever.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: call-duarte
            audience: { registrations: ["duarte-galaxy:APA91b-tidewatch-0004"] }
            message: { data: { call_id: 7731 } }
            delivery: { ttl: 0, priority: high }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: call-duarte
            audience: crew
            message: { data: { call_id: 7731 } }
            delivery: { ttl: 0, priority: high }
            ---
            audience: crew
            registrations: ["duarte-galaxy:APA91b-tidewatch-0004"]
            test: true
            ```

            ## Source

            Firebase documentation, About FCM messages, Credentials: registration tokens

            """#
        case .repeatedDataWithoutCollapse:
            #"""
            # repeated-data-without-collapse

            Note. `rules: { repeated-data-without-collapse: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow repeated-data-without-collapse, REASON`

            ## What it does

            Reports repeated data messages without a collapse key.

            ## Why is this bad

            If only the newest message matters, a phone that reconnects still receives all of them, up to 100. Collapsible messages are cheaper in this case.

            In a chat, every message matters: send data messages without a collapse key. For a sync ping or a score, only the newest matters: send data messages with a collapse key, and each one replaces the waiting one. An alert must be seen: send a notification message with high priority. FCM displays it, and it is always collapsible.

            In short, send a notification message if FCM can display the content without the app. Send a data message if the app must process the content.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: azores }
            message:
              data: { score: "850" }
            schedule: { cron: "37 * * * *" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: azores }
            message:
              data: { score: "850" }
            schedule: { cron: "37 * * * *" }
            delivery: { collapse: score }
            ```

            ## Source

            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages

            """#
        case .reservedDataKey:
            #"""
            # reserved-data-key

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses keys in `data` that FCM reserves.

            Reserved keys are `from`, `message_type`, and all keys that begin with `google.` or `gcm.notification.`. Herald also checks `android.data` and `webpush.data`. Keys that only some of Google's pages reserve are an error that a comment can silence: see `reserved-data-key-legacy`.

            ## Why is this bad

            FCM answers a message with such a key with INVALID_ARGUMENT, and no device receives it.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: ferry-delay
            audience: { topic: azores }
            message:
              notification: { title: The ferry is late, body: It is still in Horta. }
              data: { from: horta }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: ferry-delay
            audience: { topic: azores }
            message:
              notification: { title: The ferry is late, body: It is still in Horta. }
              data: { from_harbour: horta }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, ErrorCode, INVALID_ARGUMENT; Firebase reference, REST resource projects.messages

            """#
        case .reservedDataKeyLegacy:
            #"""
            # reserved-data-key-legacy

            Error. `rules: { reserved-data-key-legacy: off }` in `herald.yaml` turns the rule off, and `warn` makes it a warning.
            To silence one finding: `# herald: allow reserved-data-key-legacy, REASON`

            ## What it does

            Reports data keys that begin with `google` or `gcm`, and, as a warning, the key `collapse_key`.

            Google's pages differ. The reference of the message reserves only the keys that the rule `reserved-data-key` refuses. The reference of the error codes reserves `gcm` and all keys that begin with `google`, and older pages also all keys that begin with `gcm`.

            ## Why is this bad

            If FCM applies the stricter page, it answers with INVALID_ARGUMENT, and no device receives the message. FCM overwrites `collapse_key`.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: fish-auction
            audience: { topic: azores }
            message:
              data: { gcm_lot: "0123" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: fish-auction
            audience: { topic: azores }
            message:
              data: { lot: "0123" }
            ```

            ## Source

            Firebase reference, ErrorCode, INVALID_ARGUMENT; Firebase reference, REST resource projects.messages; Firebase documentation, Legacy HTTP Server Protocol

            """#
        case .rolloutStages:
            #"""
            # rollout-stages

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses rollout stages that do not increase, and a canary that is not a list of your own people.

            Each stage is larger than the previous one. Numbers of recipients come first, then shares of the list, because Herald cannot compare a number with a share before it reads the list.

            The canary is an audience with `test: true`. If the campaign's list has an `identity`, the canary's list has one, too. Both lists have the same `read`.

            ## Why is this bad

            A stage includes all recipients so far, so a stage that is not larger reaches no new ones. Usually two stages were swapped. The canary gets a message that no one has tried yet, so it must not contain customers. Without an identity, people in both lists could not be recognised.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            rollout: { stages: [100, 50%, 10%, 100%], pause: 30m }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            rollout: { stages: [100, 10%, 50%, 100%], pause: 30m }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign

            """#
        case .scheduleBounds:
            #"""
            # schedule-bounds

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses schedules and messages that end before they begin, and quiet hours without a length.

            The rule refuses an `until` before `at` or `from`, and a `delivery.expires` that is not after `at`. It also refuses a cron expression or recurrence rule without a time between `from` and `until`. All times are local times in the campaign's zone. `quiet_hours` whose `from` and `to` are equal are refused, too.

            ## Why is this bad

            Herald would never send such a campaign, and its author might not notice. Equal times could mean the whole day or no time at all.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { expires: "2037-03-20 06:00" }
            schedule: { at: "2037-03-20 07:33" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { expires: "2037-03-20 18:00" }
            schedule: { at: "2037-03-20 07:33" }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, A campaign

            """#
        case .scheduleSyntax:
            #"""
            # schedule-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses cron expressions and recurrence rules that cannot be parsed.

            `cron` has five fields: minute, hour, day of the month, month, weekday. `rrule` is an RFC 5545 rule with `FREQ`. Herald also refuses valid rules that never match, such as February 31, and forms that cron implementations read differently, such as `5/15` and `@daily`.

            ## Why is this bad

            A misread schedule sends at the wrong hour, or every minute.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message:
              notification: { title: The tides of the day, body: See when the water is high. }
            delivery: { ttl: 4h }
            schedule: { cron: "7:33 * * MON-FRI" }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-table
            audience: { topic: tides }
            message:
              notification: { title: The tides of the day, body: See when the water is high. }
            delivery: { ttl: 4h }
            schedule: { cron: "33 7 * * MON-FRI" }
            ```

            ## Source

            Herald, Documentation/Reference/Schedules.md; RFC 5545, section 3.3.10

            """#
        case .tapTargetOneSided:
            #"""
            # tap-target-one-sided

            Note. `rules: { tap-target-one-sided: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow tap-target-one-sided, REASON`

            ## What it does

            Reports notifications that have a tap target on some platforms only.

            The tap target is `click_action` on Android, and `category` on Apple platforms. On the web it is `fcm_options.link`, or `data` or `actions` of the notification. On Android and Apple platforms, `data` counts as a target, because the app receives it with the tap.

            ## Why is this bad

            A tap opens the related page on one platform, and nothing specific on another.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              android: { notification: { click_action: OPEN_TIDES } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              android: { notification: { click_action: OPEN_TIDES } }
              apns: { payload: { aps: { category: TIDES } } }
              webpush: { fcm_options: { link: "https://tidewatch.example/tides" } }
            ```

            ## Source

            Firebase documentation, About FCM messages, Example: notification message with platform-specific delivery options

            """#
        case .testWording:
            #"""
            # test-wording

            Warning. `rules: { test-wording: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow test-wording, REASON`

            ## What it does

            Reports test wording in the visible text of a campaign.

            Herald reports a text that contains only test words (`Test`, `test push 2, please ignore`, `foo bar`, `aaaa`). It reports a text that is marked as a test (`[TEST] …`, `TEST: …`), and placeholder words (`asdf`, `lorem ipsum`, `TODO`, `FIXME`, `TBD`). It does not report `Test your knowledge of tides` or `Crash test results`.

            The rule checks titles, subtitles, bodies and alerts of every platform, variant and language. It runs only if the project has an environment with `protected: true`. It skips campaigns whose audience, or each of whose topics, is marked `test: true`.

            ## Why is this bad

            A sent message cannot be recalled. All recipients would read a text that was meant for a single test phone.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              production:
                fcm: { project_id: tidewatch-b5ae1 }
                protected: true
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: "[TEST] Spring tide", body: Stay off the pier. }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, team: { test: true } }
            environments:
              production:
                fcm: { project_id: tidewatch-b5ae1 }
                protected: true
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Stay off the pier. }
            ---
            campaign: spring-tide-trial
            audience: { topic: team }
            message:
              notification: { title: "[TEST] Spring tide", body: Stay off the pier. }
            ```

            ## Source

            Herald's own rule: the FCM documentation does not define test texts

            """#
        case .timeZone:
            #"""
            # time-zone

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses time zones that this system does not know.

            A zone is the name of an entry of the IANA Time Zone Database, such as `Atlantic/Azores`. Herald uses the system's copy, in the folder `TZDIR` or in `/usr/share/zoneinfo`. It checks `timezone` in `herald.yaml` and in schedules.

            ## Why is this bad

            Without the rules of the zone, a local time is undefined. An offset would be wrong for half of the year in zones with daylight saving time.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33", timezone: Azores }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33", timezone: Atlantic/Azores }
            ```

            ## Source

            IANA Time Zone Database; Herald, Documentation/Reference/Schedules.md, Clock changes

            """#
        case .tooManyCollapseKeys:
            #"""
            # too-many-collapse-keys

            Warning. `rules: { too-many-collapse-keys: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow too-many-collapse-keys, REASON`

            ## What it does

            Reports campaigns that give one Android or Apple device more than four collapse keys.

            A key is in use while a message with it may wait for an offline device. It is in use from the due time until the lifetime on the platform ends (default: four weeks), or until a newer message with the same key replaces it. A message with a `ttl` of 0 is never stored and uses no key.

            On Android, all notifications together use one key, the app's package name, even if they set `collapse_key`. The tag that Herald gives a notification is not a collapse key.

            On Apple platforms, the key is `apns-collapse-id`. If a message that shows something has no key, Herald sets a separate key for each occurrence, so that a repeated request replaces the first one. These keys count, too. FCM states the limit per registration, regardless of the platform.

            Campaigns count together if they are known to reach the same devices: they address the same topic, or lists with common registrations. A list counts together with each topic to which its members are kept subscribed, and a condition with each topic that adds devices to it. Two different topics never count together. A campaign without a schedule counts as sent now. A repeating campaign is checked for the next 28 days.

            ## Why is this bad

            FCM stores messages under at most four collapse keys per registration. It does not say which four it keeps, so a device that reconnects may miss any of them.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            ⟨---
            campaign: boat-#
            audience: { topic: tides }
            message: { data: { boat: "#" } }
            delivery: { ttl: 4h, collapse: boat-# }
            ×5⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            ⟨---
            campaign: boat-#
            audience: { topic: tides }
            message: { data: { boat: "#" } }
            delivery: { ttl: 4h }
            ×5⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages

            """#
        case .tooManyLabels:
            #"""
            # too-many-labels

            Warning. `rules: { too-many-labels: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow too-many-labels, REASON`

            ## What it does

            Reports more than 100 different analytics labels on one day.

            Herald counts every `fcm_options.analytics_label` of all campaigns that are sent on the day: those of the message, of each platform, and of each variant and language. Days are UTC days. A campaign without a schedule counts as sent now. A repeating campaign is checked for the next 28 days.

            ## Why is this bad

            FCM accepts 100 different labels a day. Messages with further labels may be missing from its statistics.

            ## Example

            `campaigns/calls.yaml`

            ```yaml
            ⟨---
            campaign: call-#
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { call: "#" }, fcm_options: { analytics_label: call-# } }
            delivery: { ttl: 0 }
            ×101⟩
            ```

            `campaigns/registrations/ana.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/calls.yaml`

            ```yaml
            ⟨---
            campaign: call-#
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { call: "#" }, fcm_options: { analytics_label: calls } }
            delivery: { ttl: 0 }
            ×101⟩
            ```

            `campaigns/registrations/ana.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Firebase documentation, Understanding message delivery

            """#
        case .tooManyStored:
            #"""
            # too-many-stored

            Warning. `rules: { too-many-stored: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow too-many-stored, REASON`

            ## What it does

            Reports more than 100 non-collapsible messages that wait for one Android device.

            Data messages without a collapse key are non-collapsible. Each one waits from its due time until its lifetime on Android ends (default: four weeks). With a `ttl` of 0, it never waits. If the repetitions of a single campaign exceed the limit, `repeated-data-without-collapse` reports it instead.

            Campaigns count together if they are known to reach the same devices: they address the same topic, or lists with common registrations. A list counts together with each topic to which its members are kept subscribed, and a condition with each topic that adds devices to it. Two different topics never count together. A campaign without a schedule counts as sent now. A repeating campaign is checked for the next 28 days.

            ## Why is this bad

            FCM stores 100 messages per device. If one more arrives, FCM discards all of them, and the app learns only that messages are missing (`onDeletedMessages`).

            ## Example

            `campaigns/example.yaml`

            ```yaml
            ⟨---
            campaign: catch-#
            audience: { topic: azores }
            message: { data: { catch: "#" } }
            delivery: { ttl: 4h }
            ×101⟩
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catches
            audience: { topic: azores }
            message: { data: { fetch: catches } }
            delivery: { ttl: 4h, collapse: catches }
            ```

            ## Source

            Firebase documentation, About FCM messages, Lifetime of a message; Firebase documentation, Receive messages in an Android app

            """#
        case .tooManyTopics:
            #"""
            # too-many-topics

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses registrations whose audiences subscribe them to more than 2,000 topics.

            ## Why is this bad

            An app instance can be subscribed to at most 2,000 topics. FCM answers further subscriptions with TOO_MANY_TOPICS.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            audience: marks
            registrations: lists/skippers.txt
            subscribe: [ ⟨mark-#, ×2001⟩]
            ```

            `lists/skippers.txt`

            ```text
            skipper-phone:1
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { ⟨mark-#: {}, ×2001⟩}
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            audience: marks
            registrations: lists/skippers.txt
            subscribe: [ ⟨mark-#, ×2000⟩]
            ```

            `lists/skippers.txt`

            ```text
            skipper-phone:1
            ```

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { ⟨mark-#: {}, ×2001⟩}
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .topicBetterAsList:
            #"""
            # topic-better-as-list

            Note. `rules: { topic-better-as-list: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow topic-better-as-list, REASON`

            ## What it does

            Reports topic and condition sends that reach at most 100 registrations.

            Herald uses the declared `reach`. If there is none, it counts the lists that are kept subscribed to the topic. A condition reaches at most the smallest of the topics joined by `&&`, and at most the sum of the topics joined by `||`. Herald defines the number 100; FCM does not. Topics with `test: true` are skipped.

            ## Why is this bad

            Topics are optimised for throughput, not latency: a fan-out waits for others, and FCM never reports which devices it reached. Messages to single registrations are faster, and each has its own answer.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { beta: { about: Anglers who test, reach: 3 } }
            ```

            `campaigns/beta.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { topic: beta }
            message: { notification: { title: Try the catch log } }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/beta.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .topicCase:
            #"""
            # topic-case

            Warning. `rules: { topic-case: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow topic-case, REASON`

            ## What it does

            Reports topics of the registry that differ only by case.

            ## Why is this bad

            FCM treats them as two topics, although a legacy page calls conditions case-insensitive. If an app subscribes to one and a campaign names the other, the message does not arrive, and no error shows it.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, Tides: {} }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            ```

            ## Source

            Firebase documentation, Topic messaging; Firebase documentation, XMPP server reference

            """#
        case .topicName:
            #"""
            # topic-name

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses topics that are not 1 to 900 of the characters `a-z A-Z 0-9 - _ . ~ %`.

            Herald checks the topics of the registry, audiences, conditions and devices. A `/topics/` before the name is ignored and reported as `topic-prefix`.

            ## Why is this bad

            FCM refuses to send to such a name, and an app cannot subscribe to it.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: high tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.registrations.topicSubscriptions; Firebase documentation, Topic messaging

            """#
        case .topicPrefix:
            #"""
            # topic-prefix

            Note. `rules: { topic-prefix: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow topic-prefix, REASON`

            ## What it does

            Reports `/topics/` before the name of a topic.

            ## Why is this bad

            The prefix belongs to the legacy FCM protocols. The v1 API uses bare names, so Herald removes the prefix.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: azores-tides
            audience:
              condition: "'/topics/tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: azores-tides
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            ```

            ## Source

            Firebase documentation, Topic messaging; Firebase reference, REST resource projects.messages

            """#
        case .trackedList:
            #"""
            # tracked-list

            Warning. `rules: { tracked-list: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow tracked-list, REASON`

            ## What it does

            Reports registration lists that Git tracks, in a project that has an `fcm` environment.

            Only `herald validate` queries Git. It checks the files of all lists that an environment with `fcm` uses. The lists of audiences with `test: true` are allowed, and so are lists that only emulators use. Without a repository, this example has no finding.

            ## Why is this bad

            Registrations are secrets: anyone who has one and can send for the project can send to that device. Every clone of the repository contains all of them, and deleting the file does not remove them from the history.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            ```

            `campaigns/example.yaml`

            ```yaml
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            ```

            `campaigns/registrations/guests.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ```

            `.gitignore`

            ```text
            campaigns/registrations/
            ```

            ## Source

            Firebase documentation, About FCM messages, Credentials: registration tokens

            """#
        case .ttlOutOfRange:
            #"""
            # ttl-out-of-range

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses times to live of more than 28 days (2,419,200 seconds).

            `delivery.ttl` is written as `12h`, `1h30m` or `0`. `android.ttl` is in seconds with at most nine decimals, `3.5s`. The web push header `TTL` is in whole seconds, `86400`. The value 0 means "now or never". The rule also refuses a value of `android.ttl` or `TTL` that is not a time to live. In `delivery`, `duration-syntax` refuses it.

            ## Why is this bad

            FCM keeps a message for at most 28 days and refuses a longer time with INVALID_ARGUMENT.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: magazine
            audience: { topic: tides }
            message:
              notification: { title: Harbour magazine, body: The new edition is here. }
            delivery: { ttl: 30d }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: magazine
            audience: { topic: tides }
            message:
              notification: { title: Harbour magazine, body: The new edition is here. }
            delivery: { ttl: 28d }
            ```

            ## Source

            Firebase documentation, Setting the lifespan of a message; Firebase reference, REST resource projects.messages; RFC 8030, section 5.2

            """#
        case .uncoveredLocale:
            #"""
            # uncovered-locale

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses campaigns with `locales` if no text covers the locale of a row of the list.

            Herald shortens the locale of a row from its end until it equals a key of `locales`: `pt-BR`, then `pt`. A key never covers a shorter locale: `pt-BR` does not cover `pt`. The key `"*": {}` covers all other rows, including rows without a locale. They get the campaign's own text. An empty entry such as `en: {}` lets only this language get the campaign's own text.

            For rows without a locale, the audience may declare a default: `columns: { locale: { default: pt } }`.

            ## Why is this bad

            The recipients would get a text that no author chose for their language. A misspelled locale is found in the same way.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.csv }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt: { notification: { title: Experimenta, body: Regista uma captura. } }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            registration,locale
            ana-pixel:APA91b-tidewatch-0001,pt-PT
            bo-iphone:APA91b-tidewatch-0002,nl
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.csv }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt: { notification: { title: Experimenta, body: Regista uma captura. } }
              "*": {}
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.csv`

            ```text
            registration,locale
            ana-pixel:APA91b-tidewatch-0001,pt-PT
            bo-iphone:APA91b-tidewatch-0002,nl
            ```

            ## Source

            RFC 4647, section 3.4; Herald, Documentation/Reference/Language.md, Locales

            """#
        case .unknownAnchor:
            #"""
            # unknown-anchor

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses aliases without a matching anchor.

            `*name` repeats the value that `&name` marks further up in the same document. Herald refuses the alias if the anchor does not exist, if it follows later, or if the alias is inside the value that it refers to.

            ## Why is this bad

            The intended value would be missing, and the message would be a different one.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            x-wording: &wording { title: High water, body: Best angling before it. }
            audience: { topic: tides }
            message: { notification: *words }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            x-wording: &wording { title: High water, body: Best angling before it. }
            audience: { topic: tides }
            message: { notification: *wording }
            delivery: { ttl: 4h }
            ```

            ## Source

            YAML 1.2.2, section 7.1

            """#
        case .unknownAudience:
            #"""
            # unknown-audience

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses campaigns and sets that name an audience without a document.

            The rule does not run if a file that may declare the audience cannot be read. A topic is not an audience name: write `audience: { topic: NAME }`.

            ## Why is this bad

            Without the audience, the recipients of the campaign are unknown.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: beta-angler
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: beta-anglers
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, An audience

            """#
        case .unknownDocument:
            #"""
            # unknown-document

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses documents of unknown type.

            The first key of a document below `campaigns/` determines its type: `campaign`, `audience`, `devices`, `removed`, `messages` or `upstream`. Keys that begin with `x-` may precede it. Herald also refuses a document that is not a mapping, and a second document in `herald.yaml`. A file below `campaigns/` that declares nothing is a warning.

            ## Why is this bad

            Herald reads nothing from a document of unknown type, so it would never send its campaign.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campain: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Documents

            """#
        case .unknownKey:
            #"""
            # unknown-key

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses keys that a mapping does not support.

            Herald ignores keys that begin with `x-`. `data` takes any name that FCM does not reserve. The payload for Apple devices and the notification of a browser take the app's own keys, unless a key is almost identical to a known one. For keys of the legacy FCM protocol or the FCM SDKs, the finding names the current place. It does the same for keys that belong one level up or down.

            ## Why is this bad

            A misspelt key would be ignored, and the message would be sent without its content.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { titel: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase reference, REST resource projects.messages; Herald, Documentation/Reference/Language.md

            """#
        case .unknownMessage:
            #"""
            # unknown-message

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses campaigns that extend a shared message without a declaration.

            `extends` names an entry of a `messages:` document in any file below `campaigns/`. The rule does not run if a file that may declare the message cannot be read.

            ## Why is this bad

            Without the shared message, the campaign would be sent without a part of its message and delivery settings.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            messages:
              harbour-alert:
                notification: { title: From the harbour office }
                delivery: { ttl: 4h }
            ---
            campaign: fog-warning
            extends: harbor-alert
            audience: { topic: tides }
            message: { notification: { body: Fog on the river. } }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            messages:
              harbour-alert:
                notification: { title: From the harbour office }
                delivery: { ttl: 4h }
            ---
            campaign: fog-warning
            extends: harbour-alert
            audience: { topic: tides }
            message: { notification: { body: Fog on the river. } }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Shared messages

            """#
        case .unknownRule:
            #"""
            # unknown-rule

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses unknown rule names in `rules` and in `herald: allow` comments.

            ## Why is this bad

            The setting or comment has no effect, although its author expects one.

            ## Example

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { condition-negations: off }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { condition-negation: off }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Findings

            """#
        case .unknownTopic:
            #"""
            # unknown-topic

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses topics that `topics` in `herald.yaml` does not declare.

            Herald checks the topics of campaigns, conditions, audiences and devices. The rule does not run if the registry itself cannot be read.

            ## Why is this bad

            FCM accepts a misspelt topic without an error. The send succeeds, but it reaches no device, or the subscribers of another topic.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tide }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Firebase documentation, Topic messaging; Herald, Documentation/Reference/Language.md, herald.yaml

            """#
        case .unknownValue:
            #"""
            # unknown-value

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses values that are not among those that a key accepts.

            The rule also refuses lists whose file name has the extension of an unsupported format, such as `.json`, `.xlsx` or `.gz`. For request headers, see `invalid-header`.

            ## Why is this bad

            FCM answers such a value with INVALID_ARGUMENT, and an unknown value of a Herald key has no meaning. If Herald read a spreadsheet as text, it would send to each of its lines.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, priority: urgent }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, priority: high }
            ```

            ## Source

            Firebase reference, REST resource projects.messages; Herald, Documentation/Reference/Language.md

            """#
        case .unreadableFile:
            #"""
            # unreadable-file

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses files of the project that cannot be read.

            The files are `herald.yaml`, the `.yaml` and `.yml` files below `campaigns/`, and the lists that audiences and campaigns name. The path of a list is relative to the folder of `herald.yaml`.

            A project does not include files outside its folder. Herald refuses a link to a folder below `campaigns/`, and a YAML file that is a link to a file outside the project. A list may not be a link. It also refuses pipes, devices, names that are not UTF-8, and YAML files of more than 4 MiB. A list that changes while Herald reads it counts as unreadable. A list with `read: at_send` may be missing until its send begins, unless it is kept subscribed.

            The path of a list may be a pattern such as `lists/*.csv`, which must match at least one file. A compressed list is unreadable if its gzip or zstd data is damaged, ends too early or is followed by other data, or if its contents exceed 64 GiB or 1,000 times the size of the file.

            A folder `Campaigns` or `campaign` without a `campaigns` is a warning, because Herald does not read it.

            ## Why is this bad

            The content of an unreadable file is unknown. A campaign in it would count as removed, and a list as empty.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/betas.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            ```

            `campaigns/registrations/beta.txt`

            ```text
            ana-pixel:APA91b-tidewatch-0001
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Documents and An audience

            """#
        case .unrenderedPlaceholder:
            #"""
            # unrendered-placeholder

            Error. `rules: { unrendered-placeholder: off }` in `herald.yaml` turns the rule off, and `warn` makes it a warning.
            To silence one finding: `# herald: allow unrendered-placeholder, REASON`

            ## What it does

            Reports placeholders that are sent without being replaced.

            `{{name}}` is a column of the list. Topics, conditions and groups have no columns, so it is an error anywhere in a message to them. In a message to a list, a `{{` that names no column is an error, too.

            Placeholders of other systems are a warning in the visible text of a notification on any platform: `%s`, `%1$d`, `%(name)s`, `${name}`, `{name}`, `{0}`, `{n, plural, …}`, `{% if … %}`, `<%= name %>`, `[[name]]`, `*|NAME|*`, `%%NAME%%`, `%NAME%`, and a `}}` without a `{{`. Herald does not check data for them, and it does not report percentages, prices and emoticons.

            A comment can silence a finding. A project that uses such characters as text can turn the rule off in `rules` in `herald.yaml`.

            ## Why is this bad

            Herald sends text byte for byte. All recipients would read the placeholder.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: "Hi {{first_name}}", body: Stay off the pier. }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: "Hi anglers: up 100 % on last year", body: Stay off the pier. }
            ```

            ## Source

            Firebase documentation, Topic messaging: every subscriber gets the same message; Mustache manual, Variables

            """#
        case .unsupportedVersion:
            #"""
            # unsupported-version

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses a `version` in `herald.yaml` other than 1.

            ## Why is this bad

            The number is the version of the language. A later version may change the meaning of keys, and this version of Herald
            does not support that meaning.

            ## Example

            `herald.yaml`

            ```yaml
            version: 2
            project: tidewatch
            topics: { tides: { about: Tide tables } }
            ```

            ## Use instead

            `herald.yaml`

            ```yaml
            version: 1
            project: tidewatch
            topics: { tides: { about: Tide tables } }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, herald.yaml

            """#
        case .unusedAllow:
            #"""
            # unused-allow

            Warning. `rules: { unused-allow: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow unused-allow, REASON`

            ## What it does

            Reports comments `# herald: allow RULE, reason` that silence nothing.

            On a separate line, such a comment applies to the entry below it. Above the first key of a document, it applies to the whole document. After a value, it applies to the entry that begins on that line. The rule does not run if the file or `herald.yaml` has errors.

            ## Why is this bad

            The problem was fixed or moved. If the comment stays, it silences the next mistake of the same kind, which no one has reviewed.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out, the widget is for Apple devices only
            message:
              notification: { title: The tide widget, body: Add it to your screen. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-widget
            audience: { topic: azores }
            message:
              notification: { title: The tide widget, body: Add it to your screen. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Findings

            """#
        case .urgentSendToTopic:
            #"""
            # urgent-send-to-topic

            Warning. `rules: { urgent-send-to-topic: off }` in `herald.yaml` turns the rule off, and `error` makes it an error.
            To silence one finding: `# herald: allow urgent-send-to-topic, REASON`

            ## What it does

            Reports urgent messages to a topic or condition.

            A message is urgent if its time to live is 0. It is also urgent if, on one platform, it has high priority and expires in less than ten minutes. Data with the keys of a call (`call_id`, `caller_id`, `incoming_call`, `sdp`) is urgent, too.

            ## Why is this bad

            Topics are optimised for throughput, not latency. The last subscriber may receive the message too late.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-wanted
            audience: { topic: azores }
            message:
              notification: { title: Pilot wanted, body: A ship waits at the outer pier }
            delivery: { ttl: 0s }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: pilot-wanted
            audience: { registrations: lists/pilots.txt }
            message:
              notification: { title: Pilot wanted, body: A ship waits at the outer pier }
            delivery: { ttl: 0s }
            ```

            `lists/pilots.txt`

            ```text
            pilot-phone:1
            ```

            ## Source

            Firebase documentation, Topic messaging

            """#
        case .webTopicSyntax:
            #"""
            # web-topic-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses collapse keys that are not 1 to 32 of the characters `a-z A-Z 0-9 - _`.

            Herald checks `delivery.collapse`, which must be valid on all platforms, and the web push header `Topic`. Longer keys for Android and Apple devices are possible in their own fields.

            ## Why is this bad

            A push service refuses a `Topic` of another form, and browsers would receive nothing.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, collapse: spring tide }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, collapse: spring-tide }
            ```

            ## Source

            RFC 8030, section 5.4

            """#
        case .wrongKind:
            #"""
            # wrong-kind

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses values that have the wrong type for their key.

            The rule refuses a list, a mapping or an empty value in place of text or a number, and the reverse. It refuses text in place of a number, `true` or `false`, and a registration in place of the path of a list. It also refuses values of the merge key `<<` that are not mappings. For values in `data`, see `data-value`.

            ## Why is this bad

            Herald cannot convert such a value reliably, and FCM refuses a message in which a field has the wrong type.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { topic: [azores, madeira] }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            audience: { condition: "'azores' in topics || 'madeira' in topics" }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages

            """#
        case .yamlAliases:
            #"""
            # yaml-aliases

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses files in which aliases add more than 100,000 values.

            An alias counts with all values that it repeats, including keys, lists and mappings. The limit applies to the whole file. For values that merging repeats, the limit is 1,000,000: `defaults` under every campaign of the file, a shared message under every campaign that extends it, and a message under every variant and language.

            ## Why is this bad

            Aliases of aliases multiply: ten lines can expand to billions of values, which do not fit into memory.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            x-station: &station [⟨horta, ×1000⟩]
            x-islands: [⟨*station, ×100⟩]
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-alert
            x-station: &station [⟨horta, ×1000⟩]
            x-islands: [⟨*station, ×9⟩]
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Herald, Documentation/Reference/Language.md, Limits; YAML 1.2.2, section 7.1

            """#
        case .yamlNesting:
            #"""
            # yaml-nesting

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses lists and mappings that are nested more than 100 levels deep.

            The document itself is the first level. The content of an alias counts at the place of the alias.

            ## Why is this bad

            No message needs this depth. The limit protects Herald and other readers from broken or malicious files.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-chart
            audience: { topic: tides }
            x-chart: ⟨[×100⟩tides⟨]×100⟩
            message:
              notification: { title: High water, body: The chart is ready. }
            delivery: { ttl: 4h }
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: tide-chart
            audience: { topic: tides }
            x-chart: ⟨[×99⟩tides⟨]×99⟩
            message:
              notification: { title: High water, body: The chart is ready. }
            delivery: { ttl: 4h }
            ```

            `⟨TEXT×N⟩` means TEXT repeated N times. `#` in TEXT is the number of the repetition, from 1.

            ## Source

            Herald, Documentation/Reference/Language.md, Limits; YAML 1.2.2, section 3.2.1

            """#
        case .yamlSyntax:
            #"""
            # yaml-syntax

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses files that are not valid YAML.

            The rule also refuses characters that YAML does not allow, such as control characters, and keys that are not text. For example, the key in `{{name}}: 1` is a mapping unless it is in quotation marks.

            ## Why is this bad

            Such a file has no reliable meaning. A parser that guesses may send a different message from the intended one.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide: stay ashore
                body: Currents up to 4 knots.
            delivery: { ttl: 4h }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: "Spring tide: stay ashore"
                body: Currents up to 4 knots.
            delivery: { ttl: 4h }
            ```

            ## Source

            YAML 1.2.2, sections 5.1, 7.3.3 and 8.2

            """#
        case .yamlTag:
            #"""
            # yaml-tag

            Error. It cannot be silenced or downgraded.

            ## What it does

            Refuses YAML tags, such as `!!str` and `!island`.

            The field declares the type of a value, and Herald decodes the value from its text as written. In `data`, the values `850`, `2:45` and `no` are exactly these texts without a tag.

            ## Why is this bad

            A tag repeats the type that the field declares, and the two may disagree. A custom tag has a meaning only in the program that defines it.

            ## Example

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: tides }
            message:
              notification: { title: Brisa leads, body: Two legs are left. }
              data: { score: !!str 850 }
            delivery: { ttl: 30m }
            ```

            ## Use instead

            `campaigns/example.yaml`

            ```yaml
            campaign: regatta-score
            audience: { topic: tides }
            message:
              notification: { title: Brisa leads, body: Two legs are left. }
              data: { score: 850 }
            delivery: { ttl: 30m }
            ```

            ## Source

            Herald, Documentation/Reference/Language.md, Anchors, aliases and merges; YAML 1.2.2, section 6.9.1

            """#
        }
    }
}
