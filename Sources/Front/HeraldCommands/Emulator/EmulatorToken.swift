import Presentation

/// The token of an emulator's control API beyond loopback.
enum EmulatorToken {
    static let variable = "HERALD_EMULATOR_TOKEN"

    /// The token in the environment variable, or nil if it is not set.
    static var given: String? {
        let text = CommandContext.current.variables[variable] ?? ""
        return text.isEmpty ? nil : text
    }
}
