import Diagnostics
import Text

extension RulePage {
    static let invalidName = RulePage(
        .invalidName,
        whatItDoes: """
            Refuses names that a key does not take.

            A name of a project, a campaign, an audience, an environment, a device, a label or a \
            variant is 1 to 64 letters, digits, `-`, `_` and `.`, a letter or digit first. FCM's \
            and Google's names have rules of their own: an `analytics_label` has 1 to 50 of `a-z \
            A-Z 0-9 - _ . ~ %`; a package name two segments or more, each beginning with a letter; \
            a Firebase project id 6 to 30 of `a-z 0-9 -`, a letter first and no `-` last; a sender \
            id up to 20 digits; a device group's name 1 to 256 printable ASCII characters without \
            blanks. Where a key lies is written `env:NAME` or as a path.
            """,
        whyIsThisBad: """
            Names stand in the history, in commands and in file names, so they need no quotes \
            there; FCM refuses a message or finds no project under a name that cannot be one.
            """,
        example: """
            campaign: tide alert
            audience: { topic: tides }
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
            Herald, Documentation/Reference/Language.md, herald.yaml; Firebase reference, REST resource \
            projects.messages; Google Cloud documentation, Creating and managing projects; Android \
            documentation, Set the application ID
            """
    )
}
