package import CampaignModel
package import Planning

/// Writes commands into advice so that they can be copied: they name the environment that the advice
/// is about.
package struct CommandHint: Hashable, Sendable {
    private let suffix: String
    private let selection: String

    /// `selectors`: what was planned; commands that plan or apply name it too.
    package init(for environment: EnvironmentID, _ selectors: Selectors = Selectors()) {
        suffix = environment.rawValue == "local" ? "" : " -e \(environment)"
        selection = [("--only", selectors.only), ("--except", selectors.except)]
            .flatMap { option, texts in
                texts.map { " \(option) \(TextStyle.safe($0.quotedForShell))" }
            }
            .joined()
    }

    /// `path`: of a state's file, which has the environment's name.
    init(forState path: String) {
        let file = path.split(separator: "/").last ?? ""
        let name = file.hasSuffix(".sqlite") ? file.dropLast(7) : file
        self = EnvironmentID(String(name)).map { CommandHint(for: $0) } ?? .local
    }

    /// Of the environment that commands mean by themselves.
    package static let local = CommandHint()

    private init() {
        suffix = ""
        selection = ""
    }

    /// `words`: the command without its name, as in `apply --dry-run`.
    package func callAsFunction(_ words: String) -> String { "herald " + words + suffix }

    /// `words`: a command that takes `--only` and `--except`, without its name.
    package func selecting(_ words: String) -> String { self(words) + selection }
}

extension PlanStory {
    /// Of the plan's environment and what of it was selected.
    var hint: CommandHint {
        EnvironmentID(head.environment).map { CommandHint(for: $0, selectors) } ?? .local
    }
}
