import Diagnostics
import Text

extension RulePage {
    static let fixedRule = RulePage(
        .fixedRule,
        whatItDoes: """
            Refuses settings and comments that turn down or silence errors.

            It looks at `rules` of `herald.yaml`, where it finds `off` and `warn`, and at `herald: \
            allow` comments. Warnings, notes and the two documented limits of payloads, \
            `payload-over-4000` and `payload-over-2048`, can be turned down; any rule can be made \
            an `error`.
            """,
        whyIsThisBad: """
            What such a rule finds does not work, or reaches people it should not: without the \
            error it would go wrong later, where it costs more.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { unknown-topic: off }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, regatta: {} }
            """,
        source: "Herald, Documentation/Reference/Language.md, Findings"
    )
}
