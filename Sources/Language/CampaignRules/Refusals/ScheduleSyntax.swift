import Diagnostics
import Text

extension RulePage {
    static let scheduleSyntax = RulePage(
        .scheduleSyntax,
        whatItDoes: """
            Refuses cron expressions and recurrence rules that cannot be read.

            `cron` has five fields: minute, hour, day of the month, month, weekday. `rrule` is a \
            rule of RFC 5545 with `FREQ`. What is well formed and never happens, such as a 31st of \
            February, is refused too, and so are forms that cron implementations read differently, \
            such as `5/15` and `@daily`.
            """,
        whyIsThisBad: """
            A schedule that is read otherwise than it was meant sends at the wrong hour, or every \
            minute.
            """,
        example: """
            campaign: tide-table
            audience: { topic: tides }
            message:
              notification: { title: The tides of the day, body: See when the water is high. }
            delivery: { ttl: 4h }
            schedule: { cron: "7:33 * * MON-FRI" }
            """,
        useInstead: """
            campaign: tide-table
            audience: { topic: tides }
            message:
              notification: { title: The tides of the day, body: See when the water is high. }
            delivery: { ttl: 4h }
            schedule: { cron: "33 7 * * MON-FRI" }
            """,
        source: "Herald, Documentation/Reference/Schedules.md; RFC 5545, section 3.3.10"
    )
}
