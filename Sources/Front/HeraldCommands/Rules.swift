import ArgumentParser
import Presentation
import CampaignRules
import Diagnostics
import JSON

/// The `herald rules` command, which lists all rules.
struct Rules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List all rules, or write their pages into a folder.",
        discussion: """
            EXAMPLES
              herald rules
              herald rules --format json                everything that the pages say
              herald rules --write Documentation/Rules  a page a rule, and a README.md

            A line a rule: its name, how bad a finding is, what it does. `herald explain RULE` \
            tells the rest.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "Output format.")
    var format = Explain.Format.text

    @Option(
        help:
            "Write the pages as Markdown into this folder, and remove those of rules that are gone."
    )
    var write: String?

    func validate() throws {
        guard write == nil || format == .text else {
            throw ValidationError("--write makes Markdown: leave --format out")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pages = RuleID.allCases.sorted().map(\.page)
            if let write { return try RulePageFolder(path: write).write(pages) }
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
