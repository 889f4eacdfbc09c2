import Diagnostics
import Text

extension RulePage {
    static let yamlNesting = RulePage(
        .yamlNesting,
        whatItDoes: """
            Refuses lists and mappings that lie more than 100 deep.

            The document itself is the first level. What an alias stands for counts at the place \
            of the alias.
            """,
        whyIsThisBad: """
            No message needs such depth. A limit keeps a broken or hostile file from exhausting \
            whoever reads it.
            """,
        example: """
            campaign: tide-chart
            audience: { topic: tides }
            x-chart: ⟨[×100⟩tides⟨]×100⟩
            message:
              notification: { title: High water, body: The chart is ready. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-chart
            audience: { topic: tides }
            x-chart: ⟨[×99⟩tides⟨]×99⟩
            message:
              notification: { title: High water, body: The chart is ready. }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, introduction; YAML 1.2.2, section 3.2.1"
    )
}
