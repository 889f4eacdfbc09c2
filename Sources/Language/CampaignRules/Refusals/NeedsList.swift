import Diagnostics
import Text

extension RulePage {
    static let needsList = RulePage(
        .needsList,
        whatItDoes: """
            Refuses `variants`, `holdout`, `locales` and `rollout` for topics, conditions and \
            device groups.

            They treat people of one audience differently, which needs a list of registrations.
            """,
        whyIsThisBad: """
            To a topic, a condition or a group goes one request for everybody: FCM picks the \
            people, and nobody can be left out or get another wording.
            """,
        example: """
            campaign: catch-log
            audience: { topic: tides }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            """,
        useInstead: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: """
            Herald, Documentation/Reference/Language.md, A campaign; Firebase documentation, Topic messaging
            """
    )
}
