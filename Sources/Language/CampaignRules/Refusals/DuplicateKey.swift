import Diagnostics
import Text

extension RulePage {
    static let duplicateKey = RulePage(
        .duplicateKey,
        whatItDoes: """
            Refuses keys that stand twice in one mapping.

            The merge key `<<` counts too: one `<<` merges several mappings, `<<: [*first, \
            *second]`. What a merge brings in is no second key: the mapping's own wins.
            """,
        whyIsThisBad: """
            YAML says that keys are unique, and parsers differ in which of the two they keep: the \
            reader takes one for valid, and the other is sent.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                title: Low water
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
            delivery: { ttl: 4h }
            """,
        source: "YAML 1.2.2, section 3.2.1.3"
    )
}
