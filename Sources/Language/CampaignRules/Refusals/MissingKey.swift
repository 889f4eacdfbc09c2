import Diagnostics
import Text

extension RulePage {
    static let missingKey = RulePage(
        .missingKey,
        whatItDoes: """
            Finds mappings without a key that they need.

            Some keys are always needed, such as `audience` and `message` in a campaign; of some \
            exactly one, such as `emulator` and `fcm` in an environment; and some beside another, \
            such as `title_loc_key` beside `title_loc_args`. A message is checked as it is sent, \
            with the defaults merged in. An empty `herald.yaml` and a single variant are found \
            too.
            """,
        whyIsThisBad: """
            Without the key the mapping means nothing, or FCM or the device refuses what is made \
            of it.
            """,
        example: """
            campaign: tide-alert
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        source: """
            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages
            """
    )
}
