import ArgumentParser
import CampaignLoading
import CampaignRules
import Diagnostics
import FoundationEssentials
import Presentation
import SystemIO

/// The output formats of `herald validate`.
enum FindingFormat: String, OutputFormat {
    case text
    case json
    case sarif
    case github

    static let help: ArgumentHelp = """
        Output format: text for people, json for programs, sarif (2.1.0) for code scanning, \
        github for annotations in GitHub Actions. (default: text)
        """
}

/// Renders findings in one of the formats for standard output.
struct FindingsReport {
    let format: FindingFormat
    let options: ProjectOptions

    func render(_ findings: [Diagnostic], in catalog: SourceCatalog, exit: ExitReason?) -> String {
        switch format {
        case .text:
            return FindingsTextView(style: options.outputStyle).render(findings, in: catalog)
        case .json:
            return FindingsJSONView(catalog: catalog).render(findings)
        case .sarif:
            let view = SARIFView(
                catalog: catalog,
                pathPrefix: RepositoryFolder(options).path,
                wholeProject: ProjectLoader.projectFile,
                descriptions: Dictionary(
                    uniqueKeysWithValues: RuleID.allCases.map { ($0, $0.page.summary) }
                )
            )
            return view.render(
                findings,
                of: SARIFView.Run(version: Herald.release, exitCode: exit?.rawValue ?? 0)
            )
        case .github:
            return FindingsGitHubView(catalog: catalog, pathPrefix: RepositoryFolder(options).path)
                .render(findings)
        }
    }
}
