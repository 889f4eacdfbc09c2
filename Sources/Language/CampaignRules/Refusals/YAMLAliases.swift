import Diagnostics
import Text

extension RulePage {
    static let yamlAliases = RulePage(
        .yamlAliases,
        whatItDoes: """
            Refuses files into which aliases bring more than 100,000 values.

            Every alias counts with all the values of what it stands for, keys, lists and mappings \
            among them. The limit is for the whole file. It is 1,000,000 for what merging \
            repeats: `defaults` under every campaign of the file, a message under every variant \
            and language.
            """,
        whyIsThisBad: """
            Aliases of aliases multiply: ten lines can stand for billions of values, which no \
            machine can hold.
            """,
        example: """
            campaign: tide-alert
            x-station: &station [⟨horta, ×1000⟩]
            x-islands: [⟨*station, ×100⟩]
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            x-station: &station [⟨horta, ×1000⟩]
            x-islands: [⟨*station, ×9⟩]
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, introduction; YAML 1.2.2, section 7.1"
    )
}
