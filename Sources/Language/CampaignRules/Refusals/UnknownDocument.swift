import Diagnostics
import Text

extension RulePage {
    static let unknownDocument = RulePage(
        .unknownDocument,
        whatItDoes: """
            Refuses documents of no known kind.

            The first key of a document below `campaigns/` says what it is: `campaign`, \
            `audience`, `devices` or `removed`; keys that begin with `x-` may stand before it. A \
            document that is not a mapping is refused too, and so is a second document in \
            `herald.yaml`.
            """,
        whyIsThisBad: """
            Of an unknown document nothing is read, so that its campaign would never be sent.
            """,
        example: """
            campain: tide-alert
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
        source: "Herald, Documentation/Reference/Language.md, introduction"
    )
}
