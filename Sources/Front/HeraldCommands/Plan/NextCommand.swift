import CampaignModel
import Presentation

/// Suggests the usual next command.
///
/// Prints one line on a terminal, otherwise nothing.
struct NextCommand {
    private let options: ProjectOptions

    init(_ options: ProjectOptions) {
        self.options = options
    }

    /// `words`: the command line without `herald`.
    func suggest(_ words: String, in environment: EnvironmentID? = nil) {
        suggest(environment.map { CommandHint(for: $0)(words) } ?? "herald " + words)
    }

    /// Suggests an apply of exactly the planned selection.
    func suggestApply(of target: PlanningTarget) {
        guard !target.environment.lacksLineage else {
            return suggest("state init", in: target.environment.id)
        }
        suggest(target.hint.selecting("apply"))
    }

    private func suggest(_ command: String) {
        let context = CommandContext.current
        guard context.output.isTerminal, context.error.isTerminal else { return }
        Output.message(NextCommandWording.suggestion(command, in: options.directory))
    }
}
