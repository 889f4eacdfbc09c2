package import CampaignModel
package import Planning

/// Writes suggested commands that name their environment, so that users can copy them.
package struct CommandHint: Hashable, Sendable {
    private let suffix: String
    private let selection: String

    /// `selectors`: the plan's selection.
    ///
    /// Suggested commands that plan or apply repeat it.
    package init(for environment: EnvironmentID, selectors: Selectors = Selectors()) {
        suffix = environment.rawValue == "local" ? "" : " -e \(environment)"
        selection = [("--only", selectors.only), ("--except", selectors.except)]
            .flatMap { option, texts in
                texts.map { " \(option) \(TextStyle.safe($0.quotedForShell))" }
            }
            .joined()
    }

    /// `path`: the path of a state file, which contains the environment's name.
    init(forState path: String) {
        let file = path.split(separator: "/").last ?? ""
        let name = file.hasSuffix(".sqlite") ? file.dropLast(7) : file
        self = EnvironmentID(String(name)).map { CommandHint(for: $0) } ?? .local
    }

    /// Names no environment, because commands use `local` by default.
    package static let local = CommandHint()

    private init() {
        suffix = ""
        selection = ""
    }

    /// `words`: the command line without `herald`, such as `apply --dry-run`.
    package func callAsFunction(_ words: String) -> String { "herald " + words + suffix }

    /// `words`: a command line that accepts `--only` and `--except`, without `herald`.
    package func selecting(_ words: String) -> String { self(words) + selection }
}

extension PlanDescription {
    /// Names the plan's environment and selection.
    var hint: CommandHint {
        EnvironmentID(head.environment).map { CommandHint(for: $0, selectors: selectors) } ?? .local
    }
}
