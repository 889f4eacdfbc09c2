import Diagnostics
import Text

extension RulePage {
    static let durationSyntax = RulePage(
        .durationSyntax,
        whatItDoes: """
            Refuses lengths of time that are not written as such.

            Herald's own keys (`ttl` of a delivery, `late_after`, `pause`, `settle`) take days, \
            hours, minutes and seconds in this order, each at most once and without blanks: `4d`, \
            `1h30m`, `90s`; `0` needs no unit. Lights and vibration on Android take seconds as FCM \
            does, with at most nine decimals: `0.2s`.
            """,
        whyIsThisBad: """
            A bare number says no unit, and hours taken for seconds make a warning of a day's \
            notice one of half a minute.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4 hours }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        source: """
            Herald, Documentation/Reference/Language.md, Delivery; Firebase reference, REST resource \
            projects.messages
            """
    )
}
