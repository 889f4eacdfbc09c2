import ArgumentParser
import CampaignModel
import CampaignReporting
import Diagnostics
import FoundationEssentials

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

    @Argument(help: "Files or folders of the project; all of it without any.")
    var paths: [String] = []

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let checked = pipeline.check(.random())
            let meant = try paths.map { try meaning(of: $0, pipeline) }
            let found = checked.log.sorted(in: checked.catalog).filter { diagnostic in
                let path = diagnostic.span.map { checked.catalog[$0.source].path }
                return meant.isEmpty || meant.contains { $0.includes(path) }
            }
            let view = DiagnosticView(useColor: options.useColor(Surroundings.isOutputTerminal))
            Output.data(view.render(found, checked.catalog))
            if found.contains(where: { $0.severity == .error }) {
                throw ExitReason.invalidFiles.code
            }
            if found.isEmpty { Output.message(summary(checked.project)) }
        }
    }

    /// A file or folder as diagnostics name it: relative to the project's folder.
    private struct MeantPath {
        let path: String

        /// A problem without a place concerns everything.
        func includes(_ other: String?) -> Bool {
            guard let other, !path.isEmpty else { return true }
            return other == path || other.hasPrefix(path + "/")
        }
    }

    private func meaning(
        of path: String,
        _ pipeline: Pipeline
    ) throws(CommandFailure) -> MeantPath {
        let project = URL(filePath: options.directory).standardizedFileURL.path
        let candidates = [path, options.directory + "/" + path].map {
            URL(filePath: $0).standardizedFileURL.path
        }
        for full in candidates where FileManager.default.fileExists(atPath: full) {
            if full == project { return MeantPath(path: "") }
            if full.hasPrefix(project + "/") {
                return MeantPath(path: String(full.dropFirst(project.count + 1)))
            }
        }
        throw CommandFailure(
            "there is no file or folder `\(TextStyle.safe(path))` in the project",
            help: "paths are relative to where you are, or to the folder given with -C",
            exit: .usage
        )
    }

    private func summary(_ project: Project?) -> String {
        guard let project else { return "" }
        let campaigns = project.campaigns.count.counting("campaign")
        return "No problem found: \(campaigns), \(project.audiences.count.counting("audience")).\n"
    }
}
