import Diagnostics
import Text

extension RulePage {
    static let unknownTopic = RulePage(
        .unknownTopic,
        whatItDoes: """
            Refuses topics that `topics` in `herald.yaml` does not declare.

            It looks at the topics of campaigns, conditions, audiences and devices. Nothing is \
            said while the registry itself cannot be read.
            """,
        whyIsThisBad: """
            FCM takes a misspelt topic in silence: the send succeeds and reaches nobody, or those \
            who are subscribed to something else.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tide }
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
            Firebase documentation, Topic messaging; Herald, Documentation/Reference/Language.md, \
            herald.yaml
            """
    )
}
