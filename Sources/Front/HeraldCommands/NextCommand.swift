import CampaignModel
import Presentation

/// The command that usually comes next, for people: a line on a terminal, elsewhere nothing.
struct NextCommand {
    private let options: GlobalOptions

    init(_ options: GlobalOptions) {
        self.options = options
    }

    /// `words`: the command without its name.
    func suggest(_ words: String, in environment: EnvironmentID? = nil) {
        suggest(environment.map { CommandHint(for: $0)(words) } ?? "herald " + words)
    }

    /// Applies just what was planned.
    func suggestApply(of target: PlanningTarget) {
        suggest(target.hint.selecting("apply"))
    }

    private func suggest(_ command: String) {
        guard Surroundings.isOutputTerminal, Surroundings.isErrorTerminal else { return }
        Output.message("Next: \(text(command))\n")
    }

    private func text(_ command: String) -> String {
        guard options.directory != "." else { return command }
        return command + " -C " + TextStyle.safe(options.directory.quotedForShell)
    }
}
