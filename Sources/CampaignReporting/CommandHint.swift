package import CampaignModel

/// Writes commands into advice so that they can be copied: they name the environment that the advice
/// is about.
package struct CommandHint: Hashable, Sendable {
    private let suffix: String

    package init(for environment: EnvironmentID) {
        suffix = environment.rawValue == "local" ? "" : " -e \(environment)"
    }

    /// Of the environment that commands mean by themselves.
    package static let local = CommandHint()

    private init() {
        suffix = ""
    }

    /// `words`: the command without its name, as in `apply --dry-run`.
    package func callAsFunction(_ words: String) -> String { "herald " + words + suffix }
}
