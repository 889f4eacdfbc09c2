import Diagnostics
import Text

extension RulePage {
    static let environmentVariable = RulePage(
        .environmentVariable,
        whatItDoes: """
            Finds environment variables that are not set, or stand in the wrong place.

            `${NAME}` in a text below `environments` is replaced by the variable's value. It is \
            looked up only by commands that use that environment: this example is refused by \
            `herald plan -e workbench` where the variable is not set, and nothing is said without \
            `-e`. Elsewhere in `herald.yaml` a variable is always refused, and so is `${` with no \
            `NAME}` behind it. `$${` writes the characters `${`. In campaigns nothing is replaced \
            and nothing found.
            """,
        whyIsThisBad: """
            An address with a hole in it leads somewhere else. Outside of `environments` a \
            variable would make a plan depend on who makes it.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              workbench:
                emulator: { url: "${TIDEWATCH_EMULATOR_URL}" }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              workbench:
                emulator: { url: "http://127.0.0.1:9099" }
            """,
        source: "Herald, Documentation/Reference/Language.md, herald.yaml"
    )
}
