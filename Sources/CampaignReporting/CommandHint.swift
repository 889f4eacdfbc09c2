package import CampaignModel

/// Writes commands into advice so that they can be copied: they name the environment that the advice
/// is about.
package struct CommandHint: Hashable, Sendable {
    private let suffix: String

    package init(for environment: EnvironmentID) {
        suffix = environment.rawValue == "local" ? "" : " -e \(environment)"
    }

    /// `path`: of a state's file, which has the environment's name.
    init(forState path: String) {
        let file = path.split(separator: "/").last ?? ""
        let name = file.hasSuffix(".sqlite") ? file.dropLast(7) : file
        self = EnvironmentID(String(name)).map(CommandHint.init) ?? .local
    }

    /// Of the environment that commands mean by themselves.
    package static let local = CommandHint()

    private init() {
        suffix = ""
    }

    /// `words`: the command without its name, as in `apply --dry-run`.
    package func callAsFunction(_ words: String) -> String { "herald " + words + suffix }
}
