import Diagnostics
import Text

extension RulePage {
    static let unknownRule = RulePage(
        .unknownRule,
        whatItDoes: """
            Refuses names of rules that do not exist, in `rules` and in `herald: allow` comments.
            """,
        whyIsThisBad: """
            The setting or the comment has no effect, and its author believes that it has.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { condition-negations: off }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            rules: { condition-negation: off }
            """,
        source: "Herald, Documentation/Reference/Language.md, Findings"
    )
}
