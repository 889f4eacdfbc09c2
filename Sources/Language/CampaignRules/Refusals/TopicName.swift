import Diagnostics
import Text

extension RulePage {
    static let topicName = RulePage(
        .topicName,
        whatItDoes: """
            Refuses topics that are not 1 to 900 of the characters `a-z A-Z 0-9 - _ . ~ %`.

            It looks at topics in the registry, in audiences, in conditions and of devices. A \
            `/topics/` before the name is passed over, with the note `topic-prefix`.
            """,
        whyIsThisBad: "FCM refuses to send to such a name, and an app cannot subscribe to it.",
        example: """
            campaign: tide-alert
            audience: { topic: high tides }
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
            Firebase reference, REST resource projects.registrations.topicSubscriptions; Firebase \
            documentation, Topic messaging
            """
    )
}
