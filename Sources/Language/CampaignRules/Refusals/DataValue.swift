import Diagnostics
import Text

extension RulePage {
    static let dataValue = RulePage(
        .dataValue,
        whatItDoes: """
            Refuses lists, mappings and empty values in `data`.

            Every value of `data`, also of `android.data` and `webpush.data`, is text, and what \
            YAML takes for a number, a date or `true` is sent exactly as written. An empty text is \
            `""`; a list or mapping goes as JSON in a text.
            """,
        whyIsThisBad: "FCM takes strings only and answers anything else with INVALID_ARGUMENT.",
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              data: { station: horta, heights: [1.60, 0.40] }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              data: { station: horta, heights: "[1.60, 0.40]" }
            delivery: { ttl: 4h }
            """,
        source: "Firebase reference, REST resource projects.messages"
    )
}
