import Diagnostics
import Text

extension RulePage {
    static let numberOutOfRange = RulePage(
        .numberOutOfRange,
        whatItDoes: """
            Refuses numbers outside of the range of their key.

            It also refuses lists that are too short, a `holdout` of 0% or 100%, and, where FCM \
            takes any JSON, numbers that JSON cannot carry as they are written: `007` would be \
            sent as 7, and whole numbers reach from -2^63 to 2^63 - 1. In quotation marks they are \
            text. In `data` every value is text and nothing is lost.
            """,
        whyIsThisBad: """
            FCM or the device refuses the number or cuts it off, and one that is sent as another \
            is a quiet mistake.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              apns: { payload: { aps: { badge: -1 } } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              apns: { payload: { aps: { badge: 1 } } }
            delivery: { ttl: 4h }
            """,
        source: """
            Firebase reference, REST resource projects.messages; Apple documentation, Generating a \
            remote notification; Herald, Documentation/Reference/Language.md
            """
    )
}
