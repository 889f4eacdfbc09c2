import Diagnostics
import Text

extension RulePage {
    static let unknownKey = RulePage(
        .unknownKey,
        whatItDoes: """
            Refuses keys that a mapping does not have.

            Keys that begin with `x-` are the author's own and are passed over. `data` takes any \
            names but those that FCM keeps for itself; the payload for Apple devices and the \
            notification of a browser take the app's own names beside the known ones, unless one \
            is nearly a known one. Keys of FCM's older protocol and of its SDKs, and keys that \
            belong one level up or down, are refused with the place where they stand now.
            """,
        whyIsThisBad: """
            A misspelt key would be ignored: the message would go out without what the key was to \
            say.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { titel: High water, body: Best angling before it. }
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
            Firebase reference, REST resource projects.messages; Herald, Documentation/Reference/Language.md
            """
    )
}
