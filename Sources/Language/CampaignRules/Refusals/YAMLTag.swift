import Diagnostics
import Text

extension RulePage {
    static let yamlTag = RulePage(
        .yamlTag,
        whatItDoes: """
            Refuses YAML's tags, such as `!!str` and `!island`.

            The type of a value is the one that its field declares, and it is decoded from the \
            text as it stands: in `data`, `850`, `2:45` and `no` are these texts without a tag.
            """,
        whyIsThisBad: """
            A tag would say a second time what the field says, and the two may disagree; tags of \
            one's own mean something only to the program that defines them.
            """,
        example: """
            campaign: regatta-score
            audience: { topic: tides }
            message:
              notification: { title: Brisa leads, body: Two legs are left. }
              data: { score: !!str 850 }
            delivery: { ttl: 30m }
            """,
        useInstead: """
            campaign: regatta-score
            audience: { topic: tides }
            message:
              notification: { title: Brisa leads, body: Two legs are left. }
              data: { score: 850 }
            delivery: { ttl: 30m }
            """,
        source: "Herald, Documentation/Reference/Language.md, introduction; YAML 1.2.2, section 6.9.1"
    )
}
