import Diagnostics
import Text

extension RulePage {
    static let conflictingKeys = RulePage(
        .conflictingKeys,
        whatItDoes: """
            Finds keys of which only one may stand there.

            So it is with `topic`, `condition`, `registrations` and `group` of an audience; `ttl` \
            and `expires` of a delivery; `at`, `cron` and `rrule` of a schedule; `emulator` and \
            `fcm` of an environment; the two kinds of an `android_v2` message; `silent: true` and \
            `vibrate` of a browser's notification; `expires` and a schedule that repeats; \
            `removed` and the `subscribe` of the same audience; and `column` or `identity` of a \
            list that is a plain text. Where one of them comes from \
            `defaults`, `KEY: ~` in the campaign takes it away.
            """,
        whyIsThisBad: """
            The two say different things, and to choose one would be a guess about what people \
            get.
            """,
        example: """
            campaign: spring-tide
            audience:
              topic: tides
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: spring-tide
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            """,
        source: """
            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages
            """
    )
}
