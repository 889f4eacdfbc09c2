import Diagnostics
import Text

extension RulePage {
    static let unsupportedVersion = RulePage(
        .unsupportedVersion,
        whatItDoes: "Refuses a `version` in `herald.yaml` other than 1.",
        whyIsThisBad: """
            The version is that of the language. A later one may give the same words another \
            meaning, which this Herald does not know.
            """,
        example: """
            === herald.yaml
            version: 2
            project: tidewatch
            topics: { tides: { about: Tide tables } }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: { about: Tide tables } }
            """,
        source: "Herald, Documentation/Reference/Language.md, herald.yaml"
    )
}
