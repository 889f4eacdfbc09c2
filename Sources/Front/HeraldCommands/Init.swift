import ArgumentParser
import CampaignModel
import Presentation
import FoundationEssentials
import Time

/// The `herald init` command, which creates a small working project.
struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a small project that validates and sends on the built-in emulator.",
        discussion: """
            EXAMPLES
              herald init                   into this folder
              herald init push              into the folder push, which is made
              herald init push --project tidewatch --timezone Atlantic/Azores

            Asks nothing and overwrites nothing: where a file is in the way, all of them are named \
            and none is written. A .gitignore that is there stays as it is.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The project's folder; it is made where it is missing.", completion: .directory)
    var folder: String?

    @Option(help: "The project's name; the folder's without it.")
    var project: String?

    @Option(help: "The IANA zone of its schedules; this system's without it.")
    var timezone: String?

    func run() async throws {
        try await options.reportingFailure {
            let surroundings = try Surroundings.current()
            let root = root
            let template = ProjectTemplate(
                project: try projectName(in: root),
                timeZone: try timeZone(surroundings)
            )
            let scaffold = Scaffold(root: root, style: options.outputStyle)
            Output.data(try scaffold.write(template))
            Output.data(advice)
        }
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
            throw CommandFailure(
                "`\(TextStyle.safe(project ?? root))` can't be a project's name",
                help: "give one with --project: up to 64 letters, digits, `-`, `_` and `.`, "
                    + "and begins with a letter or digit",
                exit: .usage
            )
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

    private func timeZone(_ surroundings: Surroundings) throws(CommandFailure) -> String {
        guard let timezone else { return surroundings.timeZone ?? "UTC" }
        do {
            return try surroundings.zones.rules(named: timezone).name
        } catch {
            throw CommandFailure(
                "`\(TextStyle.safe(timezone))` is no time zone of this system",
                help: .didYouMean(timezone, surroundings.zones.names())
                    ?? "give an IANA name such as Europe/Lisbon",
                exit: .usage
            )
        }
    }

    private var advice: String {
        let enter = root == "." ? "" : "  cd \(TextStyle.safe(root.quotedForShell))\n"
        return """

            Next:
            \(enter)  herald validate            look for mistakes
              herald plan                see what would be sent, and to whom
              herald apply               send it, on the built-in emulator
              herald emulator inboxes    see what each device received

            """
    }
}
