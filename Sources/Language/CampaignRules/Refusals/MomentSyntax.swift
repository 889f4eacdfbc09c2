import Diagnostics
import Text

extension RulePage {
    static let momentSyntax = RulePage(
        .momentSyntax,
        whatItDoes: """
            Refuses dates and times of another form than their key takes.

            Schedules and `delivery.expires` take a local time, `"2037-03-20 07:33"`, with seconds \
            if you like and without a zone, which stands under `timezone`. Quiet hours take a time \
            of day, `"22:00"`. The `event_time` of an Android notification is RFC 3339 with a \
            zone: `2037-03-20T08:30:00Z`.
            """,
        whyIsThisBad: """
            Other forms are read differently from country to country: 03/04 is a day in March or \
            in April.
            """,
        example: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "20.03.2037 07:33" }
            """,
        useInstead: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33" }
            """,
        source: """
            Herald, Documentation/Reference/Language.md, A campaign; Firebase reference, REST resource \
            projects.messages, AndroidNotification; RFC 3339, section 5.6
            """
    )
}
