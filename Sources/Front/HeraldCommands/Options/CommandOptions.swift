import ArgumentParser
import CampaignModel
import FoundationEssentials
import Presentation
import Text

/// What both kinds of options have.
protocol CommandOptions {
    var directory: String { get }
    var color: ColorChoice { get }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

/// Options of commands that read no files of a project.
struct BasicOptions: ParsableArguments, CommandOptions {
    @Option(
        name: [.customShort("C"), .customLong("directory")],
        help: "Project directory, which contains herald.yaml.",
        completion: .directory
    )
    var directory = "."

    @Option(help: "When to colour the output.")
    var color = ColorChoice.auto
}

/// Options of commands that read a project's files.
struct ProjectOptions: ParsableArguments, CommandOptions {
    @OptionGroup var basic: BasicOptions
    @OptionGroup var trust: TrustOptions

    var directory: String { basic.directory }

    var color: ColorChoice { basic.color }
}

extension CommandOptions {
    var outputStyle: TextStyle {
        let context = CommandContext.current
        return TextStyle(useColor: useColor(context.output), width: context.outputWidth)
    }

    var errorStyle: TextStyle {
        let context = CommandContext.current
        return TextStyle(useColor: useColor(context.error), width: context.errorWidth)
    }

    /// Writes text for people to standard output, as wide as the terminal.
    func show(_ text: String) { Output.data(outputStyle.folded(text)) }

    /// Writes text for people to standard error, as wide as the terminal.
    func tell(_ text: String) { Output.message(errorStyle.folded(text)) }

    /// Decides by `--color`, then NO_COLOR, then CLICOLOR_FORCE, then whether output is a terminal.
    private func useColor(_ stream: CommandOutput) -> Bool {
        let variables = CommandContext.current.variables
        switch color {
        case .always: return true
        case .never: return false
        case .auto:
            if !(variables["NO_COLOR"] ?? "").isEmpty { return false }
            if !["", "0"].contains(variables["CLICOLOR_FORCE"] ?? "") { return true }
            return stream.isTerminal && variables["TERM"] != "dumb"
        }
    }
}

/// Options of commands that work on one environment.
struct EnvironmentOptions: ParsableArguments {
    @Option(
        name: [.customShort("e"), .customLong("environment")],
        help: "Environment of herald.yaml.",
        completion: .environments
    )
    var environment = Self.preset

    /// Nil if the value is not a valid environment name.
    private static var preset: String {
        let name = CommandContext.current.variables["HERALD_ENV"] ?? ""
        return name.isEmpty ? "local" : name
    }

    var id: EnvironmentID? { EnvironmentID(environment) }

    func environment(of project: Project) throws(CommandFailure) -> CampaignModel.Environment {
        try project.environment(named: environment)
    }
}

extension Project {
    func environment(named name: String) throws(CommandFailure) -> CampaignModel.Environment {
        let known = environments.map(\.id.rawValue)
        guard let id = EnvironmentID(name), let found = environment(id) else {
            throw CommandFailure(.unknownEnvironment(name, among: known), exit: .usage)
        }
        return found
    }
}
