import ArgumentParser
import CampaignModel
import CampaignReporting
import Diagnostics

/// `herald validate`: every problem of every file, offline.
struct Validate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check every file; nothing is sent and no state is read.",
        discussion: """
            Prints every problem with its place and a way out. Exit code 0 when there is none, \
            65 when there is an error.

            EXAMPLES
              herald validate
              herald validate campaigns/tides.yaml   only what concerns this file
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Files or folders, relative to the project's folder; all without it.")
    var paths: [String] = []

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let checked = pipeline.check(.random())
            let found = checked.log.sorted(in: checked.catalog).filter { diagnostic in
                isMeant(diagnostic.span.map { checked.catalog[$0.source].path })
            }
            let view = DiagnosticView(useColor: options.useColor(Surroundings.isOutputTerminal))
            Output.data(view.render(found, checked.catalog))
            if found.contains(where: { $0.severity == .error }) {
                throw ExitReason.invalidFiles.code
            }
            if found.isEmpty { Output.message(summary(checked.project)) }
        }
    }

    /// A problem without a place concerns everything.
    private func isMeant(_ path: String?) -> Bool {
        guard let path, !paths.isEmpty else { return true }
        return paths.contains { meant in
            let folder = meant.hasSuffix("/") ? String(meant.dropLast()) : meant
            return path == folder || path.hasPrefix(folder + "/")
        }
    }

    private func summary(_ project: Project?) -> String {
        guard let project else { return "" }
        let campaigns = project.campaigns.count.counting("campaign")
        return "No problem found: \(campaigns), \(project.audiences.count.counting("audience")).\n"
    }
}
