import Diagnostics
import Text

extension RulePage {
    static let yamlSyntax = RulePage(
        .yamlSyntax,
        whatItDoes: """
            Refuses files that are not YAML.

            That includes characters that YAML does not allow, such as control characters, and \
            keys that are not text: `{{name}}: 1` begins a mapping unless it stands in quotes.
            """,
        whyIsThisBad: """
            Nothing certain can be read from such a file, and a parser that guesses may send \
            something else than what was meant.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide: stay ashore
                body: Currents up to 4 knots.
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: "Spring tide: stay ashore"
                body: Currents up to 4 knots.
            delivery: { ttl: 4h }
            """,
        source: "YAML 1.2.2, sections 5.1, 7.3.3 and 8.2"
    )
}
