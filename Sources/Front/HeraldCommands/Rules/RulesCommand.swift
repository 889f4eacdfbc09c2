import ArgumentParser
import CampaignRules
import Diagnostics
import JSON
import Presentation

/// The `herald rules` command, which lists all rules.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        _superCommandName: "herald",
        abstract: "List all rules.",
        discussion: """
            EXAMPLES
              herald rules
              herald rules --format json  all pages in full

            Each line has the name of a rule, its severity and a summary. `herald explain RULE` \
            prints the whole page.
            """
    )

    @OptionGroup var options: BasicOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            let pages = RuleID.allCases.sorted().map(\.page)
            switch output.format {
            case .text: Output.data(RuleListTextView(style: options.outputStyle).render(pages))
            case .json:
                let values = pages.map { RuleJSONView().value($0) }
                Output.data(JSONValue.array(values).prettyText + "\n")
            }
        }
    }
}
