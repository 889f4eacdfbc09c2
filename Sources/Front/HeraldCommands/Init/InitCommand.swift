import ArgumentParser
import CampaignModel
import FoundationEssentials
import Presentation
import SQLiteStore
import Time

/// The `herald init` command, which creates a small working project.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        _superCommandName: "herald",
        abstract: "Create a small project for the built-in emulator.",
        discussion: """
            EXAMPLES
              herald init                   in this directory
              herald init push              in the new directory push
              herald init push --project tidewatch --timezone Atlantic/Azores

            Never asks and never overwrites a file. If files exist, the command lists them and \
            writes nothing. An existing .gitignore is not changed.
            """
    )

    @OptionGroup var options: BasicOptions

    @Argument(help: "Project directory. Created if missing.", completion: .directory)
    var folder: String?

    @Option(help: "Name of the project. (default: the directory's name)")
    var project: String?

    @Option(help: "IANA time zone of the schedules. (default: the system's)")
    var timezone: String?

    func run() async throws {
        try await options.reportingFailure {
            let context = CommandContext.current
            _ = try context.clock()
            let root = root
            let template = ProjectTemplate(
                project: try projectName(in: root),
                timeZone: try timeZone(context)
            )
            let written = try Scaffold(root: root).write(template)
            let view = NewProjectTextView(style: options.outputStyle)
            Output.data(
                view.render(written.files, of: template.project, timeZone: template.timeZone)
                    + view.renderMissing(written.missingPatterns)
            )
            forgetState(in: root, context: context)
            Output.data(view.renderNext(in: root))
        }
    }

    /// A new project has no state to lose: a state that was seen at its path belonged to another
    /// project.
    private func forgetState(in root: String, context: CommandContext) {
        let path = "\(root)/\(Session.stateFolder)/local.sqlite"
        guard (try? SQLiteStore.isThere(path: path)) == false else { return }
        KnownStateFile(context.variables).place(nil, at: .file(path: path))
    }

    /// The project's directory.
    ///
    /// `folder` is relative to the `-C` directory.
    private var root: String {
        guard let folder else { return options.directory }
        let isPlain = folder.hasPrefix("/") || options.directory == "."
        return isPlain ? folder : options.directory + "/" + folder
    }

    private func projectName(in root: String) throws(CommandFailure) -> ProjectID {
        let named = project.map { ProjectID($0) } ?? Self.name(ofFolder: root)
        guard let id = named else {
            throw CommandFailure(.invalidProjectName(project ?? root), exit: .usage)
        }
        return id
    }

    /// The directory's name with `-` for characters that a project name must not contain; nil if
    /// nothing remains.
    static func name(ofFolder path: String) -> ProjectID? {
        let absolute =
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let last = URL(filePath: absolute).standardized.lastPathComponent
        let letters = last.lowercased().map { letter in
            ProjectID("a\(letter)") == nil ? "-" : letter
        }
        let text = String(letters.drop { "-_.".contains($0) }.prefix(64))
        return ProjectID(text)
    }

    private func timeZone(_ context: CommandContext) throws(CommandFailure) -> String {
        guard let timezone else { return context.timeZone ?? "UTC" }
        do {
            return try context.zones.rules(named: timezone).name
        } catch {
            throw CommandFailure(
                .unknownTimeZone(timezone, among: context.zones.names()),
                exit: .usage
            )
        }
    }
}
