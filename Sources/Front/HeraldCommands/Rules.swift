import ArgumentParser
import CampaignRules
import Diagnostics
import JSON
import Presentation

/// The `herald rules` command, which lists all rules.
struct Rules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List all rules.",
        discussion: """
            EXAMPLES
              herald rules
              herald rules --format json  all pages in full

            Each line has the name of a rule, its severity and a summary. `herald explain RULE` \
            prints the whole page.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "Output format.")
    var format = Explain.Format.text

    func run() async throws {
        try await options.reportingFailure {
            let pages = RuleID.allCases.sorted().map(\.page)
            switch format {
            case .text: Output.data(pages.map { line($0) + "\n" }.joined())
            case .json: Output.data(JSONValue.array(pages.map(\.json)).prettyText + "\n")
            }
        }
    }

    private func line(_ page: RulePage) -> String {
        let severity = page.id.severity
        let word = options.outputStyle.paint(severity.rawValue, severity.tone)
        let width = RuleID.allCases.map(\.rawValue.count).max() ?? 0
        return page.id.rawValue.padded(to: width) + "  " + word
            + "".padded(to: 7 - severity.rawValue.count) + "  " + page.summary
    }
}
