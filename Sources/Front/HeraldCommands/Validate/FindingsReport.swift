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
    let options: GlobalOptions

    func render(_ findings: [Diagnostic], in catalog: SourceCatalog, exit: ExitReason?) -> String {
        switch format {
        case .text:
            return FindingsTextView(style: options.outputStyle).render(findings, in: catalog)
        case .json:
            return FindingsJSONView(catalog: catalog).render(findings)
        case .sarif:
            let view = SARIFView(
                catalog: catalog,
                pathPrefix: folderInRepository,
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
            return FindingsGitHubView(catalog: catalog, pathPrefix: folderInRepository)
                .render(findings)
        }
    }

    /// The project's path in the repository that GitHub Actions checked out, with a trailing slash.
    ///
    /// GitHub expects paths relative to the repository.
    ///
    /// Empty if there is no such repository or the project is outside of it.
    private var folderInRepository: String {
        let variables = CommandContext.current.variables
        guard let workspace = variables["GITHUB_WORKSPACE"], !workspace.isEmpty,
            let root = RealPath.of(workspace), let project = RealPath.of(options.directory),
            project.hasPrefix(root + "/")
        else { return "" }
        return project.dropFirst(root.count + 1) + "/"
    }
}
