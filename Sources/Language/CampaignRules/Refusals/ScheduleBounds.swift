import Diagnostics
import Text

extension RulePage {
    static let scheduleBounds = RulePage(
        .scheduleBounds,
        whatItDoes: """
            Finds schedules and messages that end before they begin.

            It finds an `until` before `at` or `from`, a `delivery.expires` that is not after \
            `at`, and a cron expression or recurrence rule that names no moment between `from` and \
            `until`. All are local times of the campaign's zone.
            """,
        whyIsThisBad: "Such a campaign is never sent, and nobody would notice.",
        example: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { expires: "2037-03-20 06:00" }
            schedule: { at: "2037-03-20 07:33" }
            """,
        useInstead: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { expires: "2037-03-20 18:00" }
            schedule: { at: "2037-03-20 07:33" }
            """,
        source: "Herald, Documentation/Reference/Language.md, A campaign"
    )
}
