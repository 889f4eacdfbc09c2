import Diagnostics
import Text

extension RulePage {
    static let invalidColour = RulePage(
        .invalidColour,
        whatItDoes: """
            Refuses colours that are not `"#rrggbb"`.

            It is `#` and six hexadecimal digits, in quotes: without them YAML takes `#` for the \
            beginning of a comment, and the value is missing. The colour of `light_settings` is \
            another one, a mapping with shares of red, green and blue from 0 to 1.
            """,
        whyIsThisBad: """
            FCM takes a notification's colour in this form only, and answers others with \
            INVALID_ARGUMENT.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { color: blue } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { color: "#1f6feb" } }
            delivery: { ttl: 4h }
            """,
        source: "Firebase reference, REST resource projects.messages, AndroidNotification"
    )
}
