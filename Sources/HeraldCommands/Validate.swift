import ArgumentParser
import CampaignLoading
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
              herald validate --online               what FCM says of each message, too
            """
    )

    @OptionGroup var options: GlobalOptions

    @Flag(
        help: "Also ask the environment's FCM, with validate_only: nothing is sent or recorded."
    )
    var online = false

    @Option(
        name: [.customShort("e"), .customLong("environment")],
        help: "The environment that --online asks; local without it."
    )
    var environment: String?

    @Argument(help: "Files or folders of the project; all of it without any.")
    var paths: [String] = []

    func validate() throws {
        guard online || environment == nil else {
            throw ValidationError("-e says which FCM --online asks: give --online too")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let checked = online ? try await askOnline(pipeline) : pipeline.check(.random())
            keepUntilExit(checked)
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

    /// FCM is asked about files that have no error by themselves.
    private func askOnline(_ pipeline: Pipeline) async throws -> CheckedProject {
        let name = environment ?? "local"
        let loaded = EnvironmentID(name).map { pipeline.load(for: $0).refusingUnbuilt(for: $0) }
        let checked = pipeline.check(loaded ?? pipeline.load(), .random())
        guard let project = checked.project, !checked.log.hasErrors else { return checked }
        let trial = OnlineTrial(
            pipeline: pipeline,
            project: project,
            declarations: checked.declarations
        )
        var log = checked.log
        log.absorb(try await trial.findings(try project.environment(named: name)))
        return checked.with(log)
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
