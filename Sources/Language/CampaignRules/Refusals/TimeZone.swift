import Diagnostics
import Text

extension RulePage {
    static let timeZone = RulePage(
        .timeZone,
        whatItDoes: """
            Refuses time zones that this system does not know.

            A zone is the name of an entry of the IANA Time Zone Database, such as \
            `Atlantic/Azores`; the system's own copy counts, in the folder `TZDIR` or in \
            `/usr/share/zoneinfo`. It looks at `timezone` of `herald.yaml` and of schedules.
            """,
        whyIsThisBad: """
            Without the zone's rules nobody can say when a local time is. An offset instead of a \
            name would be wrong for half of the year where clocks change.
            """,
        example: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33", timezone: Azores }
            """,
        useInstead: """
            campaign: equinox
            audience: { topic: tides }
            message:
              notification: { title: Equinox spring tide, body: The highest water of the year. }
            delivery: { ttl: 4h }
            schedule: { at: "2037-03-20 07:33", timezone: Atlantic/Azores }
            """,
        source: "IANA Time Zone Database; Herald, Documentation/Reference/Schedules.md, Clock changes"
    )
}
