import Diagnostics
import Text

extension RulePage {
    static let unknownAnchor = RulePage(
        .unknownAnchor,
        whatItDoes: """
            Refuses aliases that stand for nothing.

            `*name` stands for the value that `&name` names further up in the same document. It is \
            refused where there is no such anchor, where the anchor follows only later, and where \
            the alias stands inside of the value that it stands for.
            """,
        whyIsThisBad: """
            What was meant to stand there is missing, and a message without it would be another \
            one.
            """,
        example: """
            campaign: tide-alert
            x-wording: &wording { title: High water, body: Best angling before it. }
            audience: { topic: tides }
            message: { notification: *words }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            x-wording: &wording { title: High water, body: Best angling before it. }
            audience: { topic: tides }
            message: { notification: *wording }
            delivery: { ttl: 4h }
            """,
        source: "YAML 1.2.2, section 7.1"
    )
}
